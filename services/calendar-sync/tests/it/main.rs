//! The calendar-sync service through its generated clients, on a real database, beside
//! a strict scheduling.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod calendars;
mod consent;
mod demo;
mod health;
mod isolation;
mod process;
mod read;
mod salon;
mod scheduling;
mod shortfalls;
mod tenancy;
mod trace;
mod write;
