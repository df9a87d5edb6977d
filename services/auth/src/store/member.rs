//! The members of a business.

use caller::{BusinessId, UserId};
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    Error,
    domain::{account::MemberRole, email::Email},
};

pub(super) const OF_BUSINESS: &str = r#"SELECT account.id, account.name, account.email, member.role, account.disabled_at IS NOT NULL AS disabled
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE member.business_id = $1 AND member.role IS NOT NULL
      AND (account.name COLLATE "und-x-icu", account.id) > ($2, $3)
    ORDER BY account.name COLLATE "und-x-icu", account.id LIMIT $4"#;
// Who changes one owner waits for who changes another, and then sees what is left.
const LOCK_OWNERS: &str = "SELECT account_id
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE business_id = $1 AND role = 'OWNER' AND account.disabled_at IS NULL
    ORDER BY member.id FOR UPDATE OF member";
const ROLE: &str = "SELECT role FROM membership
    WHERE account_id = $1 AND business_id = $2 AND role IS NOT NULL FOR UPDATE";
const IS_MEMBER: &str = "SELECT 1 FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE account.email = $1 AND member.business_id = $2 AND member.role IS NOT NULL";

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
        let values = [business.0.into(), after.0.into(), after.1.into(), i64::from(limit).into()];
        self.all::<Row, _>(OF_BUSINESS, values).await
    }

    /// The owners of a business who are not shut out; they stay owners until this transaction ends.
    pub async fn lock_owners(&self, business: BusinessId) -> Result<Vec<UserId>, Error> {
        let rows = self.open().await?.query_all_raw(statement(LOCK_OWNERS, [business.0.into()])).await?;
        rows.iter().map(|row| Ok(UserId(row.try_get("", "account_id")?))).collect()
    }

    /// A person's role in a business, which stays so until this transaction ends.
    pub async fn lock_role(&self, person: UserId, business: BusinessId) -> Result<Option<MemberRole>, Error> {
        let row =
            self.open().await?.query_one_raw(statement(ROLE, [person.0.into(), business.0.into()])).await?;
        let role: Option<String> = row.map(|row| row.try_get("", "role")).transpose()?;
        role.map(|role| MemberRole::parse(&role)).transpose().map_err(|_| Error::Stored("role"))
    }

    /// Whether the account of an address is a member.
    pub async fn is_member(&self, email: &Email, business: BusinessId) -> Result<bool, Error> {
        let found = self
            .open()
            .await?
            .query_one_raw(statement(IS_MEMBER, [email.as_str().into(), business.0.into()]));
        Ok(found.await?.is_some())
    }
}
