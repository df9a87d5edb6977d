//! What a platform delivers, in one form for all of them.

use agent_tools::Tool;
use proto::{frontdesk::telemetry::internal::v1::CallFacts, sample_call};
use serde_json::{Map, Value};

use super::{
    field::{e164, hash, name},
    proof::digits,
};

/// A delivery whose signature was believed.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    /// Something happened to a call.
    Event(CallEvent),
    /// The agent wants these done, one after the other, and a person is waiting.
    Tools(Vec<ToolCall>),
    /// The platform asks how to take a call.
    Incoming(CallEvent),
    /// Our own agent's conversation ended, or a person takes the call over, and the platform asks what comes next.
    HandedBack(CallEvent, Conversation),
    /// The caller was to be put through, and the platform tells what came of it and asks what comes next.
    Dialled(CallEvent, Dialled),
    /// A recording is in the body itself.
    Recorded(CallEvent),
    /// Something happened that names no call, such as to a chat.
    Notice(Notice),
}

/// What became of a conversation with our own agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conversation {
    /// It came to its end, or the caller hung up.
    Over,
    /// It goes on with a person at this number, E.164.
    GoesOn(String),
    /// It could not begin, or broke off.
    Broken {
        /// The caller is still there.
        waits: bool,
    },
}

/// What came of putting a caller through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialled {
    /// They spoke with a person, and that is over.
    Answered,
    /// No one answered.
    NotAnswered {
        /// The caller is still there.
        waits: bool,
    },
}

impl Delivery {
    /// The id of its call, if it is a sample by which a connection is tested.
    #[must_use]
    pub fn sample(&self) -> Option<&str> {
        let facts = match self {
            Self::Event(event)
            | Self::Incoming(event)
            | Self::HandedBack(event, _)
            | Self::Dialled(event, _)
            | Self::Recorded(event) => &event.facts,
            Self::Tools(calls) => &calls.first()?.facts,
            Self::Notice(_) => return None,
        };
        Some(facts.platform_call_id.as_str()).filter(|call| sample_call::is_sample(call))
    }
}

/// Where published agents deliver, the address names the version of the settings they were published from.
const VERSION: &str = "agent_version";

impl Delivery {
    /// The same, of a call that runs on the version that its address names, unless the body names one.
    #[must_use]
    pub fn at(mut self, query: Option<&str>) -> Self {
        let version = query.and_then(|query| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let (_, version) = pairs.find(|(name, _)| name == VERSION)?;
            digits(&version).and_then(|version| i32::try_from(version).ok())
        });
        let Some(version) = version else { return self };
        let facts: Vec<&mut CallFacts> = match &mut self {
            Self::Event(event)
            | Self::Incoming(event)
            | Self::HandedBack(event, _)
            | Self::Dialled(event, _)
            | Self::Recorded(event) => vec![&mut event.facts],
            Self::Tools(calls) => calls.iter_mut().map(|call| &mut call.facts).collect(),
            Self::Notice(_) => vec![],
        };
        for facts in facts.into_iter().filter(|facts| facts.agent_version == 0) {
            facts.agent_version = version;
        }
        self
    }
}

/// Something that happened, and names no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Names it within its connection; a repeated delivery has the same.
    pub key: String,
    /// What happened, as the platform names it.
    pub kind: String,
}

impl Notice {
    /// A notice of this kind, if that is a name.
    #[must_use]
    pub fn new(kind: String, body: &[u8]) -> Option<Self> {
        let kind = name("kind", kind).ok()?;
        Some(Self { key: format!("notice:{kind}:{}", hash(body)), kind })
    }
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

impl CallEvent {
    /// What a platform's own API tells of a call that has ended.
    #[must_use]
    pub fn listed(facts: CallFacts) -> Self {
        Self { key: listed_key(&facts.platform_call_id), facts, ended: true }
    }
}

/// Names what a platform's own API told of a call.
#[must_use]
pub fn listed_key(call: &str) -> String {
    format!("{call}:listed")
}

/// A tool the agent calls.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Names the call of the tool within its connection; a repeated delivery has the same.
    pub key: String,
    /// The platform's id of it, to answer under; empty where a delivery holds one alone.
    pub id: String,
    /// What the delivery says of the telephone call.
    pub facts: CallFacts,
    /// The tool, as the agent names it.
    pub name: String,
    /// What the agent gave it.
    pub arguments: Map<String, Value>,
    /// The customer's number, E.164; `None` when withheld.
    pub customer_number: Option<String>,
}

impl ToolCall {
    /// The tool that leaves the team a message about a caller, where the salon takes any.
    #[must_use]
    pub fn message(key: String, facts: CallFacts, text: &str) -> Self {
        let customer_number = e164(&facts.from_number);
        Self {
            key,
            id: String::new(),
            facts,
            name: Tool::TakeMessage.name().to_owned(),
            arguments: Map::from_iter([("message".to_owned(), text.into())]),
            customer_number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_runs_on_the_version_that_its_address_names() {
        let event = |agent_version| {
            let facts = CallFacts { agent_version, ..CallFacts::default() };
            Delivery::Event(CallEvent { key: "k".to_owned(), facts, ended: false })
        };
        assert_eq!(event(0).at(Some("x=1&agent_version=7")), event(7));
        assert_eq!(event(3).at(Some("agent_version=7")), event(3), "what the body says counts");
        for query in [None, Some(""), Some("agent_version="), Some("agent_version=-1"), Some("version=7")] {
            assert_eq!(event(0).at(query), event(0), "{query:?}");
        }
    }
}
