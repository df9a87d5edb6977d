//! Who is told of an export.

use caller::{BusinessId, UserId};
use database::{named, statement};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use uuid::Uuid;

use crate::domain::email::Email;

const OWNERS: &str = "SELECT account.email
    FROM membership AS member JOIN account ON account.id = member.account_id
    WHERE member.business_id = :business_id AND member.role = 'OWNER' AND account.disabled_at IS NULL
    ORDER BY account.id";
const NAMES: &str = "SELECT COALESCE((SELECT name FROM account WHERE id = :by), '') AS by,
    COALESCE((SELECT name FROM business_name WHERE business_id = :business_id), '') AS business";

/// Who is told of an export, and the names in what they are told.
#[derive(Debug)]
pub struct ExportReaders {
    /// The owners' addresses.
    pub owners: Vec<Email>,
    /// Who took the export; empty if it was no person.
    pub by: String,
    /// Empty until the name has arrived.
    pub business: String,
}

/// The owners of a business, and the names of the person and the business.
pub async fn export_readers(
    sql: &DatabaseTransaction,
    business: BusinessId,
    by: Option<UserId>,
) -> Result<ExportReaders, DbErr> {
    let owners = sql.query_all_raw(statement(OWNERS, named! { business_id: business.0 })).await?;
    let owners = owners.iter().map(|row| row.try_get_by_index::<String>(0)).collect::<Result<Vec<_>, _>>()?;
    let by: Option<Uuid> = by.map(|person| person.0);
    let names = sql.query_one_raw(statement(NAMES, named! { business_id: business.0, by })).await?;
    let text = |column: &str| names.as_ref().map_or(Ok(String::new()), |row| row.try_get("", column));
    Ok(ExportReaders {
        owners: owners.iter().filter_map(|email| Email::parse(email).ok()).collect(),
        by: text("by")?,
        business: text("business")?,
    })
}
