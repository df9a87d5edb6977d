//! The whole installation on one machine.

mod account;
pub mod plan;
mod postgres;
mod provider;
mod redis;
pub mod run;
mod secrets;
mod tls;

pub use postgres::{Postgres, READY_WITHIN};
pub use provider::{Client, Program, Provider};
pub use redis::Redis;
pub use secrets::Secrets;
pub use tls::Certificates;
