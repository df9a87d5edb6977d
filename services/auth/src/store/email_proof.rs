//! Links that prove an address: of a new account, or a changed one.

use caller::UserId;
use database::{constraint, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        email::Email,
        one_time_token::{EMAIL_LIFE, OneTimeTokenHash},
    },
};

const ADD: &str = "INSERT INTO email_proof (hash, account_id, email, created_at, expires_at)
    VALUES (:hash, :account_id, :email, :created_at, :expires_at)";
const FORGET_EXPIRED: &str = "DELETE FROM email_proof WHERE account_id = :account_id AND expires_at <= :now";
const TAKE: &str = "DELETE FROM email_proof WHERE hash = :hash AND expires_at > :now
    RETURNING account_id, email";
const FORGET_CHANGE: &str = "DELETE FROM email_proof USING account
    WHERE account_id = :account_id AND account.id = account_id AND email_proof.email <> account.email";
const FORGET_OWN: &str = "DELETE FROM email_proof USING account
    WHERE account_id = :account_id AND account.id = account_id AND email_proof.email = account.email";
const FORGET_ALL: &str = "DELETE FROM email_proof WHERE account_id = :account_id";
const CHANGE: &str = "UPDATE account SET email = :email, email_verified_at = :now WHERE id = :id";

/// A pending proof that an address belongs to a person.
#[derive(Debug, Clone)]
pub struct EmailProof {
    /// Whose account it is about.
    pub person: UserId,
    /// The address.
    pub email: Email,
}

#[derive(FromQueryResult)]
struct Row {
    account_id: Uuid,
    email: String,
}

impl TryFrom<Row> for EmailProof {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            person: UserId(row.account_id),
            email: Email::parse(&row.email).map_err(|_| Error::Stored("e-mail"))?,
        })
    }
}

impl Tx {
    /// Keeps what a link proves, beside those that were mailed before: to one address, each proves
    /// the same.
    pub async fn add_email_proof(
        &self,
        hash: OneTimeTokenHash,
        EmailProof { person, email }: &EmailProof,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.execute(FORGET_EXPIRED, named! { account_id: person.0, now: to_db(now) }).await?;
        let values = named! {
            hash: hash.0.to_vec(),
            account_id: person.0,
            email: email.as_str(),
            created_at: to_db(now),
            expires_at: to_db(now + EMAIL_LIFE),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Spends a link.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn take_email_proof(
        &self,
        hash: OneTimeTokenHash,
        now: Timestamp,
    ) -> Result<EmailProof, Error> {
        let values = named! { hash: hash.0.to_vec(), now: to_db(now) };
        self.one::<Row, _>(TAKE, values).await?.ok_or(Error::TokenSpent)
    }

    /// Forgets the change of address a person asked for; `false` when there was none. The links
    /// that prove the address the account has stay.
    pub async fn forget_email_change_of(&self, person: UserId) -> Result<bool, Error> {
        Ok(self.execute(FORGET_CHANGE, named! { account_id: person.0 }).await? > 0)
    }

    /// Forgets the links that prove the address an account has.
    pub async fn forget_own_email_proofs_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(FORGET_OWN, named! { account_id: person.0 }).await.map(drop)
    }

    /// Forgets every link of a person.
    pub async fn forget_email_proofs_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(FORGET_ALL, named! { account_id: person.0 }).await.map(drop)
    }

    /// Gives an account another, proved address.
    ///
    /// # Errors
    /// [`Error::EmailTaken`].
    pub async fn change_email(&self, person: UserId, email: &Email, now: Timestamp) -> Result<(), Error> {
        let values = named! { id: person.0, email: email.as_str(), now: to_db(now) };
        let changed = self.try_execute(CHANGE, values).await;
        changed.map(drop).map_err(|error| match constraint(&error).as_deref() {
            Some("account_email") => Error::EmailTaken,
            _ => error.into(),
        })
    }
}
