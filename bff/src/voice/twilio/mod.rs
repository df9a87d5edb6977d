//! Twilio: the voice webhook that asks how to take a call, status and recording callbacks, and the end of the
//! conversation that our own agent held over ConversationRelay.

mod payload;
pub mod signature;
pub mod twiml;

use jiff::Timestamp;
use tonic::Status;

pub use payload::DIALLED;

use super::{
    adapter::{Adapter, Proof, Received},
    delivery::{CallEvent, Delivery, ToolCall},
    proof::Fault,
};

/// The platform's name in paths and records.
pub const NAME: &str = "twilio";

/// Twilio's webhooks.
#[derive(Debug)]
pub struct Twilio;

impl Adapter for Twilio {
    fn name(&self) -> &'static str {
        NAME
    }

    /// Twilio's signature has no time. A request that is sent again finds its event kept already.
    fn verify(&self, received: Received<'_>, proof: Proof<'_>, _: Timestamp) -> Result<(), Fault> {
        signature::verify(received, proof.secret)
    }

    fn parse(&self, received: Received<'_>) -> Result<Delivery, Status> {
        payload::parse(received)
    }

    fn reports(&self, _: &str) -> Vec<String> {
        vec![]
    }

    /// What was said is told by our own agent.
    fn end_suffices(&self) -> bool {
        true
    }

    fn listed(&self, document: &[u8]) -> Result<CallEvent, Status> {
        payload::listed(document)
    }

    /// The agent's tools run in the conversation, not in webhooks.
    fn answers(&self, _: Vec<(ToolCall, String)>) -> String {
        String::new()
    }
}
