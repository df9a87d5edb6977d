//! Deletes what a service keeps for a time, a batch at a time.

use core::time::Duration;

use boot::{Host, random::jitter, retention};
use caller::InstallationScope;
use jiff::SignedDuration;
use sea_orm::DbErr;

use crate::{Database, named, time::to_db};

const EVERY: Duration = Duration::from_secs(3_600);

/// Rows of a table that are kept for a time.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// The table.
    pub table: &'static str,
    /// Since when a row is kept: a column with an index of its own. A row without it stays.
    pub since: &'static str,
    /// For how long.
    pub life: SignedDuration,
    /// Rows in one transaction.
    pub batch: u32,
    /// The column that is emptied then, where the row itself stays.
    pub emptied: Option<&'static str>,
}

impl Kept {
    /// Rows that are deleted.
    #[must_use]
    pub const fn rows(table: &'static str, since: &'static str, life: SignedDuration, batch: u32) -> Self {
        Self { table, since, life, batch, emptied: None }
    }

    /// Entries of the log of changes.
    #[must_use]
    pub const fn changes() -> Self {
        Self::rows("change_entry", "at", retention::CHANGES, 5_000)
    }

    /// Entries of who acted across businesses.
    #[must_use]
    pub const fn installation_acts() -> Self {
        Self::rows("installation_audit", "at", retention::INSTALLATION_ACTS, 5_000)
    }

    /// Does its work on one batch.
    fn sql(&self) -> String {
        let Self { table, since, batch, emptied, .. } = self;
        let (change, more) = match emptied {
            None => (format!("DELETE FROM {table}"), String::new()),
            Some(column) => (format!("UPDATE {table} SET {column} = ''"), format!("AND {column} <> ''")),
        };
        format!(
            "{change} WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM {table} WHERE {since} < :before {more} ORDER BY {since} LIMIT {batch}))"
        )
    }
}

/// Deletes what is older than it is kept, until the host shuts down.
pub async fn keep_for_a_time(database: Database, host: Host, kept: &'static [Kept]) {
    let deleting = async {
        loop {
            for table in kept {
                match database.delete_old(table).await {
                    Ok(deleted) => tracing::debug!(table = table.table, deleted, "old rows are deleted"),
                    Err(error) => tracing::warn!(table = table.table, %error, "old rows are not deleted"),
                }
            }
            tokio::time::sleep(jitter(EVERY)).await;
        }
    };
    tokio::select! {
        () = host.shutdown.cancelled() => {}
        () = deleting => {}
    }
}

impl Database {
    /// Deletes, or empties, the rows of a table that are older than they are kept, batch after batch; returns how many.
    /// Replicas may do so at once: a row that another one has deleted is passed over.
    pub async fn delete_old(&self, kept: &Kept) -> Result<u64, DbErr> {
        let Kept { life, batch, .. } = kept;
        let sql = kept.sql();
        let mut all = 0;
        loop {
            let tx = self.installation_tx::<DbErr>(&InstallationScope::worker("retention"));
            let deleted = tx.execute(&sql, named! { before: to_db(tx.now() - *life) }).await?;
            tx.commit().await?;
            all += deleted;
            if deleted < u64::from(*batch) {
                return Ok(all);
            }
        }
    }
}
