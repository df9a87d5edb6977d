//! The one contract crate: every message, path and permission of Frontdesk.
//!
//! All of it but [`error`], [`parse`] and [`time`] is generated from the `.proto`
//! files beside it. See `README.md` for the pipeline.

use core::pin::Pin;

pub mod error;
pub mod parse;
#[cfg(feature = "rest")]
pub mod rest;
pub mod time;

/// What a server-streaming handler answers.
pub type ResponseStream<T> = Pin<Box<dyn futures::Stream<Item = Result<T, tonic::Status>> + Send>>;

/// The methods of the contract with their rules.
pub mod methods {
    include!(concat!(env!("OUT_DIR"), "/methods.rs"));
}

#[expect(clippy::all, clippy::allow_attributes, reason = "generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/modules.rs"));
}

pub use generated::frontdesk;
