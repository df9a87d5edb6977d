//! What came of the calls of several businesses.

use caller::BusinessId;
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::InstallationTx;
use crate::error::Error;

/// Reads the calls since an instant of each of some businesses, and the latest of all.
pub(super) const HEALTH: &str = "SELECT b.business_id, since.calls, since.booked, since.abandoned,
        since.failed_tool_calls,
        (SELECT c.started_at FROM call c WHERE c.business_id = b.business_id
            ORDER BY c.started_at DESC, c.id DESC LIMIT 1) AS last_call_at
    FROM unnest(:ids::uuid[]) WITH ORDINALITY AS b (business_id, place)
    CROSS JOIN LATERAL (SELECT count(*) AS calls,
            count(*) FILTER (WHERE c.outcome IN ('BOOKED', 'MOVED')) AS booked,
            count(*) FILTER (WHERE c.outcome = 'ABANDONED') AS abandoned,
            COALESCE(sum(c.failed_runs), 0)::bigint AS failed_tool_calls
        FROM call c WHERE c.business_id = b.business_id AND c.started_at >= :since) AS since
    ORDER BY b.place";

/// What came of a business's calls since an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallHealth {
    /// The business.
    pub business: BusinessId,
    /// Calls that started since then.
    pub calls: i64,
    /// Those that ended with a visit booked or moved.
    pub booked: i64,
    /// Those that ended before anything came of them.
    pub abandoned: i64,
    /// Their look-ups that failed by a fault of ours.
    pub failed_tool_calls: i64,
    /// The latest call of all.
    pub last_call_at: Option<Timestamp>,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    calls: i64,
    booked: i64,
    abandoned: i64,
    failed_tool_calls: i64,
    last_call_at: Option<DateTimeUtc>,
}

impl From<Row> for CallHealth {
    fn from(row: Row) -> Self {
        Self {
            business: BusinessId(row.business_id),
            calls: row.calls,
            booked: row.booked,
            abandoned: row.abandoned,
            failed_tool_calls: row.failed_tool_calls,
            last_call_at: row.last_call_at.map(from_db),
        }
    }
}

impl InstallationTx {
    /// What came of the calls of some businesses since an instant, in this order.
    pub async fn call_health(&self, ids: &[BusinessId], since: Timestamp) -> Result<Vec<CallHealth>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let rows = self.rows::<Row>(HEALTH, named! { ids, since: to_db(since) }).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }
}
