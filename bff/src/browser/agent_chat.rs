//! Turns of chats in which a person tries the agent, answered line by line as they come.

use core::convert::Infallible;
use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Extension, Path, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use caller::BusinessId;
use futures::StreamExt;
use http::{HeaderName, header};
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::tenancy::v1::{
        GetAgentChatRequest, GetAgentChatResponse, agent_chat_service_methods::GET_AGENT_CHAT,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Browser, SignedIn, client::ClientInfo, message, visitor::Visitor};
use crate::{
    body::JsonBody,
    edge::Deadline,
    refusal::Refusal,
    voice::chat::{Failed, Part, Said, Trial, Utterance},
};

/// As nginx reads it.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");
/// More than anyone types at once.
const LONGEST_TEXT: usize = 2_000;

/// What a person says.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Turn {
    /// The words, at most 2,000 characters.
    text: String,
    /// The last `carried` of the turn before; empty at first.
    #[serde(default)]
    carried: String,
    /// The agent's words since then, where that turn was interrupted.
    #[serde(default)]
    heard: String,
    /// The number to take them to call from, E.164; empty for a withheld one.
    #[serde(default)]
    caller_number: String,
}

/// A line of the answer.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Line {
    /// More of what the agent says.
    Words {
        /// The words.
        text: String,
    },
    /// It begins to use a tool.
    Uses {
        /// The tool's name.
        tool: String,
        /// JSON.
        arguments: String,
    },
    /// The answer of the tool that it began to use last.
    Used {
        /// JSON.
        result: String,
        /// It did what it was asked.
        ok: bool,
        /// How long it took.
        milliseconds: u64,
    },
    /// What the next turn goes on from, even when the rest of this one is not waited for.
    Carried {
        /// To be sent as it is.
        carried: String,
    },
    /// The turn is over.
    Over,
    /// There is no reply, and the same may be said again.
    Failed {
        /// For the person.
        message: &'static str,
    },
}

impl From<Part> for Line {
    fn from(part: Part) -> Self {
        match part {
            Part::Utterance(Utterance::Words(text)) => Self::Words { text },
            Part::Utterance(Utterance::Uses(wanted)) => {
                Self::Uses { tool: wanted.name, arguments: wanted.arguments }
            }
            Part::Utterance(Utterance::Used { result, elapsed }) => Self::Used {
                ok: serde_json::from_str::<Value>(&result).is_ok_and(|answer| answer["ok"] == true),
                milliseconds: elapsed.as_millis().try_into().unwrap_or(u64::MAX),
                result,
            },
            Part::Carried(carried) => Self::Carried { carried },
            Part::Over => Self::Over,
            Part::Failed(failed) => Self::Failed { message: sentence(failed) },
        }
    }
}

fn sentence(failed: Failed) -> &'static str {
    match failed {
        Failed::Silent => "The language model gave no answer in time.",
        Failed::Refused => "The language model could not answer.",
        Failed::TooLong => "This chat is as long as one may be. Start a new one.",
    }
}

/// `POST /api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/turns`.
pub async fn turn(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    Path((business_id, agent_chat_id)): Path<(String, String)>,
    ClientInfo(client): ClientInfo,
    SignedIn(person): SignedIn,
    JsonBody(turn): JsonBody<Turn>,
) -> Result<Response, Refusal> {
    let business: BusinessId = proto::parse::id("business_id", &business_id)?;
    if turn.text.trim().is_empty() || turn.text.chars().count() > LONGEST_TEXT {
        return Err(invalid("text", "must have 1 to 2,000 characters").into());
    }
    let visitor =
        Visitor { door: door.clone(), person: Some(person), client, deadline, idempotency_key: None };
    let wanted = GetAgentChatRequest { business_id, agent_chat_id };
    let found = visitor.ask(&GET_AGENT_CHAT, Some(business), wanted).await;
    let found: GetAgentChatResponse = found.map_err(message::in_json)?;
    let agent = found.chat.and_then(|chat| chat.agent);
    let agent = agent.ok_or_else(|| refuse(Reason::Internal, "the answer has no agent"))?;
    door.chat_rate.admit(person.user)?;
    let passport = visitor.passport(&GET_AGENT_CHAT, Some(business)).await?;
    let trial = Trial { person: passport.bearer, business, agent };
    let said = Said { text: turn.text, heard: Some(turn.heard), caller_number: Some(turn.caller_number) };
    let parts = door.chats.answer(door.gateway.clone(), trial, &turn.carried, said);
    let parts = parts.map_err(message::in_json)?;
    let lines = parts.map(|part| {
        let line = json!(Line::from(part)).to_string() + "\n";
        Ok::<_, Infallible>(Bytes::from(line))
    });
    // A proxy that gathers the answer would show all of it at the end.
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (UNBUFFERED, "no")];
    Ok((headers, Body::from_stream(lines)).into_response())
}
