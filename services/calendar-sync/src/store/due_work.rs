//! What is due and not begun, of all businesses.

use database::{from_db, named};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};

use super::Store;
use crate::error::Error;

pub(super) const READS: &str = "SELECT count(*) AS count, min(due_at) AS since FROM sync_state
    WHERE due_at <= :now AND (leased_until IS NULL OR leased_until <= :now)";
pub(super) const WRITES: &str = "SELECT count(*) AS count, min(due_at) AS since FROM calendar_write
    WHERE written < wanted AND parked_at IS NULL AND due_at <= :now
        AND (leased_until IS NULL OR leased_until <= :now)";

/// Work of one kind that is due and not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// How much.
    pub count: i64,
    /// When the oldest of it fell due.
    pub since: Option<Timestamp>,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    count: i64,
    since: Option<DateTimeUtc>,
}

impl From<Row> for Due {
    fn from(row: Row) -> Self {
        Self { count: row.count, since: row.since.map(from_db) }
    }
}

impl Store {
    /// The reads and the writes that are due and that no one has begun.
    pub async fn due_work(&self) -> Result<(Due, Due), Error> {
        let tx = self.begin_for_all();
        let reads = tx.row::<Row>(READS, named! { now: tx.at() }).await?;
        let writes = tx.row::<Row>(WRITES, named! { now: tx.at() }).await?;
        tx.commit().await?;
        let none = Due { count: 0, since: None };
        Ok((reads.map_or(none, Into::into), writes.map_or(none, Into::into)))
    }
}
