//! The service's schema.

use sea_orm_migration::prelude::*;

mod m20260601_000001_scheduling;
mod m20260602_000002_working_time;
mod m20260602_000003_time_off;
mod m20260603_000004_visits;
mod m20260603_000005a_cancellation_window;
mod m20260603_000005b_visit_states;
mod m20260603_000005c_blocks;
mod m20260603_000005d_squeeze_in;
mod m20260603_000006_demand;
mod m20260603_000007_schedule_versions;
mod m20260604_000008_series;
mod m20260604_000009_earlier_visits;
mod m20260604_000009_proposals;
mod m20260604_000010_optimisation_input;
mod m20260604_000011_sources;
mod m20260604_000012_lengths;
mod m20260605_000013_days;
mod m20260605_000014_schedule_format;

/// Brings the schema up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20260601_000001_scheduling::Migration),
            Box::new(m20260602_000002_working_time::Migration),
            Box::new(m20260602_000003_time_off::Migration),
            Box::new(m20260603_000004_visits::Migration),
            Box::new(m20260603_000005a_cancellation_window::Migration),
            Box::new(m20260603_000005b_visit_states::Migration),
            Box::new(m20260603_000005c_blocks::Migration),
            Box::new(m20260603_000005d_squeeze_in::Migration),
            Box::new(m20260603_000006_demand::Migration),
            Box::new(m20260603_000007_schedule_versions::Migration),
            Box::new(m20260604_000008_series::Migration),
            Box::new(m20260604_000009_earlier_visits::Migration),
            Box::new(m20260604_000009_proposals::Migration),
            Box::new(m20260604_000010_optimisation_input::Migration),
            Box::new(m20260604_000011_sources::Migration),
            Box::new(m20260604_000012_lengths::Migration),
            Box::new(m20260605_000013_days::Migration),
            Box::new(m20260605_000014_schedule_format::Migration),
        ]
    }
}
