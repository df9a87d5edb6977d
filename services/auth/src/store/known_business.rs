//! What businesses are called and recognised by, as tenancy tells it.

use caller::BusinessId;
use database::{named, statement};
use proto::frontdesk::tenancy::v1::Business;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

const SAVE: &str = "INSERT INTO business_name AS known (business_id, name, brand_color, logo_digest, version)
    VALUES (:business_id, :name, :brand_color, :logo_digest, :version)
    ON CONFLICT (business_id) DO UPDATE SET name = EXCLUDED.name, brand_color = EXCLUDED.brand_color,
        logo_digest = EXCLUDED.logo_digest, version = EXCLUDED.version
    WHERE known.version <= EXCLUDED.version";

/// Keeps a business at a version, unless a later one is known. The same version may say more than an earlier release
/// kept of it.
pub async fn save_business(
    sql: &DatabaseTransaction,
    id: BusinessId,
    business: &Business,
    version: i64,
) -> Result<(), DbErr> {
    let values = named! {
        business_id: id.0,
        name: business.name.as_str(),
        brand_color: business.brand_color.as_str(),
        logo_digest: business.logo_digest.as_str(),
        version,
    };
    sql.execute_raw(statement(SAVE, values)).await.map(drop)
}
