//! The calendar-sync service through its generated clients, on a real database, beside
//! a strict scheduling.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod appointment_sync;
mod book;
mod caldav;
mod caldav_fake;
mod calendars;
mod chaos;
mod consent;
mod consistency;
mod demo;
mod desk;
mod employee_calendars;
mod erasure;
mod feeds;
mod google;
mod google_chaos;
mod google_consent;
mod google_push;
mod health;
mod ics;
mod ics_fake;
mod ics_reading;
mod isolation;
mod limits;
mod lock_order;
mod others;
mod others_chaos;
mod phorest;
mod process;
mod provider;
mod provider_chaos;
mod provider_turns;
mod radicale;
mod read;
mod renaming;
mod reports;
mod retention;
mod rollback;
mod salon;
mod scheduling;
mod shortfalls;
mod speed;
mod square;
mod tenancy;
mod trace;
mod write;
