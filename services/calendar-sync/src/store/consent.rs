//! People's consents: of no business.

use core::{ops::Deref, time::Duration};

use caller::UserId;
use database::{named, to_db};

use super::Store;
use crate::error::Error;

const ASK: &str = "INSERT INTO consent_request (user_id, state_hash, expires_at)
    VALUES (:user_id, sha256(convert_to(:state, 'UTF8')), :expires_at)
    ON CONFLICT (user_id) DO UPDATE SET state_hash = excluded.state_hash, expires_at = excluded.expires_at";
const TAKE: &str = "DELETE FROM consent_request WHERE user_id = :user_id
    AND state_hash = sha256(convert_to(:state, 'UTF8')) AND expires_at > :now";
const GRANT: &str = "INSERT INTO consent (user_id, granted_at) VALUES (:user_id, :now)
    ON CONFLICT (user_id) DO UPDATE SET granted_at = excluded.granted_at";
const WITHDRAW: &str = "DELETE FROM consent WHERE user_id = :user_id";
const GRANTED: &str = "SELECT user_id FROM consent WHERE user_id = :user_id";

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
    pub async fn ask(&self, user: UserId, state: &str, life: Duration) -> Result<(), Error> {
        let expires_at = to_db(self.now() + life);
        self.execute(ASK, named! { user_id: user.0, state, expires_at }).await.map(drop)
    }

    /// Takes the person's open question; says whether `state` is its.
    pub async fn take(&self, user: UserId, state: &str) -> Result<bool, Error> {
        Ok(self.execute(TAKE, named! { user_id: user.0, state, now: self.at() }).await? == 1)
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
