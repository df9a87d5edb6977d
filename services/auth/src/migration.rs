//! The service's schema, and the minimum it keeps of each account's record.

use boot::security::Retention;
use database::{named, statement};
use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectOptions, Database},
};

use crate::NAME;

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Initial), Box::new(LogIdentity), Box::new(InvitedEmployee)]
    }
}

struct Initial;

impl MigrationName for Initial {
    fn name(&self) -> &str {
        "m0001_initial"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Initial {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = [include_str!("migration/m0001_initial.sql"), &outbox::migration_sql(NAME)].concat();
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the initial schema has no way back".to_owned()))
    }
}

const FLOOR: &str = "UPDATE security_event_floor SET most = :most, age = make_interval(secs => :seconds)";

/// Sets the least that is kept of each account's record, as the tables' owner: the app can't.
pub async fn keep_at_least(migration_url: &str, kept: Retention) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(migration_url);
    options.max_connections(1).sqlx_logging(false);
    let database = Database::connect(options).await?;
    let most: i32 = kept.most.try_into().unwrap_or(i32::MAX);
    let values = named! { most, seconds: kept.age.as_secs_f64() };
    let set = database.execute_raw(statement(FLOOR, values)).await;
    database.close().await?;
    set.map(drop)
}

struct LogIdentity;

impl MigrationName for LogIdentity {
    fn name(&self) -> &str {
        "m0002_log_identity"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for LogIdentity {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(&outbox::identity_sql(NAME)).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the identity of a log has no way back".to_owned()))
    }
}

struct InvitedEmployee;

impl MigrationName for InvitedEmployee {
    fn name(&self) -> &str {
        "m0003_invited_employee"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for InvitedEmployee {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = include_str!("migration/m0003_invited_employee.sql");
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the employees of invitations have no way back".to_owned()))
    }
}
