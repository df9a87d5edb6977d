//! What the door asks of a platform, whichever it is.

use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use tonic::Status;

use super::{
    delivery::{CallEvent, Delivery, ToolCall},
    hmac_format::HmacFormat,
    proof::Fault,
};

/// A request of a platform, as it arrived.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// Its address as the platform knows it, with the query: behind a proxy the request's own differs.
    pub url: &'a str,
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// Its body, byte by byte.
    pub body: &'a [u8],
}

/// What a request must prove: that it knows a connection's secret.
#[derive(Debug, Clone, Copy)]
pub struct Proof<'a> {
    /// The secret that the platform was given.
    pub secret: &'a str,
    /// How it proves to know it.
    pub check: &'a Check,
}

/// How a connection's platform proves that a delivery is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// By the platform's own signature.
    Signature,
    /// By sending the secret itself.
    Bearer,
    /// By an HMAC in a format that the owner configured there.
    Hmac(HmacFormat),
}

/// A voice platform's webhooks.
pub trait Adapter: core::fmt::Debug + Sync {
    /// The name in paths and records.
    fn name(&self) -> &'static str;

    /// Checks that the platform made the request around `now`.
    ///
    /// # Errors
    /// The first check that failed.
    fn verify(&self, received: Received<'_>, proof: Proof<'_>, now: Timestamp) -> Result<(), Fault>;

    /// Reads a request that was believed.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, naming the field.
    fn parse(&self, received: Received<'_>) -> Result<Delivery, Status>;

    /// The events of which any tells all there is to tell of a call that has ended.
    fn reports(&self, call: &str) -> Vec<String>;

    /// Whether that it has ended is all there is to tell of a call.
    fn end_suffices(&self) -> bool {
        false
    }

    /// Reads a call that has ended, as the platform's own API shows it.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, naming the field.
    fn listed(&self, document: &[u8]) -> Result<CallEvent, Status>;

    /// What says that an event is kept.
    fn acknowledgement(&self) -> StatusCode {
        StatusCode::NO_CONTENT
    }

    /// The JSON that hands answers to the agent, one for each tool call of a delivery.
    fn answers(&self, answers: Vec<(ToolCall, String)>) -> String;
}
