//! Boot on a real Postgres and real sockets.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod admission;
mod grpc;
mod metrics;
mod peer;
mod stores;
mod tls;
