//! Accounts and their passwords.

use caller::UserId;
use database::{constraint, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{account::Account, email::Email, password::PasswordHash},
};

pub(super) const BY_EMAIL: &str =
    "SELECT id, email, name, admin, password_hash FROM account WHERE email = :email";
pub(super) const BY_ID: &str = "SELECT id, email, name, admin, password_hash FROM account WHERE id = :id";
const ADD: &str = "INSERT INTO account (id, email, name, admin, password_hash, created_at, email_verified_at)
    VALUES (:id, :email, :name, :admin, :password_hash,
        :created_at, CASE WHEN :email_verified THEN :created_at END)
    ON CONFLICT ON CONSTRAINT account_email DO NOTHING";
const MAKE_ADMIN: &str = "UPDATE account SET admin = true WHERE id = :id";
const SET_PASSWORD: &str = "UPDATE account SET password_hash = :password_hash WHERE id = :id";
const VERIFY_EMAIL: &str =
    "UPDATE account SET email_verified_at = :now WHERE id = :id AND email_verified_at IS NULL";
const DROP_PASSWORD: &str = "UPDATE account SET password_hash = NULL WHERE id = :id";
const REPLACE_PASSWORD: &str =
    "UPDATE account SET password_hash = :to WHERE id = :id AND password_hash IS NOT DISTINCT FROM :from";
const KEEP_PASSWORD: &str =
    "SELECT 1 FROM account WHERE id = :id AND password_hash IS NOT DISTINCT FROM :checked FOR UPDATE";
const LOCK_ENABLED: &str = "SELECT id FROM account WHERE id = :id AND disabled_at IS NULL FOR SHARE";
const DISABLE: &str = "UPDATE account SET disabled_at = :now WHERE id = :id AND disabled_at IS NULL";
const ENABLE: &str = "UPDATE account SET disabled_at = NULL WHERE id = :id AND disabled_at IS NOT NULL";
const REHASH: &str = "UPDATE account SET password_hash = :to WHERE id = :id AND password_hash = :from";

/// An account and what proves that a person is its owner.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// Its password; `None` until one is set by a link.
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
    /// Whether the address is known to be the person's.
    pub email_verified: bool,
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
    pub async fn credentials(&self, email: &Email) -> Result<Option<Credentials>, Error> {
        self.one::<Row, _>(BY_EMAIL, named! { email: email.as_str() }).await
    }

    /// An account.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn account(&self, id: UserId) -> Result<Account, Error> {
        self.one::<Row, _>(BY_ID, named! { id: id.0 }).await?.ok_or(Error::NotFound("account"))
    }

    /// Whether an account is there and not disabled, which stays so until this transaction ends.
    pub async fn lock_enabled(&self, id: UserId) -> Result<bool, Error> {
        Ok(self.value::<Uuid>(LOCK_ENABLED, named! { id: id.0 }).await?.is_some())
    }

    /// An account and its password.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn credentials_of(&self, id: UserId) -> Result<Credentials, Error> {
        self.one::<Row, _>(BY_ID, named! { id: id.0 }).await?.ok_or(Error::NotFound("account"))
    }

    /// Adds an account; `false` when the e-mail has one already.
    ///
    /// # Errors
    /// [`Error::IdTaken`].
    pub async fn add_account(&self, new: &NewAccount) -> Result<bool, Error> {
        let NewAccount { account, password, created_at, email_verified } = new;
        let values = named! {
            id: account.id.0,
            email: account.email.as_str(),
            name: account.name.as_str(),
            admin: account.admin,
            password_hash: password.as_ref().map(PasswordHash::expose),
            created_at: to_db(*created_at),
            email_verified: *email_verified,
        };
        let added = self.try_execute(ADD, values).await;
        let added = added.map_err(|error| match constraint(&error).as_deref() {
            Some("account_pkey") => Error::IdTaken,
            _ => error.into(),
        })?;
        Ok(added == 1)
    }

    /// Lets a person run the installation.
    pub async fn make_admin(&self, id: UserId) -> Result<(), Error> {
        self.execute(MAKE_ADMIN, named! { id: id.0 }).await.map(drop)
    }

    /// Sets a password, and keeps the account for this transaction.
    pub async fn set_password(&self, id: UserId, hash: &PasswordHash) -> Result<(), Error> {
        self.execute(SET_PASSWORD, named! { id: id.0, password_hash: hash.expose() }).await.map(drop)
    }

    /// Notes that the address is the person's; `false` when that was known.
    pub async fn verify_email(&self, id: UserId, now: Timestamp) -> Result<bool, Error> {
        Ok(self.execute(VERIFY_EMAIL, named! { id: id.0, now: to_db(now) }).await? == 1)
    }

    /// Leaves an account without a password.
    pub async fn drop_password(&self, id: UserId) -> Result<(), Error> {
        self.execute(DROP_PASSWORD, named! { id: id.0 }).await.map(drop)
    }

    /// Sets a password in place of the one that was checked; `false` when another was set meanwhile.
    pub async fn replace_password(
        &self,
        id: UserId,
        from: Option<&PasswordHash>,
        to: &PasswordHash,
    ) -> Result<bool, Error> {
        let values = named! { id: id.0, from: from.map(PasswordHash::expose), to: to.expose() };
        Ok(self.execute(REPLACE_PASSWORD, values).await? == 1)
    }

    /// Keeps the password that was checked until this transaction ends, and the account with it.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming `current_password` when another was set meanwhile.
    pub async fn keep_password(&self, id: UserId, checked: Option<&PasswordHash>) -> Result<(), Error> {
        let values = named! { id: id.0, checked: checked.map(PasswordHash::expose) };
        match self.execute(KEEP_PASSWORD, values).await? {
            0 => Err(Error::invalid("current_password", "was changed meanwhile")),
            _ => Ok(()),
        }
    }

    /// Shuts a person out; `false` when they are.
    pub async fn disable(&self, id: UserId, now: Timestamp) -> Result<bool, Error> {
        Ok(self.execute(DISABLE, named! { id: id.0, now: to_db(now) }).await? == 1)
    }

    /// Lets a person in again; `false` when they are not shut out.
    pub async fn enable(&self, id: UserId) -> Result<bool, Error> {
        Ok(self.execute(ENABLE, named! { id: id.0 }).await? == 1)
    }

    /// Stores the same password under better parameters, unless another was set meanwhile.
    pub async fn rehash(&self, id: UserId, from: &PasswordHash, to: &PasswordHash) -> Result<(), Error> {
        self.execute(REHASH, named! { id: id.0, from: from.expose(), to: to.expose() }).await.map(drop)
    }
}
