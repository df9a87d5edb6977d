//! What every `main` of the installation needs: configuration, clock and random
//! source, telemetry, a served gRPC port and peers.
//!
//! A service parses [`config::ServiceConfig`], makes a [`Host`] of it, and hands
//! its routes to [`grpc::serve`] inside [`run`].

pub mod admission;
mod allocator;
mod call;
pub mod causes;
pub mod clock;
pub mod config;
pub mod drain;
pub mod environment;
pub mod faults;
pub mod fetched;
pub mod grpc;
pub mod host;
pub mod keyring;
pub mod peer;
mod production;
pub mod random;
pub mod retention;
mod run;
mod secret;
pub mod security;
pub mod settings;
pub mod stores;
pub mod telemetry;
pub mod tls;
pub mod transport;

pub use host::Host;
pub use run::run;
