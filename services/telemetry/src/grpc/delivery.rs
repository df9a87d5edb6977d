//! What a voice door delivers, parsed once.

use caller::{Actor, BusinessScope, Tenant};
use jiff::Timestamp;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::telemetry::{
        internal::v1::{CallFacts, Delivery as WireDelivery},
        v1::{CallState, Speaker as WireSpeaker, Turn as WireTurn},
    },
    parse, time,
};
use tonic::Status;

use crate::{
    domain::{
        ConnectionId,
        call::Identity,
        excerpt::excerpt,
        facts::{End, Facts},
        phone::Phone,
        recording::Source,
        transcript::{Speaker, Transcript, Turn},
    },
    store::Delivery,
};

/// Longest body: a call of an hour and a half, with the time of each word.
pub(super) const MAX_BODY: usize = 2 << 20;
/// What was read from a body is no longer than a body may be: a long call must not be lost.
const MAX_TEXT: usize = MAX_BODY;
const MAX_TURNS: usize = 30_000;
/// Bytes kept of a summary. The delivery keeps the whole.
const KEPT_SUMMARY: usize = 4 << 10;
/// Bytes kept of what was said in one turn.
const KEPT_TURN: usize = 8 << 10;
/// A signed address of a file.
const MAX_RECORDING_URL: usize = 4 << 10;
/// Longest name or id.
pub(super) const MAX_NAME: usize = 255;

/// The voice connection that calls.
pub(super) fn connection(scope: &BusinessScope) -> Result<ConnectionId, Status> {
    match scope.actor() {
        Actor::Agent { connection } => Ok(ConnectionId(connection)),
        Actor::Person { .. } | Actor::Service { .. } => {
            Err(refuse(Reason::RoleTooLow, "only a voice agent may call this method"))
        }
    }
}

/// The voice connection that calls, which the field must name.
pub(super) fn own_connection(scope: &BusinessScope, field: &str, id: &str) -> Result<ConnectionId, Status> {
    let connection = connection(scope)?;
    if parse::id::<ConnectionId>(field, id)? != connection {
        return Err(invalid(field, "is not the connection of the passport"));
    }
    Ok(connection)
}

/// A delivery, which must have come in on the caller's own connection.
pub(super) fn delivery(scope: &BusinessScope, wire: Option<WireDelivery>) -> Result<Delivery, Status> {
    let wire = wire.ok_or_else(|| invalid("delivery", "is required"))?;
    let connection = own_connection(scope, "delivery.connection_id", &wire.connection_id)?;
    if wire.body.len() > MAX_BODY {
        return Err(refuse(Reason::TooLarge, "delivery.body is larger than 2 MiB"));
    }
    Ok(Delivery {
        connection,
        event_key: parse::raw_text("delivery.event_key", &wire.event_key, MAX_NAME)?,
        body: wire.body,
        received_at: micros(time::required("delivery.received_at", wire.received_at.as_ref())?),
    })
}

/// What a delivery tells, and of which call.
pub(super) fn facts(delivery: &Delivery, wire: Option<CallFacts>) -> Result<(Identity, Facts), Status> {
    let wire = wire.ok_or_else(|| invalid("facts", "is required"))?;
    let platform_call_id = parse::raw_text("facts.platform_call_id", &wire.platform_call_id, MAX_NAME)?;
    let facts = Facts {
        first_seen: delivery.received_at,
        ended: end(&wire, delivery.received_at)?,
        platform: parse::optional_raw_text("facts.platform", &wire.platform, MAX_NAME)?,
        from: number("facts.from_number", &wire.from_number)?,
        to: number("facts.to_number", &wire.to_number)?,
        started: time::parse("facts.started_at", wire.started_at.as_ref())?.map(micros),
        summary: words("facts.summary", &wire.summary, KEPT_SUMMARY)?,
        agent_version: natural("facts.agent_version", wire.agent_version)?,
        disconnection: words("facts.disconnection_reason", &wire.disconnection_reason, MAX_NAME)?,
        transferred: number("facts.transferred_to", &wire.transferred_to)?,
        transcript: transcript(wire.turns)?,
    };
    Ok((Identity { connection: delivery.connection, platform_call_id }, facts))
}

/// Where the recording is to be had.
pub(super) fn recording(wire: Option<&CallFacts>) -> Result<Option<Source>, Status> {
    let text = |of: fn(&CallFacts) -> &String| wire.map_or("", |facts| of(facts).as_str());
    if let Some(upload) =
        parse::optional_id("facts.recording_upload_id", text(|facts| &facts.recording_upload_id))?
    {
        return Ok(Some(Source::Upload(upload)));
    }
    if let Some(id) =
        parse::optional_raw_text("facts.recording_id", text(|facts| &facts.recording_id), MAX_NAME)?
    {
        return Ok(Some(Source::Platform(id)));
    }
    // One that can't be called is no reason to lose the delivery.
    let url = text(|facts| &facts.recording_url);
    let url = parse::optional_raw_text("facts.recording_url", url, MAX_RECORDING_URL).ok().flatten();
    Ok(url.and_then(Source::address))
}

/// A call has ended when its state or a time of the end says so.
fn end(wire: &CallFacts, seen: Timestamp) -> Result<Option<End>, Status> {
    let reported = time::parse("facts.ended_at", wire.ended_at.as_ref())?.map(micros);
    let state = CallState::try_from(wire.state).map_err(|_| invalid("facts.state", "is not a state"))?;
    Ok((state == CallState::Ended || reported.is_some()).then_some(End { seen, reported }))
}

fn transcript(turns: Vec<WireTurn>) -> Result<Transcript, Status> {
    if turns.len() > MAX_TURNS {
        return Err(invalid("facts.turns", "are more than 30,000"));
    }
    turns.into_iter().map(turn).collect::<Result<_, _>>().map(Transcript::new)
}

fn turn(wire: WireTurn) -> Result<Turn, Status> {
    let speaker = match WireSpeaker::try_from(wire.speaker) {
        Ok(WireSpeaker::Agent) => Speaker::Agent,
        Ok(WireSpeaker::Caller) => Speaker::Caller,
        Ok(WireSpeaker::Unspecified) | Err(_) => return Err(invalid("facts.turns.speaker", "is required")),
    };
    let text = words("facts.turns.text", &wire.text, KEPT_TURN)?.unwrap_or_default();
    let measured = |ms: i32| (ms >= 0).then_some(ms);
    let latency_ms = wire.latency_ms.and_then(measured);
    Ok(Turn { speaker, text, offset_ms: measured(wire.offset_ms), latency_ms, interrupted: wire.interrupted })
}

fn number(field: &str, text: &str) -> Result<Option<Phone>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    Phone::parse(text).map(Some).ok_or_else(|| invalid(field, "is not E.164"))
}

/// What a person said, a model wrote or a platform puts into words: control characters are noise there, no reason
/// to lose the delivery. Nor is length: `most` bytes are kept.
fn words(field: &str, text: &str, most: usize) -> Result<Option<String>, Status> {
    let spaced = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let text = parse::optional_raw_text(field, &text.chars().map(spaced).collect::<String>(), MAX_TEXT)?;
    Ok(text.map(|text| excerpt(text, most)))
}

/// A number that is not negative.
pub(super) fn natural(field: &str, number: i32) -> Result<i32, Status> {
    if number < 0 { Err(invalid(field, "is negative")) } else { Ok(number) }
}

/// As precise as it will be kept: what is compared must not differ by less.
fn micros(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}
