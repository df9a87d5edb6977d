//! The log and its followers on real databases, over real gRPC.
#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod fixture;
mod following;
mod log;
mod restore;
