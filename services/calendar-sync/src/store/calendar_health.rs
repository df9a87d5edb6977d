//! Whether the calendars of several businesses are in step.

use caller::{BusinessId, InstallationScope};
use database::{from_db, named};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Store;
use crate::error::Error;

/// A write that fails is as much out of step as a read. What was never read is older than all else.
pub(super) const HEALTH: &str = "SELECT b.business_id, count(c.id) AS calendars,
        count(c.id) FILTER (WHERE s.last_error IS NOT NULL OR EXISTS (SELECT FROM calendar_write w
            WHERE w.business_id = c.business_id AND w.calendar_id = c.id
                AND w.written < w.wanted AND w.last_error IS NOT NULL)) AS failing,
        CASE WHEN bool_and(s.synced_at IS NOT NULL) THEN min(s.synced_at) END AS synced_at
    FROM unnest(:ids::uuid[]) WITH ORDINALITY AS b (business_id, place)
    LEFT JOIN calendar c ON c.business_id = b.business_id
    LEFT JOIN sync_state s ON s.business_id = c.business_id AND s.calendar_id = c.id
    GROUP BY b.business_id, b.place ORDER BY b.place";

/// How a business's calendars are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarHealth {
    /// The business.
    pub business: BusinessId,
    /// How many there are.
    pub calendars: i64,
    /// Those that could not be read or written.
    pub failing: i64,
    /// When the one that was read longest ago was read.
    pub synced_at: Option<Timestamp>,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    calendars: i64,
    failing: i64,
    synced_at: Option<DateTimeUtc>,
}

impl From<Row> for CalendarHealth {
    fn from(row: Row) -> Self {
        Self {
            business: BusinessId(row.business_id),
            calendars: row.calendars,
            failing: row.failing,
            synced_at: row.synced_at.map(from_db),
        }
    }
}

impl Store {
    /// How the calendars of some businesses are, in this order.
    pub async fn calendar_health(
        &self,
        scope: &InstallationScope,
        ids: &[BusinessId],
    ) -> Result<Vec<CalendarHealth>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let tx = self.database.installation_tx::<Error>(scope);
        let rows = tx.rows::<Row>(HEALTH, named! { ids }).await?;
        tx.commit().await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }
}
