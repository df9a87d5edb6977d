//! What tests live in: a Postgres database each, Redis, a mail server, a clock that
//! stands still, passports, and services served in-process.
//!
//! Everything here panics when it fails: a test that has no database has failed.

mod database;
pub mod echo;
pub mod event_log;
mod host;
pub mod isolation;
mod keys;
mod lives;
mod noted;
mod pgbouncer;
mod plans;
mod postgres;
mod redis;
mod request;
mod scheduling;
mod serve;
mod smtp;
mod tls;

pub use database::{TestDatabase, database};
pub use host::{START, host, host_on, keyring, keyring_file, keyring_json};
pub use keys::{Exception, check_keys, other_keys};
pub use lives::{Ageless, check_lives};
pub use noted::{Unnoted, check_noted};
pub use plans::Plan;
pub use postgres::{CrashablePostgres, Postgres, postgres, stop, troubles};
pub use redis::{TestRedis, redis};
pub use request::{SESSION, USER, as_agent, as_person, as_service, as_user};
pub use scheduling::Scheduling;
pub use serve::{peer, serve, serve_within};
pub use smtp::{ReceivedMail, SmtpServer, smtp, smtps};
pub use tls::{HttpsServer, https};
