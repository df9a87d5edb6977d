//! The schema, step by step.

mod m20260601_000001_auth;
mod m20260602_000002_people;
mod m20260602_000003_guard;
mod m20260602_000004_provider;

use sea_orm_migration::prelude::*;

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
        ]
    }
}
