//! Transactions, migrations and what telemetry tells of them, on a real Postgres.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod idempotency;
mod migrate;
mod pooler;
mod telemetry;
mod transaction;
