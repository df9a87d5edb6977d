//! The cache on a real Redis.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod failure;
mod figures;
mod inspect;
mod race;
mod read;
mod shop;
