//! Invitations to businesses. They are found by their token, which belongs to no session, so
//! row-level security does not keep them: each statement of a business names it.

use caller::{BusinessId, UserId};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        account::MemberRole,
        email::Email,
        one_time_token::{INVITATION_LIFE, OneTimeTokenHash},
    },
};

const INVITE: &str = "INSERT INTO invitation
        (id, business_id, email, role, employee_id, hash, invited_by, invited_at, expires_at)
    VALUES (:id, :business_id, :email, :role, :employee_id, :hash, :invited_by, :invited_at, :expires_at)
    ON CONFLICT ON CONSTRAINT invitation_address DO UPDATE SET
        id = EXCLUDED.id, role = EXCLUDED.role, employee_id = EXCLUDED.employee_id, hash = EXCLUDED.hash, invited_by = EXCLUDED.invited_by,
        invited_at = EXCLUDED.invited_at, expires_at = EXCLUDED.expires_at";
const FIND: &str =
    "SELECT invitation.id, business_id, email, role, employee_id, invited_by, invited_at, expires_at,
        COALESCE(known.name, '') AS business_name
    FROM invitation LEFT JOIN business_name AS known USING (business_id)
    WHERE hash = :hash AND expires_at > :now";
const TAKE: &str = "DELETE FROM invitation WHERE hash = :hash AND expires_at > :now
    RETURNING id, business_id, email, role, employee_id, invited_by, invited_at, expires_at, '' AS business_name";
const OF_BUSINESS: &str =
    "SELECT id, business_id, email, role, employee_id, invited_by, invited_at, expires_at,
        '' AS business_name
    FROM invitation WHERE business_id = :business_id AND (invited_at, id) < (:before_at, :before_id)
    ORDER BY invited_at DESC, id DESC LIMIT :limit";
const OPEN: &str = "SELECT id, business_id, email, role, employee_id, invited_by, invited_at, expires_at,
        '' AS business_name
    FROM invitation WHERE business_id = :business_id AND email = :email AND expires_at > :now";
const WITHDRAW: &str = "DELETE FROM invitation WHERE business_id = :business_id AND id = :id RETURNING email";
const WITHDRAW_SENT: &str = "DELETE FROM invitation
    WHERE business_id = :business_id AND invited_by = :invited_by
    AND NOT EXISTS (SELECT FROM account WHERE id = :invited_by AND admin)";
const WITHDRAW_ALL_SENT: &str = "DELETE FROM invitation WHERE invited_by = :invited_by";
const BUSINESS_NAME: &str = "SELECT name FROM business_name WHERE business_id = :business_id";

/// An invitation that is neither accepted nor withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: Uuid,
    /// To where.
    pub business: BusinessId,
    /// Empty until the name has arrived.
    pub business_name: String,
    /// Whom.
    pub email: Email,
    /// As what.
    pub role: MemberRole,
    /// The employee who is to sign in with the account that accepts it.
    pub employee: Option<Uuid>,
    /// By whom; `None` for an early one of a service.
    pub invited_by: Option<UserId>,
    /// Since when.
    pub invited_at: Timestamp,
    /// Until when its link works.
    pub expires_at: Timestamp,
}

/// Where a page of invitations begins: before the one of this time and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationPlace {
    /// The time.
    pub at: Timestamp,
    /// The id.
    pub id: Uuid,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    business_id: Uuid,
    business_name: String,
    email: String,
    role: String,
    employee_id: Option<Uuid>,
    invited_by: Option<Uuid>,
    invited_at: DateTimeUtc,
    expires_at: DateTimeUtc,
}

impl TryFrom<Row> for Invitation {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id,
            business: BusinessId(row.business_id),
            business_name: row.business_name,
            email: Email::parse(&row.email).map_err(|_| Error::Stored("e-mail"))?,
            role: MemberRole::parse(&row.role).map_err(|_| Error::Stored("role"))?,
            employee: row.employee_id,
            invited_by: row.invited_by.map(UserId),
            invited_at: from_db(row.invited_at),
            expires_at: from_db(row.expires_at),
        })
    }
}

