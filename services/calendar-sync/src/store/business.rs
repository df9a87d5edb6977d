//! Businesses' zones, as tenancy tells of them.

use caller::BusinessId;
use database::named;
use jiff::tz::TimeZone;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::Tx;
use crate::error::Error;

const SAVE: &str = "INSERT INTO business AS known (business_id, time_zone) VALUES (:business_id, :time_zone)
    ON CONFLICT (business_id) DO UPDATE SET time_zone = excluded.time_zone
    WHERE known.time_zone <> excluded.time_zone";
/// In another zone whole days and floating times are others.
const READ_ANEW: &str = "WITH known AS MATERIALIZED (
        SELECT s.calendar_id FROM sync_state s
        JOIN calendar c ON c.business_id = s.business_id AND c.id = s.calendar_id
        WHERE s.business_id = :business_id AND c.kind IN ('CALDAV', 'GOOGLE', 'ICS')
        ORDER BY s.calendar_id FOR UPDATE OF s)
    UPDATE sync_state s SET token = NULL FROM known
    WHERE s.business_id = :business_id AND s.calendar_id = known.calendar_id";
/// What the follower has brought meanwhile is newer, or the same.
const ADD: &str = "INSERT INTO business (business_id, time_zone) VALUES (:business_id, :time_zone)
    ON CONFLICT (business_id) DO NOTHING";
const ZONE: &str = "SELECT time_zone FROM business WHERE business_id = :business_id";

/// Saves a business's zone. When it is another one, its calendars are read anew.
pub async fn save_business(sql: &DatabaseTransaction, business: BusinessId, zone: &str) -> Result<(), DbErr> {
    let values = named! { business_id: business.0, time_zone: zone };
    let changed = sql.execute_raw(database::statement(SAVE, values)).await?.rows_affected() > 0;
    if changed {
        sql.execute_raw(database::statement(READ_ANEW, named! { business_id: business.0 })).await?;
    }
    Ok(())
}

impl Tx {
    /// Adds the zone that tenancy has told before the business's event has arrived.
    pub async fn add_zone(&self, zone: &str) -> Result<(), Error> {
        self.execute(ADD, named! { business_id: self.business.0, time_zone: zone }).await.map(drop)
    }

    /// The business's zone, if it is known.
    pub async fn zone(&self) -> Result<Option<TimeZone>, Error> {
        let name = self.value::<String>(ZONE, named! { business_id: self.business.0 }).await?;
        name.map(|name| zone(&name)).transpose()
    }
}

/// A stored zone.
pub(super) fn zone(name: &str) -> Result<TimeZone, Error> {
    TimeZone::get(name).map_err(|_| Error::Unreadable { table: "business", id: name.to_owned() })
}
