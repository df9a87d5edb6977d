//! The schema, step by step.

mod m20260601_000001_tenancy;

use sea_orm_migration::prelude::*;

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m20260601_000001_tenancy::Migration)]
    }
}
