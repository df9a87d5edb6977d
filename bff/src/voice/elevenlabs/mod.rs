//! ElevenLabs: post-call webhooks, and server tools as the agent's tools.

mod payload;
pub mod signature;

use http::StatusCode;
use jiff::Timestamp;
use tonic::Status;

use super::{
    adapter::{Adapter, Proof, Received},
    delivery::{CallEvent, Delivery, ToolCall},
    proof::Fault,
};

pub use payload::{RECORDED, recorded};

/// The platform's name in paths and records.
pub const NAME: &str = "elevenlabs";

/// ElevenLabs' webhooks.
#[derive(Debug)]
pub struct ElevenLabs;

impl Adapter for ElevenLabs {
    fn name(&self) -> &'static str {
        NAME
    }

    fn verify(&self, received: Received<'_>, proof: Proof<'_>, now: Timestamp) -> Result<(), Fault> {
        signature::verify(received.headers, received.body, proof.secret, now)
    }

    fn parse(&self, received: Received<'_>) -> Result<Delivery, Status> {
        payload::parse(received.body)
    }

    fn reports(&self, call: &str) -> Vec<String> {
        ["post_call_transcription", "call_initiation_failure"].map(|event| format!("{call}:{event}")).to_vec()
    }

    fn listed(&self, document: &[u8]) -> Result<CallEvent, Status> {
        payload::listed(document)
    }

    /// A webhook that answers anything else ten times in a row is disabled.
    fn acknowledgement(&self) -> StatusCode {
        StatusCode::OK
    }

    /// A request holds one tool call, and the answer is the body.
    fn answers(&self, answers: Vec<(ToolCall, String)>) -> String {
        answers.into_iter().map(|(_, answer)| answer).next().unwrap_or_default()
    }
}
