//! People's consents: of no business.

use core::{ops::Deref, time::Duration};

use caller::UserId;
use database::{named, to_db};
use sea_orm::FromQueryResult;

use super::Store;
use crate::{
    domain::{caldav::Password, calendar::Kind, consent::Question},
    error::Error,
};

const ASK: &str = "INSERT INTO consent_request (user_id, state_hash, expires_at, kind, verifier)
    VALUES (:user_id, sha256(convert_to(:state, 'UTF8')), :expires_at, :kind, :verifier)
    ON CONFLICT (user_id) DO UPDATE SET state_hash = excluded.state_hash, expires_at = excluded.expires_at,
        kind = excluded.kind, verifier = excluded.verifier";
const TAKE: &str = "DELETE FROM consent_request WHERE user_id = :user_id
    AND state_hash = sha256(convert_to(:state, 'UTF8')) AND expires_at > :now RETURNING kind, verifier";
const GRANT: &str = "INSERT INTO consent (user_id, granted_at) VALUES (:user_id, :now)
    ON CONFLICT (user_id) DO UPDATE SET granted_at = excluded.granted_at";
const WITHDRAW: &str = "DELETE FROM consent WHERE user_id = :user_id";
const GRANTED: &str = "SELECT user_id FROM consent WHERE user_id = :user_id";

#[derive(FromQueryResult)]
struct Row {
    kind: String,
    verifier: Option<String>,
}

impl Store {
    /// A transaction on people.
    #[must_use]
    pub fn begin_for_people(&self) -> PeopleTx {
        PeopleTx(self.database.untenanted_tx())
    }
}

/// A transaction that sees no business; rolled back unless committed.
#[derive(Debug)]
pub struct PeopleTx(database::Tx<Error>);

impl Deref for PeopleTx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl PeopleTx {
    /// Makes the changes last.
    ///
    /// # Errors
    /// When the commit fails; nothing is kept then.
    pub async fn commit(self) -> Result<(), Error> {
        self.0.commit().await
    }

    /// Keeps that the person is asked; an earlier question is answered no more.
    pub async fn ask(
        &self,
        user: UserId,
        state: &str,
        question: &Question,
        life: Duration,
    ) -> Result<(), Error> {
        let (kind, verifier) = match question {
            Question::Demo => (Kind::Demo, None),
            Question::Google { verifier } => (Kind::Google, Some(verifier.expose().to_owned())),
        };
        let expires_at = to_db(self.now() + life);
        let values = named! { user_id: user.0, state, expires_at, kind: kind.name(), verifier };
        self.execute(ASK, values).await.map(drop)
    }

    /// Takes the person's open question, if `state` is its.
    pub async fn take(&self, user: UserId, state: &str) -> Result<Option<Question>, Error> {
        let values = named! { user_id: user.0, state, now: self.at() };
        let taken = self.row::<Row>(TAKE, values).await?;
        Ok(taken.and_then(|row| match (Kind::parse(&row.kind)?, row.verifier) {
            (Kind::Demo, _) => Some(Question::Demo),
            (Kind::Google, Some(verifier)) => Some(Question::Google { verifier: Password::new(verifier) }),
            _ => None,
        }))
    }

    /// Keeps the person's consent.
    pub async fn grant(&self, user: UserId) -> Result<(), Error> {
        self.execute(GRANT, named! { user_id: user.0, now: self.at() }).await.map(drop)
    }

    /// Forgets the person's consent, if there is one.
    pub async fn withdraw(&self, user: UserId) -> Result<(), Error> {
        self.execute(WITHDRAW, named! { user_id: user.0 }).await.map(drop)
    }

    /// Whether the person has given their consent.
    pub async fn has_consent(&self, user: UserId) -> Result<bool, Error> {
        Ok(self.execute(GRANTED, named! { user_id: user.0 }).await? == 1)
    }
}
