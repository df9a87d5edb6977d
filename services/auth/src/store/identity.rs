//! Identities: whose account a provider's person has.

use caller::UserId;
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        email::Email,
        identity::{Holder, IdentityId, Vouched},
    },
};

pub(super) const OWNER: &str =
    "SELECT account_id FROM identity WHERE issuer = :issuer AND subject = :subject";
const ID: &str = "SELECT id FROM identity WHERE issuer = :issuer AND subject = :subject";
// Kept locked, so that of two changes to what an account signs in with the second sees the first.
const HOLDER: &str = "SELECT id AS account_id, email_verified_at IS NOT NULL AS verified
    FROM account WHERE email = :email FOR UPDATE";
const ADD: &str = "INSERT INTO identity (id, account_id, issuer, subject, email, connected_at)
    VALUES (:id, :account_id, :issuer, :subject, :email, :connected_at)
    ON CONFLICT ON CONSTRAINT identity_subject DO NOTHING";
const TOLD: &str = "UPDATE identity SET email = :email
    WHERE issuer = :issuer AND subject = :subject AND email <> :email";
const OF_PERSON: &str = "SELECT id, email, connected_at FROM identity WHERE account_id = :account_id
    ORDER BY connected_at, id";
const REMOVE: &str = "DELETE FROM identity WHERE id = :id AND account_id = :account_id";
const REMOVE_ALL: &str = "DELETE FROM identity WHERE account_id = :account_id";

/// A provider's account that signs a person in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its id with us.
    pub id: IdentityId,
    /// As the provider last told it.
    pub email: Email,
    /// Since when.
    pub connected_at: Timestamp,
}

#[derive(FromQueryResult)]
struct HolderRow {
    account_id: Uuid,
    verified: bool,
}

impl TryFrom<HolderRow> for Holder {
    type Error = Error;
    fn try_from(row: HolderRow) -> Result<Self, Error> {
        Ok(Self { person: UserId(row.account_id), verified: row.verified })
    }
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    email: String,
    connected_at: DateTimeUtc,
}

impl TryFrom<Row> for Identity {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let email = Email::parse(&row.email).map_err(|_| Error::Stored("e-mail"))?;
        Ok(Self { id: IdentityId(row.id), email, connected_at: from_db(row.connected_at) })
    }
}

impl Tx {
    /// Whose account an issuer's person has.
    pub async fn identity_owner(&self, vouched: &Vouched) -> Result<Option<UserId>, Error> {
        Ok(self.value(OWNER, subject(vouched)).await?.map(UserId))
    }

    /// The identity an issuer's person has with us.
    pub async fn identity_id(&self, vouched: &Vouched) -> Result<Option<IdentityId>, Error> {
        Ok(self.value(ID, subject(vouched)).await?.map(IdentityId))
    }

    /// Who has an e-mail; kept until this transaction ends.
    pub async fn holder(&self, email: &Email) -> Result<Option<Holder>, Error> {
        self.one::<HolderRow, _>(HOLDER, named! { email: email.as_str() }).await
    }

    /// Connects an identity; `false` if it is already connected, to this or another account.
    pub async fn add_identity(
        &self,
        person: UserId,
        vouched: &Vouched,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let values = named! {
            id: self.new_id(),
            account_id: person.0,
            email: vouched.email.as_str(),
            connected_at: to_db(now),
        };
        Ok(self.execute(ADD, subject(vouched).and(values)).await? == 1)
    }

    /// Keeps the e-mail an issuer tells of its person today.
    pub async fn identity_told(&self, vouched: &Vouched) -> Result<(), Error> {
        let told = named! { email: vouched.email.as_str() };
        self.execute(TOLD, subject(vouched).and(told)).await.map(drop)
    }

    /// A person's identities, the first connected first.
    pub async fn identities(&self, person: UserId) -> Result<Vec<Identity>, Error> {
        self.all::<Row, _>(OF_PERSON, named! { account_id: person.0 }).await
    }

    /// Disconnects an identity of a person.
    ///
    /// # Errors
    /// [`Error::NotFound`], also when it is another person's.
    pub async fn remove_identity(&self, id: IdentityId, person: UserId) -> Result<(), Error> {
        match self.execute(REMOVE, named! { id: id.0, account_id: person.0 }).await? {
            0 => Err(Error::NotFound("identity")),
            _ => Ok(()),
        }
    }

    /// Disconnects every identity of a person.
    pub async fn remove_identities_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(REMOVE_ALL, named! { account_id: person.0 }).await.map(drop)
    }
}

/// What an identity is found by.
fn subject(vouched: &Vouched) -> Named {
    named! { issuer: vouched.issuer.as_str(), subject: vouched.subject.as_str() }
}