impl Tx {
    /// Creates an invitation, replacing an earlier one of the same address to the same business.
    pub async fn invite(
        &self,
        business: BusinessId,
        email: &Email,
        (role, employee): (MemberRole, Option<Uuid>),
        inviter: UserId,
        hash: OneTimeTokenHash,
        now: Timestamp,
    ) -> Result<Invitation, Error> {
        let (id, expires_at) = (self.new_id(), now + INVITATION_LIFE);
        let values = named! {
            id,
            business_id: business.0,
            email: email.as_str(),
            role: role.as_str(),
            employee_id: employee,
            hash: hash.0.to_vec(),
            invited_by: inviter.0,
            invited_at: to_db(now),
            expires_at: to_db(expires_at),
        };
        self.execute(INVITE, values).await?;
        let (email, business_name) = (email.clone(), self.business_name(business).await?);
        let (invited_by, invited_at) = (Some(inviter), now);
        Ok(Invitation {
            id,
            business,
            business_name,
            email,
            role,
            employee,
            invited_by,
            invited_at,
            expires_at,
        })
    }

    /// The invitation of an address to a business, if its link works still.
    pub async fn open_invitation(
        &self,
        business: BusinessId,
        email: &Email,
        now: Timestamp,
    ) -> Result<Option<Invitation>, Error> {
        let values = named! { business_id: business.0, email: email.as_str(), now: to_db(now) };
        self.one::<Row, _>(OPEN, values).await
    }

    /// The invitation of a token that works still.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn invitation(&self, hash: OneTimeTokenHash, now: Timestamp) -> Result<Invitation, Error> {
        let values = named! { hash: hash.0.to_vec(), now: to_db(now) };
        self.one::<Row, _>(FIND, values).await?.ok_or(Error::TokenSpent)
    }

    /// Spends a token; of two at once, the second finds it spent.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn take_invitation(&self, hash: OneTimeTokenHash, now: Timestamp) -> Result<Invitation, Error> {
        let values = named! { hash: hash.0.to_vec(), now: to_db(now) };
        self.one::<Row, _>(TAKE, values).await?.ok_or(Error::TokenSpent)
    }

    /// Invitations to a business, the latest first, `limit` of them from before a place.
    pub async fn invitations(
        &self,
        business: BusinessId,
        before: InvitationPlace,
        limit: u32,
    ) -> Result<Vec<Invitation>, Error> {
        let values = named! {
            business_id: business.0,
            before_at: to_db(before.at),
            before_id: before.id,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(OF_BUSINESS, values).await
    }

    /// Withdraws an invitation; the address it was for.
    ///
    /// # Errors
    /// [`Error::NotFound`], also when it is another business's.
    pub async fn withdraw_invitation(&self, business: BusinessId, id: Uuid) -> Result<Email, Error> {
        let email: Option<String> = self.value(WITHDRAW, named! { business_id: business.0, id }).await?;
        let email = email.ok_or(Error::NotFound("invitation"))?;
        Email::parse(&email).map_err(|_| Error::Stored("e-mail"))
    }

    /// Withdraws what a person sent who may invite there no more; an ADMIN may everywhere.
    pub async fn withdraw_invitations_of(&self, business: BusinessId, person: UserId) -> Result<(), Error> {
        self.execute(WITHDRAW_SENT, named! { business_id: business.0, invited_by: person.0 }).await.map(drop)
    }

    /// Withdraws what a person sent, wherever it was.
    pub async fn withdraw_all_invitations_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(WITHDRAW_ALL_SENT, named! { invited_by: person.0 }).await.map(drop)
    }

    async fn business_name(&self, business: BusinessId) -> Result<String, Error> {
        let name = self.value(BUSINESS_NAME, named! { business_id: business.0 }).await?;
        Ok(name.unwrap_or_default())
    }
}
