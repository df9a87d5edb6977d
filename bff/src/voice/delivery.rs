//! What a platform delivers, in one form for all of them.

use proto::frontdesk::telemetry::internal::v1::CallFacts;
use serde_json::{Map, Value};

/// A delivery whose signature was believed.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    /// Something happened to a call.
    Event(CallEvent),
    /// The agent wants something done and a person is waiting.
    Tool(ToolCall),
}

/// Something that happened to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallEvent {
    /// Names the event within its connection; a repeated delivery has the same.
    pub key: String,
    /// What it says of the call.
    pub facts: CallFacts,
    /// The call is over.
    pub ended: bool,
}

/// A tool the agent calls.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Names the call of the tool within its connection; a repeated delivery has the same.
    pub key: String,
    /// What the delivery says of the telephone call.
    pub facts: CallFacts,
    /// The tool, as the agent names it.
    pub name: String,
    /// What the agent gave it.
    pub arguments: Map<String, Value>,
    /// The customer's number, E.164; `None` when withheld.
    pub customer_number: Option<String>,
}

/// `text`, if it is a telephone number in E.164.
#[must_use]
pub fn e164(text: &str) -> Option<String> {
    let digits = text.strip_prefix('+')?;
    let fits = (7..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    (fits && !digits.starts_with('0')).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_withheld_number_is_none() {
        assert_eq!(e164("+447700900123").as_deref(), Some("+447700900123"));
        for text in ["", "anonymous", "+0447700900", "447700900123", "+44 7700 900123", "+1234567890123456"] {
            assert_eq!(e164(text), None, "{text}");
        }
    }
}
