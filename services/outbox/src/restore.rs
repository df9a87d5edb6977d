//! What a log needs after its database was restored.

use anyhow::{Context, bail};
use database::Database;
use sea_orm::DbErr;

use crate::log::installation_tx;

/// Whether the log has positions of transactions that this server has not had.
const OF_ANOTHER_SERVER: &str = "SELECT GREATEST(position, (SELECT max(position) FROM outbox)) >> 20
        >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint FROM outbox_horizon";

/// Makes sure that new events will come after those in the log.
///
/// # Errors
/// When the database was restored from a dump and [`renew`] has not run since: followers would never be told of
/// new events.
pub async fn require_own(database: &Database) -> anyhow::Result<()> {
    let tx = installation_tx(database);
    let is_foreign: Option<bool> = tx.value(OF_ANOTHER_SERVER, []).await.context("reading the log")?;
    tx.commit().await?;
    if is_foreign.unwrap_or_default() {
        bail!("DATABASE_URL: the database was restored from a dump; run `--after-restore` once");
    }
    Ok(())
}

/// Empties the log and gives it another identity, by which followers know that their positions say nothing of it.
/// What they follow has to be published again.
///
/// # Errors
/// When Postgres refuses.
pub async fn renew(database: &Database) -> Result<(), DbErr> {
    let tx = installation_tx(database);
    tx.execute("DELETE FROM outbox", []).await?;
    tx.execute("UPDATE outbox_horizon SET position = 0, log = gen_random_uuid()", []).await?;
    tx.commit().await
}
