//! Invitations to businesses. They are found by their token, which belongs to no session, so
//! row-level security does not keep them: each statement of a business names it.

use caller::{BusinessId, UserId};
use database::{from_db, to_db};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    Error,
    domain::{
        account::MemberRole,
        email::Email,
        one_time_token::{INVITATION_LIFE, OneTimeTokenHash},
    },
};

const INVITE: &str = "INSERT INTO invitation
        (id, business_id, email, role, hash, invited_by, invited_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT ON CONSTRAINT invitation_address DO UPDATE SET
        id = EXCLUDED.id, role = EXCLUDED.role, hash = EXCLUDED.hash, invited_by = EXCLUDED.invited_by,
        invited_at = EXCLUDED.invited_at, expires_at = EXCLUDED.expires_at";
const FIND: &str = "SELECT invitation.id, business_id, email, role, invited_by, invited_at, expires_at,
        COALESCE(known.name, '') AS business_name
    FROM invitation LEFT JOIN business_name AS known USING (business_id)
    WHERE hash = $1 AND expires_at > $2";
const TAKE: &str = "DELETE FROM invitation WHERE hash = $1 AND expires_at > $2
    RETURNING id, business_id, email, role, invited_by, invited_at, expires_at, '' AS business_name";
const OF_BUSINESS: &str = "SELECT id, business_id, email, role, invited_by, invited_at, expires_at,
        '' AS business_name
    FROM invitation WHERE business_id = $1 AND (invited_at, id) < ($2, $3)
    ORDER BY invited_at DESC, id DESC LIMIT $4";
const WITHDRAW: &str = "DELETE FROM invitation WHERE business_id = $1 AND id = $2 RETURNING email";
const WITHDRAW_SENT: &str = "DELETE FROM invitation WHERE business_id = $1 AND invited_by = $2
    AND NOT EXISTS (SELECT FROM account WHERE id = $2 AND admin)";
const WITHDRAW_ALL_SENT: &str = "DELETE FROM invitation WHERE invited_by = $1";
const BUSINESS_NAME: &str = "SELECT name FROM business_name WHERE business_id = $1";

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
    /// By whom, when it was a person.
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
        role: MemberRole,
        inviter: Option<UserId>,
        hash: OneTimeTokenHash,
        now: Timestamp,
    ) -> Result<Invitation, Error> {
        let (id, expires_at) = (self.new_id(), now + INVITATION_LIFE);
        let values = [
            id.into(),
            business.0.into(),
            email.as_str().into(),
            role.as_str().into(),
            hash.0.to_vec().into(),
            inviter.map(|inviter| inviter.0).into(),
            to_db(now).into(),
            to_db(expires_at).into(),
        ];
        self.execute(INVITE, values).await?;
        let (email, business_name) = (email.clone(), self.business_name(business).await?);
        let (invited_by, invited_at) = (inviter, now);
        Ok(Invitation { id, business, business_name, email, role, invited_by, invited_at, expires_at })
    }

    /// The invitation of a token that works still.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn invitation(&self, hash: OneTimeTokenHash, now: Timestamp) -> Result<Invitation, Error> {
        let values = [hash.0.to_vec().into(), to_db(now).into()];
        self.one::<Row, _>(FIND, values).await?.ok_or(Error::TokenSpent)
    }

    /// Spends a token; of two at once, the second finds it spent.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn take_invitation(&self, hash: OneTimeTokenHash, now: Timestamp) -> Result<Invitation, Error> {
        let values = [hash.0.to_vec().into(), to_db(now).into()];
        self.one::<Row, _>(TAKE, values).await?.ok_or(Error::TokenSpent)
    }

    /// Invitations to a business, the latest first, `limit` of them from before a place.
    pub async fn invitations(
        &self,
        business: BusinessId,
        before: InvitationPlace,
        limit: u32,
    ) -> Result<Vec<Invitation>, Error> {
        let values = [business.0.into(), to_db(before.at).into(), before.id.into(), i64::from(limit).into()];
        self.all::<Row, _>(OF_BUSINESS, values).await
    }

    /// Withdraws an invitation; the address it was for.
    ///
    /// # Errors
    /// [`Error::NotFound`], also when it is another business's.
    pub async fn withdraw_invitation(&self, business: BusinessId, id: Uuid) -> Result<Email, Error> {
        let row =
            self.open().await?.query_one_raw(statement(WITHDRAW, [business.0.into(), id.into()])).await?;
        let email: String = row.ok_or(Error::NotFound("invitation"))?.try_get("", "email")?;
        Email::parse(&email).map_err(|_| Error::Stored("e-mail"))
    }

    /// Withdraws what a person sent who may invite there no more; an ADMIN may everywhere.
    pub async fn withdraw_invitations_of(&self, business: BusinessId, person: UserId) -> Result<(), Error> {
        self.execute(WITHDRAW_SENT, [business.0.into(), person.0.into()]).await.map(drop)
    }

    /// Withdraws what a person sent, wherever it was.
    pub async fn withdraw_all_invitations_of(&self, person: UserId) -> Result<(), Error> {
        self.execute(WITHDRAW_ALL_SENT, [person.0.into()]).await.map(drop)
    }

    async fn business_name(&self, business: BusinessId) -> Result<String, Error> {
        let row = self.open().await?.query_one_raw(statement(BUSINESS_NAME, [business.0.into()])).await?;
        Ok(row.map(|row| row.try_get("", "name")).transpose()?.unwrap_or_default())
    }
}
