//! The service through its generated clients, on a real Postgres.
#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod answers;
mod availability;
mod blocks;
mod booking;
mod booking_policy;
mod busy;
mod cancelling;
mod catalogue;
mod clock_changes;
mod closures;
mod daylight_saving;
mod events;
mod explaining;
mod following;
mod holds;
mod hours;
mod idempotency;
mod isolation;
mod lists;
mod metrics;
mod moving;
mod patterns;
mod plans;
mod progress;
mod race;
mod salon;
mod squeezing_in;
mod time_off;
mod values;
mod walking_in;
