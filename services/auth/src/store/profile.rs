//! What a person's own page shows.

use caller::UserId;
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{Error, domain::email::Email};

const PROFILE: &str = "SELECT email_verified_at IS NOT NULL AS email_verified,
        password_hash IS NOT NULL AS has_password, created_at, disabled_at IS NOT NULL AS disabled,
        (SELECT email_proof.email FROM email_proof WHERE account_id = account.id
            AND email_proof.email <> account.email AND expires_at > :now
            ORDER BY created_at DESC LIMIT 1) AS new_email
    FROM account WHERE id = :id";
const NAMES: &str = "SELECT id, name FROM account WHERE id = ANY(:ids::uuid[]) ORDER BY id";
const RENAME: &str = "UPDATE account SET name = :name WHERE id = :id";
const NAME_WITHOUT_PASSWORD: &str =
    "UPDATE account SET name = :name WHERE id = :id AND password_hash IS NULL";

/// What there is to know of an account beside its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Whether the person has proved the address.
    pub email_verified: bool,
    /// Whether the person can sign in with a password.
    pub has_password: bool,
    /// An address that waits for its proof.
    pub new_email: Option<Email>,
    /// Since when there is the account.
    pub created_at: Timestamp,
    /// Whether it is shut out.
    pub disabled: bool,
}

#[derive(FromQueryResult)]
struct Row {
    email_verified: bool,
    has_password: bool,
    new_email: Option<String>,
    created_at: DateTimeUtc,
    disabled: bool,
}

#[derive(FromQueryResult)]
struct NameRow {
    id: Uuid,
    name: String,
}

impl TryFrom<Row> for Profile {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let new_email = row.new_email.as_deref().map(Email::parse).transpose();
        Ok(Self {
            email_verified: row.email_verified,
            has_password: row.has_password,
            new_email: new_email.map_err(|_| Error::Stored("e-mail"))?,
            created_at: from_db(row.created_at),
            disabled: row.disabled,
        })
    }
}

impl Tx {
    /// What there is to know of an account.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn profile(&self, person: UserId, now: Timestamp) -> Result<Profile, Error> {
        let values = named! { id: person.0, now: to_db(now) };
        self.one::<Row, _>(PROFILE, values).await?.ok_or(Error::NotFound("account"))
    }

    /// What some accounts are called; one without an account has no line.
    pub async fn account_names(&self, people: &[UserId]) -> Result<Vec<(UserId, String)>, Error> {
        let ids: Vec<Uuid> = people.iter().map(|person| person.0).collect();
        let rows = self.rows::<NameRow>(NAMES, named! { ids }).await?;
        Ok(rows.into_iter().map(|row| (UserId(row.id), row.name)).collect())
    }

    /// Changes how a person is called.
    pub async fn rename(&self, person: UserId, name: &str) -> Result<(), Error> {
        self.execute(RENAME, named! { id: person.0, name }).await.map(drop)
    }

    /// Names the person of an account that has no password yet.
    pub async fn name_without_password(&self, person: UserId, name: &str) -> Result<(), Error> {
        self.execute(NAME_WITHOUT_PASSWORD, named! { id: person.0, name }).await.map(drop)
    }
}
