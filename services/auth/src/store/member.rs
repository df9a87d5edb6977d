//! The members of a business.

use caller::{BusinessId, UserId};
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{account::MemberRole, email::Email},
};

pub(super) const OF_BUSINESS: &str = r#"SELECT account.id, account.name, account.email, member.role,
        account.disabled_at IS NOT NULL AS disabled
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE member.business_id = :business_id AND member.role IS NOT NULL
      AND (account.name COLLATE "und-x-icu", account.id) > (:after_name, :after_id)
    ORDER BY account.name COLLATE "und-x-icu", account.id LIMIT :limit"#;
pub(super) const BY_ACCOUNT: &str = "SELECT account.id, account.name, account.email, member.role,
        account.disabled_at IS NOT NULL AS disabled
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE member.account_id = :account_id AND member.business_id = :business_id AND member.role IS NOT NULL";
pub(super) const BY_ADDRESS: &str = "SELECT account.id, account.name, account.email, member.role,
        account.disabled_at IS NOT NULL AS disabled
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE account.email = :email AND member.business_id = :business_id AND member.role IS NOT NULL";
// Who changes one owner waits for who changes another, and then sees what is left.
const LOCK_OWNERS: &str = "SELECT account_id
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE business_id = :business_id AND role = 'OWNER' AND account.disabled_at IS NULL
    ORDER BY member.account_id FOR UPDATE OF member";
const ROLE: &str = "SELECT role FROM membership
    WHERE account_id = :account_id AND business_id = :business_id AND role IS NOT NULL FOR UPDATE";
const IS_MEMBER: &str = "SELECT 1 FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE account.email = :email AND member.business_id = :business_id AND member.role IS NOT NULL";

/// A person of a business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub id: UserId,
    /// What they are called.
    pub name: String,
    /// How they sign in.
    pub email: Email,
    /// As what.
    pub role: MemberRole,
    /// Whether the account is shut out.
    pub disabled: bool,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    email: String,
    role: String,
    disabled: bool,
}

impl TryFrom<Row> for Member {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: UserId(row.id),
            name: row.name,
            email: Email::parse(&row.email).map_err(|_| Error::Stored("e-mail"))?,
            role: MemberRole::parse(&row.role).map_err(|_| Error::Stored("role"))?,
            disabled: row.disabled,
        })
    }
}

impl Tx {
    /// Members of a business by name, `limit` of them after the one of this name and id.
    pub async fn members(
        &self,
        business: BusinessId,
        after: (&str, Uuid),
        limit: u32,
    ) -> Result<Vec<Member>, Error> {
        let values = named! {
            business_id: business.0,
            after_name: after.0,
            after_id: after.1,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(OF_BUSINESS, values).await
    }

    /// The member whose account this is.
    pub async fn member(&self, person: UserId, business: BusinessId) -> Result<Option<Member>, Error> {
        self.one::<Row, _>(BY_ACCOUNT, named! { account_id: person.0, business_id: business.0 }).await
    }

    /// The member whose address this is.
    pub async fn member_of(&self, email: &Email, business: BusinessId) -> Result<Option<Member>, Error> {
        self.one::<Row, _>(BY_ADDRESS, named! { email: email.as_str(), business_id: business.0 }).await
    }

    /// The owners of a business who are not shut out; they stay owners until this transaction ends.
    pub async fn lock_owners(&self, business: BusinessId) -> Result<Vec<UserId>, Error> {
        let owners = self.values(LOCK_OWNERS, named! { business_id: business.0 }).await?;
        Ok(owners.into_iter().map(UserId).collect())
    }

    /// A person's role in a business, which stays so until this transaction ends.
    pub async fn lock_role(&self, person: UserId, business: BusinessId) -> Result<Option<MemberRole>, Error> {
        let values = named! { account_id: person.0, business_id: business.0 };
        let role: Option<String> = self.value(ROLE, values).await?;
        role.map(|role| MemberRole::parse(&role)).transpose().map_err(|_| Error::Stored("role"))
    }

    /// Whether the account of an address is a member.
    pub async fn is_member(&self, email: &Email, business: BusinessId) -> Result<bool, Error> {
        let values = named! { email: email.as_str(), business_id: business.0 };
        Ok(self.execute(IS_MEMBER, values).await? > 0)
    }
}
