//! Migrations, one process at a time.

use core::time::Duration;

use anyhow::Context;
use sea_orm::ConnectOptions;
use sea_orm_migration::MigratorTrait;
use sqlx::{Connection, PgConnection};
use tokio::time::Instant;

use crate::random;

/// How long Postgres may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// Brings the database up to date, as the role that owns it.
///
/// Replicas that start together take turns under an advisory lock. Waits while
/// Postgres starts.
///
/// # Errors
/// When Postgres stays away, or a migration fails.
pub async fn migrate<M: MigratorTrait>(migration_url: &str) -> anyhow::Result<()> {
    let mut guard = connect(migration_url).await?;
    // On a connection of its own: the migrator's may be lost and replaced. Released with the session.
    sqlx::query("SELECT pg_advisory_lock(hashtext('frontdesk.migrate'))")
        .execute(&mut guard)
        .await
        .context("locking for migrations")?;
    let mut options = ConnectOptions::new(migration_url);
    options
        .max_connections(1)
        .sqlx_logging(false)
        .record_stmt_in_spans(false)
        .set_application_name("migrate");
    let database = sea_orm::Database::connect(options).await.context("connecting to migrate")?;
    let migrated = M::up(&database, None).await;
    database.close().await?;
    guard.close().await?;
    migrated.context("migrating")
}

async fn connect(url: &str) -> anyhow::Result<PgConnection> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match PgConnection::connect(url).await {
            Ok(connection) => return Ok(connection),
            Err(error) if starting(&error) && Instant::now() < deadline => {
                tracing::info!(%error, "waiting for Postgres");
                tokio::time::sleep(random::jitter(Duration::from_millis(500))).await;
            }
            Err(error) => return Err(error).context("connecting to migrate"),
        }
    }
}

/// Whether the error is one of a server that is not there yet.
fn starting(error: &sqlx::Error) -> bool {
    const CANNOT_CONNECT_NOW: &str = "57P03";
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(error) => error.code().as_deref() == Some(CANNOT_CONNECT_NOW),
        _ => false,
    }
}
