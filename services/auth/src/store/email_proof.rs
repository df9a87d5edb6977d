//! Links that prove an address: of a new account, or a changed one.

use boot::postgres::{constraint, to_db};
use caller::UserId;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    Error,
    domain::{
        account::Claim,
        email::Email,
        one_time_token::{EMAIL_LIFE, OneTimeTokenHash},
        password::PasswordHash,
    },
};

const ADD: &str =
    "INSERT INTO email_proof (hash, account_id, email, name, password_hash, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const REPLACE: &str = "DELETE FROM email_proof
    WHERE account_id = $1 AND password_hash IS NOT DISTINCT FROM $2";
const FORGET_EXPIRED: &str = "DELETE FROM email_proof WHERE account_id = $1 AND expires_at <= $2";
const TAKE: &str = "DELETE FROM email_proof WHERE hash = $1 AND expires_at > $2
    RETURNING account_id, email, name, password_hash";
const FORGET_CHANGE: &str = "DELETE FROM email_proof USING account
    WHERE account_id = $1 AND account.id = account_id AND email_proof.email <> account.email";
const FORGET_ALL: &str = "DELETE FROM email_proof WHERE account_id = $1";
const CHANGE: &str = "UPDATE account SET email = $2, email_verified_at = $3 WHERE id = $1";

/// An address somebody says is theirs.
#[derive(Debug, Clone)]
pub struct EmailProof {
    /// Whose account it is about.
    pub person: UserId,
    /// The address.
    pub email: Email,
    /// What they registered with, if that is what they did.
    pub claim: Option<Claim>,
}

#[derive(FromQueryResult)]
struct Row {
    account_id: Uuid,
    email: String,
    name: Option<String>,
    password_hash: Option<String>,
}

impl TryFrom<Row> for EmailProof {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let password = row.password_hash.as_deref().map(PasswordHash::parse).transpose();
        let password = password.map_err(|_| Error::Stored("password hash"))?;
        Ok(Self {
            person: UserId(row.account_id),
            email: Email::parse(&row.email).map_err(|_| Error::Stored("e-mail"))?,
            claim: row.name.zip(password).map(|(name, password)| Claim { name, password }),
        })
    }
}

impl Tx {
    /// Keeps what a link proves. One that was mailed because somebody asked again, for a change or
    /// the same registration, replaces the one before; those of registrations stand beside each
    /// other, each for its own password.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn add_email_proof(
        &self,
        hash: OneTimeTokenHash,
        proof: &EmailProof,
        now: Timestamp,
    ) -> Result<(), Error> {
        let EmailProof { person, email, claim } = proof;
        let password = claim.as_ref().map(|claim| claim.password.expose());
        self.execute(FORGET_EXPIRED, [person.0.into(), to_db(now).into()]).await?;
        self.execute(REPLACE, [person.0.into(), password.into()]).await?;
        let values = [
            hash.0.to_vec().into(),
            person.0.into(),
            email.as_str().into(),
            claim.as_ref().map(|claim| claim.name.as_str()).into(),
            password.into(),
            to_db(now).into(),
            to_db(now + EMAIL_LIFE).into(),
        ];
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
        let values = [hash.0.to_vec().into(), to_db(now).into()];
        self.one::<Row, _>(TAKE, values).await?.ok_or(Error::TokenSpent)
    }

    /// Forgets the change of address a person asked for; the links that prove the address the
    /// account has stay.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn forget_email_change_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(FORGET_CHANGE, [person.0.into()]).await.map(drop)
    }

    /// Forgets the links that would set a password its person has replaced.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn forget_email_proofs_with(
        &self,
        person: UserId,
        password: &PasswordHash,
    ) -> Result<(), Error> {
        self.execute(REPLACE, [person.0.into(), password.expose().into()]).await.map(drop)
    }

    /// Forgets every link of a person.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn forget_email_proofs_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(FORGET_ALL, [person.0.into()]).await.map(drop)
    }

    /// Gives an account another, proved address.
    ///
    /// # Errors
    /// [`Error::EmailTaken`].
    pub async fn change_email(&self, person: UserId, email: &Email, now: Timestamp) -> Result<(), Error> {
        let values = [person.0.into(), email.as_str().into(), to_db(now).into()];
        let changed = self.sql.execute_raw(statement(CHANGE, values)).await;
        changed.map(drop).map_err(|error| match constraint(&error).as_deref() {
            Some("account_email") => Error::EmailTaken,
            _ => error.into(),
        })
    }
}
