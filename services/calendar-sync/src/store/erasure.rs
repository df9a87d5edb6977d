//! What is left of a person's visits in calendars once their entries are written without the name.

use caller::BusinessId;
use database::named;
use uuid::Uuid;

use super::{Store, Tx, consistency::FORGET_VISITS};
use crate::error::Error;

const UNWRITTEN: &str = "SELECT count(*) FROM calendar_write WHERE business_id = :business_id
    AND appointment_id = ANY(:ids::uuid[]) AND written < wanted";
/// Entries that are removed keep their last title otherwise, as does a calendar's memory of what it deleted.
const ERASE: [&str; 2] = [
    "UPDATE calendar_write SET title = '' WHERE business_id = :business_id AND removed
        AND appointment_id = ANY(:ids::uuid[])",
    "UPDATE demo_event SET title = '' WHERE business_id = :business_id AND deleted
        AND appointment_id = ANY(:ids::uuid[])",
];

impl Tx {
    /// How many entries of visits are not in their calendars as they shall be.
    pub async fn unwritten_of(&self, visits: &[Uuid]) -> Result<i64, Error> {
        let values = named! { business_id: self.business.0, ids: visits.to_vec() };
        Ok(self.value(UNWRITTEN, values).await?.unwrap_or_default())
    }

    /// Erases the titles of entries of visits that were removed, and those that a check of consistency found.
    pub async fn erase_titles(&self, visits: &[Uuid]) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, ids: visits.to_vec() };
        self.lock_plan().await?;
        for sql in ERASE {
            self.execute(sql, values.clone()).await?;
        }
        self.execute(FORGET_VISITS, values.and(named! { now: self.at() })).await.map(drop)
    }
}

impl Store {
    /// Drops parked events about visits and customers.
    pub async fn forget_parked(&self, business: BusinessId, records: Vec<Uuid>) -> Result<(), Error> {
        Ok(outbox::forget_parked(&self.database, business, records).await.map(drop)?)
    }
}
