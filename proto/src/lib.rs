//! The one contract crate: every message, path and permission of Frontdesk.
//!
//! All of it but [`contact`], [`csv`], [`error`], [`parse`], [`sample_call`], [`time`] and [`webhook`] is generated from
//! the `.proto` files beside it. See `README.md` for the pipeline.
//!
//! # Handlers
//!
//! A handler is handed the scope that its method's access rule gives, and only a
//! [`caller::Gate`] makes one:
//!
//! ```
//! use proto::frontdesk::tenancy::internal::v1::{
//!     GetPublishedAgentRequest, GetPublishedAgentResponse, PublishedAgentServiceHandler,
//! };
//! use tonic::Status;
//!
//! struct Agents;
//!
//! #[async_trait::async_trait]
//! impl PublishedAgentServiceHandler for Agents {
//!     async fn get_published_agent(
//!         &self,
//!         scope: caller::BusinessScope,
//!         request: GetPublishedAgentRequest,
//!     ) -> Result<GetPublishedAgentResponse, Status> {
//!         Err(Status::unimplemented(format!("{:?} {request:?}", scope.role())))
//!     }
//! }
//! ```
//!
//! A handler that ignores its scope does not compile:
//!
//! ```compile_fail,E0050
//! use proto::frontdesk::tenancy::internal::v1::{
//!     GetPublishedAgentRequest, GetPublishedAgentResponse, PublishedAgentServiceHandler,
//! };
//! use tonic::Status;
//!
//! struct Agents;
//!
//! #[async_trait::async_trait]
//! impl PublishedAgentServiceHandler for Agents {
//!     async fn get_published_agent(&self, request: GetPublishedAgentRequest) -> Result<GetPublishedAgentResponse, Status> {
//!         Err(Status::unimplemented(format!("{request:?}")))
//!     }
//! }
//! ```
//!
//! Nor does one that asks for another scope:
//!
//! ```compile_fail,E0053
//! use proto::frontdesk::tenancy::internal::v1::{
//!     GetPublishedAgentRequest, GetPublishedAgentResponse, PublishedAgentServiceHandler,
//! };
//! use tonic::Status;
//!
//! struct Agents;
//!
//! #[async_trait::async_trait]
//! impl PublishedAgentServiceHandler for Agents {
//!     async fn get_published_agent(
//!         &self,
//!         scope: caller::Unscoped,
//!         request: GetPublishedAgentRequest,
//!     ) -> Result<GetPublishedAgentResponse, Status> {
//!         Err(Status::unimplemented(format!("{scope:?} {request:?}")))
//!     }
//! }
//! ```
//!
//! And a scope can't be made by hand:
//!
//! ```compile_fail,E0451
//! fn all_of(business: caller::BusinessId, actor: caller::Actor) -> caller::BusinessScope {
//!     let role = caller::Role::Admin;
//!     caller::BusinessScope { business, actor, role, deadline: None, idempotency_key: None }
//! }
//! ```

use core::pin::Pin;

pub mod calendar_feed;
pub mod contact;
pub mod csv;
pub mod error;
mod gated;
pub mod label;
pub mod page;
pub mod parse;
#[cfg(feature = "rest")]
pub mod rest;
pub mod sample_call;
pub mod time;
pub mod webhook;

pub use gated::Gated;

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
