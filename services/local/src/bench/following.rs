//! Waiting until the other services have heard what scheduling did: what they still work on would be
//! measured with the next load.

use core::time::Duration;
use std::time::Instant;

use anyhow::{Context, ensure};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

use crate::stack::{
    Secrets,
    plan::{MEMBERS, postgres_url},
};

const PATIENCE: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(200);

/// Waits until every follower of scheduling has followed all that is in its log now.
///
/// # Errors
/// When Postgres can't be asked, or they take ten minutes.
pub async fn wait(base_port: u16, secrets: &Secrets) -> anyhow::Result<()> {
    let password = secrets.get("postgres-superuser")?;
    let connect = async |service: &str| {
        let url = postgres_url(base_port, "postgres", &password, &service.replace('-', "_"));
        // Its questions are no part of what is printed.
        let mut options = ConnectOptions::new(url);
        options.sqlx_logging(false);
        Database::connect(options).await.with_context(|| format!("the database of {service}"))
    };
    let scheduling = connect("scheduling").await?;
    let written = position(&scheduling, "SELECT max(position) AS position FROM outbox").await?;
    let target = written.unwrap_or(0);
    let began = Instant::now();
    for member in MEMBERS {
        let database = connect(member.name).await?;
        while is_behind(&database, target).await? {
            ensure!(began.elapsed() < PATIENCE, "{} is still behind scheduling", member.name);
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(())
}

/// A service that follows nothing of scheduling's is not behind.
async fn is_behind(database: &DatabaseConnection, target: i64) -> anyhow::Result<bool> {
    let sql = "SELECT min(position) AS position FROM outbox_position WHERE source = 'scheduling'";
    Ok(position(database, sql).await?.is_some_and(|position| position < target))
}

async fn position(database: &DatabaseConnection, sql: &str) -> anyhow::Result<Option<i64>> {
    let row = database.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    Ok(row.context("no row")?.try_get("", "position")?)
}
