//! The auth service through its generated clients, on a real database.
#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod account;
mod admission;
mod fixture;
mod log;
mod names;
mod process;
mod provisioning;
mod refresh;
mod reset_password;
mod schema;
mod sign_in;
mod signing_keys;
