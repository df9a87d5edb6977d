//! Memberships.

use caller::{BusinessId, UserId};
use database::{constraint, named, to_db};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{MembershipChanged, event::Payload};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::account::{MemberRole, Membership},
};

pub(super) const OF_PERSON: &str = "SELECT business_id, role FROM membership
    WHERE account_id = :account_id AND role IS NOT NULL ORDER BY business_id";
const BY_NAME: &str = "SELECT member.business_id, member.role, COALESCE(known.name, '') AS name,
        COALESCE(known.brand_color, '') AS brand_color, COALESCE(known.logo_digest, '') AS logo_digest
    FROM membership AS member LEFT JOIN business_name AS known USING (business_id)
    WHERE member.account_id = :account_id AND member.role IS NOT NULL
      AND (COALESCE(known.name, ''), member.business_id) > (:after_name, :after_id)
    ORDER BY COALESCE(known.name, ''), member.business_id LIMIT :limit";
const ANY_OF: &str = "SELECT 1 FROM membership WHERE business_id = :business_id AND role IS NOT NULL LIMIT 1";
pub(super) const OWNERS: &str = "SELECT b.business_id,
        (SELECT count(*) FROM membership AS member JOIN account ON account.id = member.account_id
            WHERE member.business_id = b.business_id AND member.role = 'OWNER'
                AND account.disabled_at IS NULL) AS owners,
        (SELECT count(*) FROM invitation WHERE invitation.business_id = b.business_id
            AND invitation.role = 'OWNER' AND invitation.expires_at > :now) AS invited,
        (SELECT count(*) FROM membership AS member
            WHERE member.business_id = b.business_id AND member.role IS NOT NULL) AS members
    FROM unnest(:ids::uuid[]) WITH ORDINALITY AS b (business_id, place) ORDER BY b.place";
const SET: &str = "INSERT INTO membership AS member (business_id, account_id, role, version)
    VALUES (:business_id, :account_id, :role, 1)
    ON CONFLICT (business_id, account_id)
    DO UPDATE SET role = EXCLUDED.role, version = member.version + 1
    WHERE member.role IS DISTINCT FROM EXCLUDED.role
    RETURNING version";
const REMOVE: &str = "UPDATE membership SET role = NULL, version = version + 1
    WHERE account_id = :account_id AND business_id = :business_id AND role IS NOT NULL
    RETURNING version";
const BUMP: &str = "UPDATE membership SET version = version + 1
    WHERE account_id = :account_id AND business_id = :business_id AND role IS NOT NULL
    RETURNING role, version";

/// Where a page of memberships begins: after the business of this name and id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The name.
    pub name: String,
    /// The id.
    pub business: Uuid,
}

/// How many people a business belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owners {
    /// The business.
    pub business: BusinessId,
    /// Owners who may sign in.
    pub owners: i64,
    /// Open invitations to become one.
    pub invited: i64,
    /// Everyone with a role.
    pub members: i64,
}

#[derive(FromQueryResult)]
struct OwnersRow {
    business_id: Uuid,
    owners: i64,
    invited: i64,
    members: i64,
}

impl From<OwnersRow> for Owners {
    fn from(row: OwnersRow) -> Self {
        let business = BusinessId(row.business_id);
        Self { business, owners: row.owners, invited: row.invited, members: row.members }
    }
}

/// A membership, and what its business is called and recognised by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMembership {
    /// The membership.
    pub membership: Membership,
    /// Empty until the name has arrived.
    pub name: String,
    /// Empty for the product's own colour.
    pub brand_color: String,
    /// Empty without a logo.
    pub logo_digest: String,
}

#[derive(FromQueryResult)]
pub(super) struct Row {
    business_id: Uuid,
    role: String,
}

impl TryFrom<Row> for Membership {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let role = MemberRole::parse(&row.role).map_err(|_| Error::Stored("role"))?;
        Ok(Self { business: BusinessId(row.business_id), role })
    }
}

#[derive(FromQueryResult)]
struct BumpedRow {
    role: String,
    version: i64,
}

#[derive(FromQueryResult)]
struct NamedRow {
    business_id: Uuid,
    role: String,
    name: String,
    brand_color: String,
    logo_digest: String,
}

impl TryFrom<NamedRow> for NamedMembership {
    type Error = Error;
    fn try_from(row: NamedRow) -> Result<Self, Error> {
        let NamedRow { business_id, role, name, brand_color, logo_digest } = row;
        Ok(Self { membership: Row { business_id, role }.try_into()?, name, brand_color, logo_digest })
    }
}

impl Tx {
    /// A person's memberships.
    pub async fn memberships(&self, person: UserId) -> Result<Vec<Membership>, Error> {
        self.all::<Row, _>(OF_PERSON, named! { account_id: person.0 }).await
    }

    /// A person's memberships by name, `limit` of them after a place.
    pub async fn named_memberships(
        &self,
        person: UserId,
        after: &Place,
        limit: u32,
    ) -> Result<Vec<NamedMembership>, Error> {
        let values = named! {
            account_id: person.0,
            after_name: after.name.as_str(),
            after_id: after.business,
            limit: i64::from(limit),
        };
        self.all::<NamedRow, _>(BY_NAME, values).await
    }

    /// How many people some businesses belong to, in this order.
    pub async fn owners(&self, businesses: &[BusinessId], now: Timestamp) -> Result<Vec<Owners>, Error> {
        let ids: Vec<Uuid> = businesses.iter().map(|business| business.0).collect();
        let rows = self.rows::<OwnersRow>(OWNERS, named! { ids, now: to_db(now) }).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// Whether `business` has any members.
    pub async fn has_members(&self, business: BusinessId) -> Result<bool, Error> {
        Ok(self.execute(ANY_OF, named! { business_id: business.0 }).await? > 0)
    }

    /// Sets a person's role in the transaction's business, `None` removing them, and publishes it with the employee
    /// they were invited as; `false` when nothing changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a person there is not.
    pub async fn set_role(
        &self,
        person: UserId,
        business: BusinessId,
        role: Option<MemberRole>,
        employee: Option<Uuid>,
    ) -> Result<bool, Error> {
        let place = named! { account_id: person.0, business_id: business.0 };
        let changed = match role {
            Some(role) => self.value(SET, place.and(named! { role: role.as_str() })).await,
            None => self.value(REMOVE, place).await,
        };
        let Some(version) = changed.map_err(no_account)? else { return Ok(false) };
        let name = match role {
            Some(_) => self.account(person).await?.name,
            None => String::new(),
        };
        let payload = Payload::Membership(MembershipChanged {
            name,
            employee_id: employee.map_or_else(String::new, |id| id.to_string()),
            user_id: person.to_string(),
            role: role.map_or_else(String::new, |role| role.as_str().to_owned()),
            disabled: false,
        });
        self.publish_change(person, version, payload).await?;
        Ok(true)
    }

    /// Publishes in the transaction's business that a member of it may not sign in any more.
    pub async fn tell_disabled(&self, person: UserId, business: BusinessId) -> Result<(), Error> {
        let place = named! { account_id: person.0, business_id: business.0 };
        let bumped = self.row::<BumpedRow>(BUMP, place).await?;
        let Some(BumpedRow { role, version }) = bumped else { return Ok(()) };
        let user_id = person.to_string();
        let membership = MembershipChanged { user_id, role, disabled: true, ..MembershipChanged::default() };
        self.publish_change(person, version, Payload::Membership(membership)).await
    }
}

fn no_account(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("membership_account") => Error::NotFound("account"),
        _ => error.into(),
    }
}
