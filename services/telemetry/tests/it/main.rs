//! The telemetry service through its generated clients, on a real database.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod caches;
mod call_health;
mod calls;
mod contact_reach;
mod desk;
mod events;
mod following;
mod isolation;
mod process;
mod record;
mod scheduling;
mod tool_calls;
