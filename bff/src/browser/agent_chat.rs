//! Turns of chats in which a person tries the agent, and replays of past calls: answered line by line as they come.

use core::convert::Infallible;
use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Extension, FromRequestParts, Path, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use caller::BusinessId;
use futures::{Stream, StreamExt, future::ready};
use http::{HeaderName, header, request::Parts};
use jiff::SignedDuration;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::{
        telemetry::v1::{GetCallRequest, GetCallResponse, Speaker, call_service_methods::GET_CALL},
        tenancy::v1::{
            GetAgentChatRequest, GetAgentChatResponse, agent_chat_service_methods::GET_AGENT_CHAT,
        },
    },
    time,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Browser, SignedIn, client::client, message, token::Person, visitor::Visitor};
use crate::{
    body::JsonBody,
    edge::Deadline,
    refusal::Refusal,
    voice::chat::{Failed, Part, PastCall, PastTool, PastWords, ReplayPart, Said, Trial, Utterance},
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
    /// The caller of a replayed call says this again.
    Said {
        /// The words.
        text: String,
    },
    /// A look-up of a replayed call says something else now, as of then.
    Changed {
        /// The tool's name.
        tool: String,
        /// What it said.
        before: String,
        /// What it says.
        after: String,
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

impl From<ReplayPart> for Line {
    fn from(part: ReplayPart) -> Self {
        match part {
            ReplayPart::Said(text) => Self::Said { text },
            ReplayPart::Changed { tool, before, after } => Self::Changed { tool, before, after },
            ReplayPart::Part(part) => part.into(),
        }
    }
}

fn sentence(failed: Failed) -> &'static str {
    match failed {
        Failed::Silent => "The language model gave no answer in time.",
        Failed::Refused => "The language model could not answer.",
        Failed::TooLong => "This chat is as long as one may be. Start a new one.",
        Failed::CutShort => "The caller goes on, but only their first 40 turns are replayed.",
    }
}

/// Who asks about a chat, before the body of the request is read.
pub struct Trying {
    visitor: Visitor,
    person: Person,
    business: BusinessId,
    agent_chat_id: String,
}

impl FromRequestParts<Arc<Browser>> for Trying {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, door: &Arc<Browser>) -> Result<Self, Refusal> {
        let SignedIn(person) = SignedIn::from_request_parts(parts, door).await?;
        let Path((business_id, agent_chat_id)) = Path::<(String, String)>::from_request_parts(parts, door)
            .await
            .map_err(|_| refuse(Reason::NotFound, "there is no such chat"))?;
        let Extension(deadline) = Extension::<Deadline>::from_request_parts(parts, door)
            .await
            .map_err(|_| refuse(Reason::Internal, "a request has no deadline"))?;
        let client = client(parts);
        let visitor =
            Visitor { door: door.clone(), person: Some(person), client, deadline, idempotency_key: None };
        let business = proto::parse::id("business_id", &business_id)?;
        Ok(Self { visitor, person, business, agent_chat_id })
    }
}

impl Trying {
    /// The chat, if it is theirs and they may go on with it.
    async fn trial(&self) -> Result<Trial, Refusal> {
        let (business, agent_chat_id) = (self.business, self.agent_chat_id.clone());
        let wanted = GetAgentChatRequest { business_id: business.to_string(), agent_chat_id };
        let found = self.visitor.ask(&GET_AGENT_CHAT, Some(business), wanted).await;
        let found: GetAgentChatResponse = found.map_err(message::in_json)?;
        let agent = found.chat.and_then(|chat| chat.agent);
        let agent = agent.ok_or_else(|| refuse(Reason::Internal, "the answer has no agent"))?;
        self.visitor.door.chat_rate.admit(self.person.user)?;
        let passport = self.visitor.passport(&GET_AGENT_CHAT, Some(business)).await?;
        Ok(Trial { person: passport.bearer, business, agent })
    }

    /// A call of the business, as far as it can be replayed.
    async fn past_call(&self, call_id: String) -> Result<(PastCall, String), Refusal> {
        let wanted = GetCallRequest { business_id: self.business.to_string(), call_id };
        let found = self.visitor.ask(&GET_CALL, Some(self.business), wanted).await;
        let found: GetCallResponse = found.map_err(message::in_json)?;
        let call = found.call.ok_or_else(|| refuse(Reason::Internal, "the answer has no call"))?;
        let words = found.turns.into_iter().filter(|turn| turn.speaker() == Speaker::Caller).map(|turn| {
            let offset = (turn.offset_ms >= 0).then(|| SignedDuration::from_millis(turn.offset_ms.into()));
            PastWords { text: turn.text, offset }
        });
        let tools = found.tool_calls.into_iter().filter_map(|tool| {
            let at = time::parse("started_at", tool.started_at.as_ref()).ok()??;
            Some(PastTool { name: tool.name, arguments: tool.arguments, result: tool.result, at })
        });
        let started_at = time::required("started_at", call.started_at.as_ref())?;
        Ok((PastCall { started_at, words: words.collect(), tools: tools.collect() }, call.from_number))
    }
}

/// `POST /api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/turns`.
pub async fn turn(
    State(door): State<Arc<Browser>>,
    trying: Trying,
    JsonBody(turn): JsonBody<Turn>,
) -> Result<Response, Refusal> {
    if turn.text.trim().is_empty() || turn.text.chars().count() > LONGEST_TEXT {
        return Err(invalid("text", "must have 1 to 2,000 characters").into());
    }
    let trial = trying.trial().await?;
    let Turn { text, carried, heard, caller_number } = turn;
    let said = Said { text, heard: Some(heard), caller_number: Some(caller_number) };
    let parts = door.chats.answer(door.gateway.clone(), trial, &carried, said);
    Ok(line_by_line(parts.map_err(message::in_json)?))
}

/// A call to replay.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replay {
    call_id: String,
}

/// `POST /api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/replay`.
pub async fn replay(
    State(door): State<Arc<Browser>>,
    trying: Trying,
    JsonBody(Replay { call_id }): JsonBody<Replay>,
) -> Result<Response, Refusal> {
    let trial = trying.trial().await?;
    let (call, number) = trying.past_call(call_id).await?;
    let parts = door.chats.replay(door.gateway.clone(), trial, call, &number);
    // What is carried is for the next turn of a chat, and a replay has none.
    let parts = parts.map_err(message::in_json)?;
    let shown = parts.filter(|part| ready(!matches!(part, ReplayPart::Part(Part::Carried(_)))));
    Ok(line_by_line(shown))
}

fn line_by_line<T: Into<Line>>(parts: impl Stream<Item = T> + Send + 'static) -> Response {
    let lines = parts.map(|part| {
        let line: Line = part.into();
        Ok::<_, Infallible>(Bytes::from(json!(line).to_string() + "\n"))
    });
    // A proxy that gathers the answer would show all of it at the end.
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (UNBUFFERED, "no")];
    (headers, Body::from_stream(lines)).into_response()
}
