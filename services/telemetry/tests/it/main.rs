//! The telemetry service through its generated clients, on a real database.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod at_scale;
mod caches;
mod call_filters;
mod call_health;
mod call_notes;
mod call_views;
mod calls;
mod contact_reach;
mod delivered_recordings;
mod desk;
mod erasure;
mod events;
mod following;
mod insights;
mod insights_recount;
mod isolation;
mod notices;
mod past_calls;
mod process;
mod product_events;
mod record;
mod recording_files;
mod recordings;
mod retention;
mod s3;
mod shelves;
mod take_over;
mod team_bookings;
mod tenancy;
mod tool_calls;
mod untold_calls;
