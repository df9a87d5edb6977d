//! The schema, step by step.

mod m20260601_000001_tenancy;
mod m20261122_000002_follow_ups;

use sea_orm_migration::prelude::*;

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m20260601_000001_tenancy::Migration), Box::new(m20261122_000002_follow_ups::Migration)]
    }
}
