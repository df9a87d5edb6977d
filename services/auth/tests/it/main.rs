//! The auth service through its generated clients, on a real database.
#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod account;
mod account_admin;
mod admission;
mod alike;
mod businesses;
mod change_password;
mod create_admin;
mod devices;
mod email;
mod fixture;
mod forgotten;
mod invitations;
mod log;
mod members;
mod memberships;
mod names;
mod process;
mod provider;
mod provisioning;
mod refresh;
mod registration;
mod reset_password;
mod schema;
mod security;
mod sign_in;
mod sign_in_limit;
mod signing_keys;
