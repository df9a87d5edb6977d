//! The schema, step by step.

mod m20260601_000001_auth;
mod m20260602_000002_people;
mod m20260602_000003_guard;
mod m20260602_000004_provider;
mod m20260603_000005_retention;
mod m20260604_000006_proof;

use boot::security::Retention;
use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectOptions, Database, DbBackend, Statement},
};

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20260601_000001_auth::Migration),
            Box::new(m20260602_000002_people::Migration),
            Box::new(m20260602_000003_guard::Migration),
            Box::new(m20260602_000004_provider::Migration),
            Box::new(m20260603_000005_retention::Migration),
            Box::new(m20260604_000006_proof::Migration),
        ]
    }
}

const FLOOR: &str = "UPDATE security_event_floor SET most = $1, age = make_interval(secs => $2)";

/// Sets the least that is kept of each account's record, as the tables' owner: the app can't.
///
/// # Errors
/// When Postgres can't.
pub async fn keep_at_least(migration_url: &str, kept: Retention) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(migration_url);
    options.max_connections(1).sqlx_logging(false);
    let database = Database::connect(options).await?;
    let most: i32 = kept.most.try_into().unwrap_or(i32::MAX);
    let values = [most.into(), kept.age.as_secs_f64().into()];
    let set = database.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, FLOOR, values)).await;
    database.close().await?;
    set.map(drop)
}
