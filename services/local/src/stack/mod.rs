//! The whole installation on one machine.

mod account;
mod client;
pub mod plan;
mod postgres;
mod prometheus;
mod provider;
mod redis;
pub mod run;
mod secrets;
mod tls;

pub use client::Client;
pub use postgres::{Postgres, READY_WITHIN};
pub use prometheus::Prometheus;
pub use provider::{Program, Provider};
pub use redis::Redis;
pub use secrets::Secrets;
pub use tls::Certificates;
