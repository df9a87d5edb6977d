//! The whole installation on one machine.

mod account;
pub mod plan;
mod postgres;
mod redis;
pub mod run;
mod secrets;

pub use postgres::{Postgres, READY_WITHIN};
pub use redis::Redis;
pub use secrets::Secrets;
