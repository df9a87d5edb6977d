//! Migrations, one process at a time.

use core::time::Duration;

use anyhow::{Context, bail};
use boot::{
    config::{Pooler, Secret, ServiceConfig},
    random,
};
use sea_orm::ConnectOptions;
use sea_orm_migration::MigratorTrait;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, postgres::PgConnectOptions};
use tokio::time::Instant;

use crate::{roles, session::pooled};

/// How long Postgres may take to start.
const PATIENCE: Duration = Duration::from_secs(30);
const UNDEFINED_TABLE: &str = "42P01";

/// Brings the database up to date where the process has the owner's login, and makes sure elsewhere
/// that it is.
///
/// # Errors
/// When Postgres stays away, a migration fails, or one is missing and can't be run here.
pub async fn prepare<M: MigratorTrait>(config: &ServiceConfig) -> anyhow::Result<()> {
    match &config.migration_url {
        Some(owner) => migrate::<M>(owner.expose()).await,
        None => require_current::<M>(&config.database_url, config.database_pooler).await,
    }
}

/// A schema that is newer is taken: its migrations leave room for the release before them.
pub(crate) async fn require_current<M: MigratorTrait>(url: &Secret, pooler: Pooler) -> anyhow::Result<()> {
    let mut options: PgConnectOptions = url.expose().parse().context("DATABASE_URL")?;
    if pooler == Pooler::Transaction {
        options = pooled(options);
    }
    let mut app = connect(&options).await.context("DATABASE_URL")?;
    // Not prepared: a pooler may bind a prepared one elsewhere.
    let applied = sqlx::raw_sql("SELECT version FROM seaql_migrations").fetch_all(&mut app).await;
    let applied: Vec<String> = match applied {
        Ok(rows) => rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?,
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(UNDEFINED_TABLE) => vec![],
        Err(error) => return Err(error).context("reading which migrations have run"),
    };
    app.close().await?;
    let migrations = M::migrations();
    let missing =
        migrations.iter().map(|step| step.name()).find(|name| !applied.iter().any(|had| had == name));
    match missing {
        None => Ok(()),
        Some(name) => {
            bail!("MIGRATION_URL: the schema lacks {name}; run `--migrate` with the owner's login first")
        }
    }
}

/// Brings the database up to date, as the role that owns it.
///
/// Replicas that start together take turns under an advisory lock. Waits while
/// Postgres starts.
///
/// # Errors
/// When Postgres stays away, or a migration fails.
pub async fn migrate<M: MigratorTrait>(migration_url: &str) -> anyhow::Result<()> {
    let mut guard = connect(&migration_url.parse().context("MIGRATION_URL")?).await?;
    // On a connection of its own: the migrator's may be lost and replaced. Released with the session.
    sqlx::query("SELECT pg_advisory_lock(hashtext('frontdesk.migrate'))")
        .execute(&mut guard)
        .await
        .context("locking for migrations")?;
    let mut options = ConnectOptions::new(migration_url);
    options.max_connections(1).sqlx_logging(false).set_application_name("migrate");
    let database = sea_orm::Database::connect(options).await.context("connecting to migrate")?;
    let migrated = M::up(&database, None).await;
    database.close().await?;
    migrated.context("migrating")?;
    let owner: String = sqlx::query_scalar("SELECT current_user").fetch_one(&mut guard).await?;
    sqlx::raw_sql(AssertSqlSafe(roles::migrations_sql(&owner))).execute(&mut guard).await?;
    guard.close().await?;
    Ok(())
}

async fn connect(options: &PgConnectOptions) -> anyhow::Result<PgConnection> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match PgConnection::connect_with(options).await {
            Ok(connection) => return Ok(connection),
            Err(error) if starting(&error) && Instant::now() < deadline => {
                tracing::info!(%error, "waiting for Postgres");
                tokio::time::sleep(random::jitter(Duration::from_millis(500))).await;
            }
            Err(error) => return Err(error).context("connecting to Postgres"),
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
