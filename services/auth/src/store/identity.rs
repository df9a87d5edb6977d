//! Identities: whose account a provider's person has.

use caller::UserId;
use database::{from_db, to_db};
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

pub(super) const BY_SUBJECT: &str = "SELECT id, account_id FROM identity WHERE issuer = $1 AND subject = $2";
// Kept locked, so that of two changes to what an account signs in with the second sees the first.
const HOLDER: &str = "SELECT id AS account_id, email_verified_at IS NOT NULL AS verified
    FROM account WHERE email = $1 FOR UPDATE";
const ADD: &str = "INSERT INTO identity (id, account_id, issuer, subject, email, connected_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT identity_subject DO NOTHING";
const TOLD: &str = "UPDATE identity SET email = $3 WHERE issuer = $1 AND subject = $2 AND email <> $3";
const OF_PERSON: &str = "SELECT id, email, connected_at FROM identity WHERE account_id = $1
    ORDER BY connected_at, id";
const REMOVE: &str = "DELETE FROM identity WHERE id = $1 AND account_id = $2";
const REMOVE_ALL: &str = "DELETE FROM identity WHERE account_id = $1";

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
struct OwnerRow {
    id: Uuid,
    account_id: Uuid,
}

impl TryFrom<OwnerRow> for UserId {
    type Error = Error;
    fn try_from(row: OwnerRow) -> Result<Self, Error> {
        Ok(Self(row.account_id))
    }
}

impl TryFrom<OwnerRow> for IdentityId {
    type Error = Error;
    fn try_from(row: OwnerRow) -> Result<Self, Error> {
        Ok(Self(row.id))
    }
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
        let values = [vouched.issuer.as_str().into(), vouched.subject.as_str().into()];
        self.one::<OwnerRow, _>(BY_SUBJECT, values).await
    }

    /// The identity an issuer's person has with us.
    pub async fn identity_id(&self, vouched: &Vouched) -> Result<Option<IdentityId>, Error> {
        let values = [vouched.issuer.as_str().into(), vouched.subject.as_str().into()];
        self.one::<OwnerRow, _>(BY_SUBJECT, values).await
    }

    /// Who has an e-mail; kept until this transaction ends.
    pub async fn holder(&self, email: &Email) -> Result<Option<Holder>, Error> {
        self.one::<HolderRow, _>(HOLDER, [email.as_str().into()]).await
    }

    /// Connects an identity; `false` if it is already connected, to this or another account.
    pub async fn add_identity(
        &self,
        person: UserId,
        vouched: &Vouched,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let values = [
            self.new_id().into(),
            person.0.into(),
            vouched.issuer.as_str().into(),
            vouched.subject.as_str().into(),
            vouched.email.as_str().into(),
            to_db(now).into(),
        ];
        Ok(self.execute(ADD, values).await? == 1)
    }

    /// Keeps the e-mail an issuer tells of its person today.
    pub async fn identity_told(&self, vouched: &Vouched) -> Result<(), Error> {
        let Vouched { issuer, subject, email, .. } = vouched;
        let values = [issuer.as_str().into(), subject.as_str().into(), email.as_str().into()];
        self.execute(TOLD, values).await.map(drop)
    }

    /// A person's identities, the first connected first.
    pub async fn identities(&self, person: UserId) -> Result<Vec<Identity>, Error> {
        self.all::<Row, _>(OF_PERSON, [person.0.into()]).await
    }

    /// Disconnects an identity of a person.
    ///
    /// # Errors
    /// [`Error::NotFound`], also when it is another person's.
    pub async fn remove_identity(&self, id: IdentityId, person: UserId) -> Result<(), Error> {
        match self.execute(REMOVE, [id.0.into(), person.0.into()]).await? {
            0 => Err(Error::NotFound("identity")),
            _ => Ok(()),
        }
    }

    /// Disconnects every identity of a person.
    pub async fn remove_identities_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(REMOVE_ALL, [person.0.into()]).await.map(drop)
    }
}
