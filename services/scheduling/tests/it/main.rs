//! The service through its generated clients, on a real Postgres.
#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod answers;
mod availability;
mod booking;
mod busy;
mod cancelling;
mod catalogue;
mod clock_changes;
mod closures;
mod daylight_saving;
mod dependencies;
mod events;
mod explaining;
mod following;
mod guests;
mod holds;
mod hours;
mod idempotency;
mod intelligence;
mod isolation;
mod lists;
mod matching;
mod metrics;
mod pairings;
mod past;
mod patterns;
mod plans;
mod race;
mod resources;
mod salon;
mod time_off;
mod values;
mod waitlist;
