//! Vapi: server messages, and tool calls as the agent's tools.

mod payload;
pub mod signature;

use jiff::Timestamp;
use serde_json::json;
use tonic::Status;

use super::{
    adapter::{Adapter, Proof, Received},
    delivery::{CallEvent, Delivery, ToolCall},
    proof::Fault,
};

/// The platform's name in paths and records.
pub const NAME: &str = "vapi";

/// Vapi's webhooks.
#[derive(Debug)]
pub struct Vapi;

impl Adapter for Vapi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn verify(&self, received: Received<'_>, proof: Proof<'_>, now: Timestamp) -> Result<(), Fault> {
        signature::verify(received.headers, received.body, proof, now)
    }

    fn parse(&self, received: Received<'_>) -> Result<Delivery, Status> {
        payload::parse(received.body)
    }

    fn reports(&self, call: &str) -> Vec<String> {
        vec![format!("{call}:end-of-call-report")]
    }

    fn listed(&self, document: &[u8]) -> Result<CallEvent, Status> {
        payload::listed(document)
    }

    /// Each result stands under its tool call's id, as a string.
    fn answers(&self, answers: Vec<(ToolCall, String)>) -> String {
        let results: Vec<_> = answers
            .into_iter()
            .map(|(call, answer)| json!({"name": call.name, "toolCallId": call.id, "result": answer}))
            .collect();
        json!({ "results": results }).to_string()
    }
}
