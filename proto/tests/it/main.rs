//! The contract and what refuses to build it.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod openapi;
mod refused;
