//! People's consents: of no business.

use core::{ops::Deref, time::Duration};

use caller::UserId;
use database::{named, to_db};
use sea_orm::FromQueryResult;
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::Store;
use crate::{
    domain::{caldav::Password, calendar::Kind},
    error::Error,
    vault::Sealed,
};

/// `verifier` is the release before's.
const ASK: &str =
    "INSERT INTO consent_request (user_id, state_hash, expires_at, kind, verifier_key_id, master_key,
        sealed_key, sealed_verifier)
    VALUES (:user_id, sha256(convert_to(:state, 'UTF8')), :expires_at, :kind, :verifier_key_id, :master_key,
        :sealed_key, :sealed_verifier)
    ON CONFLICT (user_id) DO UPDATE SET state_hash = excluded.state_hash, expires_at = excluded.expires_at,
        kind = excluded.kind, verifier = NULL, verifier_key_id = excluded.verifier_key_id,
        master_key = excluded.master_key, sealed_key = excluded.sealed_key,
        sealed_verifier = excluded.sealed_verifier";
const TAKE: &str = "DELETE FROM consent_request WHERE user_id = :user_id
    AND state_hash = sha256(convert_to(:state, 'UTF8')) AND expires_at > :now
    RETURNING kind, verifier, verifier_key_id, master_key, sealed_key, sealed_verifier";
const GRANT: &str = "INSERT INTO consent (user_id, granted_at) VALUES (:user_id, :now)
    ON CONFLICT (user_id) DO UPDATE SET granted_at = excluded.granted_at";
const WITHDRAW: &str = "DELETE FROM consent WHERE user_id = :user_id";
const GRANTED: &str = "SELECT user_id FROM consent WHERE user_id = :user_id";

/// A question as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptQuestion {
    /// The simulated consent of the demo calendar.
    Demo,
    /// For a person's calendars at Google.
    Google(KeptVerifier),
}

/// What proves that the code comes back to where it was asked from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptVerifier {
    /// Sealed.
    Sealed(Sealed),
    /// As a replica of the release before keeps it.
    Clear(Password),
}

#[derive(FromQueryResult)]
struct Row {
    kind: String,
    verifier: Option<String>,
    verifier_key_id: Option<Uuid>,
    master_key: Option<String>,
    sealed_key: Option<Vec<u8>>,
    sealed_verifier: Option<Vec<u8>>,
}

impl Row {
    fn verifier(self) -> Option<KeptVerifier> {
        // A replica of the release before that asks again leaves the columns that it does not know as they are.
        if let Some(verifier) = self.verifier {
            return Some(KeptVerifier::Clear(Password::new(verifier)));
        }
        let (id, master, sealed) = (DataKeyId(self.verifier_key_id?), self.master_key?, self.sealed_key?);
        let key = WrappedKey { id, master, sealed };
        Some(KeptVerifier::Sealed(Sealed { key, secret: self.sealed_verifier? }))
    }
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

    /// Keeps that the person is asked, with a verifier where the provider takes one; an earlier question is answered no more.
    pub async fn ask(
        &self,
        user: UserId,
        state: &str,
        (kind, verifier): (Kind, Option<&Sealed>),
        life: Duration,
    ) -> Result<(), Error> {
        let values = named! {
            user_id: user.0,
            state,
            expires_at: to_db(self.now() + life),
            kind: kind.name(),
            verifier_key_id: verifier.map(|sealed| sealed.key.id.0),
            master_key: verifier.map(|sealed| sealed.key.master.clone()),
            sealed_key: verifier.map(|sealed| sealed.key.sealed.clone()),
            sealed_verifier: verifier.map(|sealed| sealed.secret.clone()),
        };
        self.execute(ASK, values).await.map(drop)
    }

    /// Takes the person's open question, if `state` is its.
    pub async fn take(&self, user: UserId, state: &str) -> Result<Option<KeptQuestion>, Error> {
        let values = named! { user_id: user.0, state, now: self.at() };
        let taken = self.row::<Row>(TAKE, values).await?;
        Ok(taken.and_then(|row| match Kind::parse(&row.kind)? {
            Kind::Demo => Some(KeptQuestion::Demo),
            Kind::Google => row.verifier().map(KeptQuestion::Google),
            Kind::Caldav | Kind::Provider | Kind::Ics => None,
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
