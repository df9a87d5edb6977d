//! Names of businesses, as tenancy tells them.

use caller::BusinessId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::statement;

const SAVE: &str = "INSERT INTO business_name AS known (business_id, name, version) VALUES ($1, $2, $3)
    ON CONFLICT (business_id) DO UPDATE SET name = EXCLUDED.name, version = EXCLUDED.version
    WHERE known.version < EXCLUDED.version";

/// Keeps a business's name, unless a later one is known.
pub async fn save_business_name(
    sql: &DatabaseTransaction,
    business: BusinessId,
    name: &str,
    version: i64,
) -> Result<(), DbErr> {
    sql.execute_raw(statement(SAVE, [business.0.into(), name.into(), version.into()])).await.map(drop)
}
