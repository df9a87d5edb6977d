//! The database of this service, step by step.

use sea_orm_migration::prelude::*;

mod m0001_calendars;
mod m0002_event_shortfalls;

/// Brings the database up to date.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m0001_calendars::Migration), Box::new(m0002_event_shortfalls::Migration)]
    }
}
