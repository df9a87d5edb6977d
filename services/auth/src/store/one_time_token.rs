//! Tokens that set a password once.

use caller::UserId;
use database::{named, to_db};
use jiff::Timestamp;

use super::{Tx, account};
use crate::{
    Error,
    domain::{account::Account, one_time_token::OneTimeTokenHash},
};

const ADD: &str = "INSERT INTO one_time_token (hash, account_id, created_at, expires_at)
    VALUES (:hash, :account_id, :created_at, :expires_at)";
const FORGET_EXPIRED: &str =
    "DELETE FROM one_time_token WHERE account_id = :account_id AND expires_at <= :now";
const OWNER: &str = "SELECT id, email, name, admin, password_hash FROM account
    JOIN one_time_token ON account_id = id WHERE hash = :hash AND spent_at IS NULL AND expires_at > :now";
const SPEND: &str = "UPDATE one_time_token SET spent_at = :now
    WHERE hash = :hash AND spent_at IS NULL AND expires_at > :now";
const SPEND_SIBLINGS: &str = "UPDATE one_time_token SET spent_at = :now
    WHERE account_id = :account_id AND spent_at IS NULL";

impl Tx {
    /// Keeps a new token of a person until `expires_at`.
    pub async fn add_one_time_token(
        &self,
        hash: OneTimeTokenHash,
        person: UserId,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let now = to_db(now);
        self.execute(FORGET_EXPIRED, named! { account_id: person.0, now }).await?;
        let values = named! {
            hash: hash.0.to_vec(),
            account_id: person.0,
            created_at: now,
            expires_at: to_db(expires_at),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Whose token it is, while it can be spent.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn token_owner(&self, hash: OneTimeTokenHash, now: Timestamp) -> Result<Account, Error> {
        let values = named! { hash: hash.0.to_vec(), now: to_db(now) };
        self.one::<account::Row, _>(OWNER, values).await?.ok_or(Error::TokenSpent)
    }

    /// Spends every token of a person.
    pub async fn spend_tokens_of(&self, person: UserId, now: Timestamp) -> Result<(), Error> {
        self.execute(SPEND_SIBLINGS, named! { account_id: person.0, now: to_db(now) }).await.map(drop)
    }

    /// Spends a token, and with it every other of its owner.
    ///
    /// # Errors
    /// [`Error::TokenSpent`] if the token is unknown or was used in the meantime.
    pub async fn spend_token(
        &self,
        hash: OneTimeTokenHash,
        owner: UserId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let now = to_db(now);
        if self.execute(SPEND, named! { hash: hash.0.to_vec(), now }).await? != 1 {
            return Err(Error::TokenSpent);
        }
        self.execute(SPEND_SIBLINGS, named! { account_id: owner.0, now }).await.map(drop)
    }
}
