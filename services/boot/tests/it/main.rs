//! Boot on a real Postgres and real sockets.

mod database;
mod echo;
mod grpc;
mod migrate;
mod peer;
mod telemetry;
