//! The tenancy service through its generated clients, on real Postgres.
#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod agent_settings;
mod answers;
mod audit;
mod business;
mod contact_reach;
mod customer;
mod customer_export;
mod customer_merge;
mod customer_note;
mod customer_profile;
mod customer_record;
mod customer_search;
mod details;
mod directory;
mod employee;
mod event;
mod follow_up;
mod idempotency;
mod import;
mod import_employees;
mod import_killed;
mod isolation;
mod item;
mod joining;
mod leak;
mod onboarding;
mod plan;
mod retention;
mod seal;
mod setups;
mod stage;
mod start;
mod stock;
mod supplier;
mod voice;
