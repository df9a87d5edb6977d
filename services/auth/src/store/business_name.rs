//! Names of businesses, as tenancy tells them.

use caller::BusinessId;
use database::{named, statement};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

const SAVE: &str = "INSERT INTO business_name AS known (business_id, name, version)
    VALUES (:business_id, :name, :version)
    ON CONFLICT (business_id) DO UPDATE SET name = EXCLUDED.name, version = EXCLUDED.version
    WHERE known.version < EXCLUDED.version";

/// Keeps a business's name, unless a later one is known.
pub async fn save_business_name(
    sql: &DatabaseTransaction,
    business: BusinessId,
    name: &str,
    version: i64,
) -> Result<(), DbErr> {
    sql.execute_raw(statement(SAVE, named! { business_id: business.0, name, version })).await.map(drop)
}
