//! Retell: call events, and custom functions as the agent's tools.

mod payload;
pub mod signature;

use jiff::Timestamp;
use tonic::Status;

use super::{
    adapter::{Adapter, Proof, Received},
    delivery::{CallEvent, Delivery, ToolCall},
    proof::Fault,
};

/// The platform's name in paths and records.
pub const NAME: &str = "retell";

/// Retell's webhooks.
#[derive(Debug)]
pub struct Retell;

impl Adapter for Retell {
    fn name(&self) -> &'static str {
        NAME
    }

    fn verify(&self, received: Received<'_>, proof: Proof<'_>, now: Timestamp) -> Result<(), Fault> {
        signature::verify(received.headers, received.body, proof.secret, now)
    }

    fn parse(&self, received: Received<'_>) -> Result<Delivery, Status> {
        payload::parse(received.body)
    }

    /// The analysis is the last that comes.
    fn reports(&self, call: &str) -> Vec<String> {
        vec![format!("{call}:call_analyzed")]
    }

    fn listed(&self, document: &[u8]) -> Result<CallEvent, Status> {
        payload::listed(document)
    }

    /// A delivery holds one tool call, and the answer is the body.
    fn answers(&self, answers: Vec<(ToolCall, String)>) -> String {
        answers.into_iter().map(|(_, answer)| answer).next().unwrap_or_default()
    }
}
