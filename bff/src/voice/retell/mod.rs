//! Retell: call events, and custom functions as the agent's tools.

mod payload;
pub mod signature;

pub use payload::parse;

/// The platform's name in paths and records.
pub const NAME: &str = "retell";
