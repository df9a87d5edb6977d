//! Accounts and their passwords.

use boot::postgres::{constraint, to_db};
use caller::UserId;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    Error,
    domain::{account::Account, email::Email, password::PasswordHash},
};

pub(super) const BY_EMAIL: &str =
    "SELECT id, email, name, admin, password_hash FROM account WHERE email = $1";
pub(super) const BY_ID: &str = "SELECT id, email, name, admin, password_hash FROM account WHERE id = $1";
const ADD: &str = "INSERT INTO account (id, email, name, admin, password_hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT account_email DO NOTHING";
const MAKE_ADMIN: &str = "UPDATE account SET admin = true WHERE id = $1";
const SET_PASSWORD: &str = "UPDATE account SET password_hash = $2 WHERE id = $1";
const REHASH: &str = "UPDATE account SET password_hash = $3 WHERE id = $1 AND password_hash = $2";

/// An account and what proves that a person is its owner.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// Its password; none until one was set by a link.
    pub password: Option<PasswordHash>,
}

/// An account to add.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// The account.
    pub account: Account,
    /// Its password, unless a link is to set it.
    pub password: Option<PasswordHash>,
    /// When it is added.
    pub created_at: Timestamp,
}

#[derive(FromQueryResult)]
pub(super) struct Row {
    id: Uuid,
    email: String,
    name: String,
    admin: bool,
    password_hash: Option<String>,
}

impl TryFrom<Row> for Credentials {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let password = row.password_hash.as_deref().map(PasswordHash::parse).transpose();
        let account = Account {
            id: UserId(row.id),
            email: Email::parse(&row.email).map_err(|_| Error::Stored("e-mail"))?,
            name: row.name,
            admin: row.admin,
        };
        Ok(Self { account, password: password.map_err(|_| Error::Stored("password hash"))? })
    }
}

impl TryFrom<Row> for Account {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Credentials::try_from(row).map(|credentials| credentials.account)
    }
}

impl Tx {
    /// The account with this e-mail.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn credentials(&self, email: &Email) -> Result<Option<Credentials>, Error> {
        self.one::<Row, _>(BY_EMAIL, [email.as_str().into()]).await
    }

    /// An account.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn account(&self, id: UserId) -> Result<Account, Error> {
        self.one::<Row, _>(BY_ID, [id.0.into()]).await?.ok_or(Error::NotFound("account"))
    }

    /// Adds an account; `false` when the e-mail has one already.
    ///
    /// # Errors
    /// [`Error::IdTaken`].
    pub async fn add_account(&self, new: &NewAccount) -> Result<bool, Error> {
        let NewAccount { account, password, created_at } = new;
        let values = [
            account.id.0.into(),
            account.email.as_str().into(),
            account.name.as_str().into(),
            account.admin.into(),
            password.as_ref().map(PasswordHash::expose).into(),
            to_db(*created_at).into(),
        ];
        let added = self.sql.execute_raw(statement(ADD, values)).await;
        let added = added.map_err(|error| match constraint(&error).as_deref() {
            Some("account_pkey") => Error::IdTaken,
            _ => error.into(),
        })?;
        Ok(added.rows_affected() == 1)
    }

    /// Lets a person run the installation.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn make_admin(&self, id: UserId) -> Result<(), Error> {
        self.execute(MAKE_ADMIN, [id.0.into()]).await.map(drop)
    }

    /// Sets a password, and keeps the account for this transaction.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn set_password(&self, id: UserId, hash: &PasswordHash) -> Result<(), Error> {
        self.execute(SET_PASSWORD, [id.0.into(), hash.expose().into()]).await.map(drop)
    }

    /// Stores the same password under better parameters, unless another was set meanwhile.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn rehash(&self, id: UserId, from: &PasswordHash, to: &PasswordHash) -> Result<(), Error> {
        self.execute(REHASH, [id.0.into(), from.expose().into(), to.expose().into()]).await.map(drop)
    }
}
