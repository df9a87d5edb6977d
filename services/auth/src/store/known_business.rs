//! What businesses are called and recognised by, as tenancy tells it.

use caller::BusinessId;
use database::{named, statement};
use proto::frontdesk::tenancy::v1::Business;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::Tx;
use crate::Error;

const SAVE: &str =
    "INSERT INTO business_name AS known (business_id, name, brand_color, logo_digest, version, marked)
    VALUES (:business_id, :name, :brand_color, :logo_digest, :version, true)
    ON CONFLICT (business_id) DO UPDATE SET name = EXCLUDED.name, brand_color = EXCLUDED.brand_color,
        logo_digest = EXCLUDED.logo_digest, version = EXCLUDED.version, marked = true
    WHERE known.version <= EXCLUDED.version";
const UNMARKED: &str =
    "SELECT business_id FROM business_name WHERE NOT marked ORDER BY business_id LIMIT :limit";
const MARK: &str =
    "UPDATE business_name SET brand_color = :brand_color, logo_digest = :logo_digest, marked = true
    WHERE business_id = :business_id AND NOT marked";

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

impl Tx {
    /// Some of the businesses that an earlier release knew by name alone.
    pub async fn unmarked_businesses(&self, limit: u32) -> Result<Vec<BusinessId>, Error> {
        let ids = self.values(UNMARKED, named! { limit: i64::from(limit) }).await?;
        Ok(ids.into_iter().map(BusinessId).collect())
    }

    /// Keeps what a list shows of such a business, unless an event has told it meanwhile. Of one that is gone there is
    /// nothing to show.
    pub async fn mark_business(&self, id: BusinessId, business: Option<&Business>) -> Result<(), Error> {
        let (brand_color, logo_digest) = business
            .map(|business| (business.brand_color.as_str(), business.logo_digest.as_str()))
            .unwrap_or_default();
        let values = named! { business_id: id.0, brand_color, logo_digest };
        self.execute(MARK, values).await.map(drop)
    }
}
