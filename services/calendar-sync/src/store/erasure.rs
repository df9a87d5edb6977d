//! What is left of a person's visits in calendars once their entries are written without the name.

use caller::BusinessId;
use database::named;
use uuid::Uuid;

use super::{Store, Tx};
use crate::error::Error;

const UNWRITTEN: &str = "SELECT count(*) FROM calendar_write WHERE business_id = :business_id
    AND appointment_id = ANY(:ids::uuid[]) AND written < wanted";
/// What the last check of consistency found of them, by the name that it had.
const FORGET_FOUND: &str = "UPDATE consistency_check SET findings = jsonb_set(findings, '{differences}',
        COALESCE((SELECT jsonb_agg(d) FROM jsonb_array_elements(findings->'differences') d
            WHERE NOT COALESCE(d->>'appointmentId' = ANY(:ids::uuid[]::text[]), false)), '[]'))
    WHERE business_id = :business_id AND findings IS NOT NULL";
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
        for sql in ERASE.into_iter().chain([FORGET_FOUND]) {
            self.execute(sql, named! { business_id: self.business.0, ids: visits.to_vec() }).await?;
        }
        Ok(())
    }
}

impl Store {
    /// Drops parked events about visits.
    pub async fn forget_parked(&self, business: BusinessId, visits: Vec<Uuid>) -> Result<(), Error> {
        Ok(outbox::forget_parked(&self.database, business, visits).await.map(drop)?)
    }
}
