//! Twilio's forms: the call that comes in, callbacks about its status and recording, and what follows `<Connect>`.

use jiff::{Timestamp, fmt::rfc2822};
use proto::{
    error::invalid,
    frontdesk::telemetry::{internal::v1::CallFacts, v1::CallState},
    time,
};
use serde::Deserialize;
use tonic::Status;

use super::twiml::Handoff;
use crate::{
    body::malformed,
    voice::{
        adapter::Received,
        delivery::{CallEvent, Conversation, Delivery, Dialled, Notice},
        field::{call_id, e164, hash, name, number},
    },
};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Form {
    call_sid: Option<String>,
    from: Option<String>,
    to: Option<String>,
    call_status: Option<String>,
    callback_source: Option<String>,
    sequence_number: Option<u32>,
    timestamp: Option<String>,
    recording_sid: Option<String>,
    recording_status: Option<String>,
    /// ConversationRelay has ended: `ended` by us, `completed` by the caller, `failed` where the socket could not be
    /// reached or broke off.
    session_id: Option<String>,
    session_status: Option<String>,
    handoff_data: Option<String>,
    /// `<Dial>` has ended.
    dial_call_status: Option<String>,
    dial_call_sid: Option<String>,
    /// What every form of Twilio has.
    account_sid: Option<String>,
    /// Of messages, conferences and other things that are no calls.
    message_status: Option<String>,
    sms_status: Option<String>,
    status_callback_event: Option<String>,
    event_type: Option<String>,
}

/// What our address names: the number that a person takes the call over at.
const HAND_OVER: &str = "hand_over";
/// And the one that was rung.
pub const DIALLED: &str = "dialled";

/// A number that our own address names: Twilio signs the address.
fn queried(url: &str, name: &str) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let (_, number) = form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name)?;
    e164(&number)
}

/// Reads a form whose signature was believed.
///
/// # Errors
/// INVALID_ARGUMENT, naming the parameter.
pub fn parse(received: Received<'_>) -> Result<Delivery, Status> {
    let body = received.body;
    let form = Form::read(body)?;
    if let Some(notice) = form.notice(body) {
        return Ok(Delivery::Notice(notice));
    }
    let id = call_id("CallSid", form.call_sid.as_deref())?;
    if let Some(status) = form.dial_call_status.as_deref() {
        return form.dialled(&id, status, queried(received.url, DIALLED), body);
    }
    if let Some(number) = queried(received.url, HAND_OVER) {
        let key = format!("{id}:hand_over:{}", hash(body));
        let event = CallEvent { key, facts: form.facts(&id)?, ended: false };
        return Ok(Delivery::HandedBack(event, Conversation::GoesOn(number)));
    }
    if let Some(session) = form.session_id.as_deref() {
        let key = format!("{id}:relay:{}", call_id("SessionId", Some(session))?);
        let facts = form.facts(&id)?;
        let conversation = form.conversation(facts.state() == CallState::Live);
        return Ok(Delivery::HandedBack(CallEvent { key, facts, ended: false }, conversation));
    }
    if let Some(recording) = form.recording_sid.as_deref() {
        let status =
            name("RecordingStatus", form.recording_status.clone().unwrap_or_else(|| "completed".into()))?;
        let recording = call_id("RecordingSid", Some(recording))?;
        let key = format!("{id}:recording:{recording}:{status}");
        let recording_id = if status == "completed" { recording } else { String::new() };
        let facts = CallFacts { recording_id, ..bare(&id) };
        return Ok(Delivery::Event(CallEvent { key, facts, ended: false }));
    }
    let status = form.call_status.clone().ok_or_else(|| invalid("CallStatus", "is required"))?;
    let status = name("CallStatus", status)?;
    let facts = form.facts(&id)?;
    if form.callback_source.is_none() && form.sequence_number.is_none() && is_incoming(&status) {
        return Ok(Delivery::Incoming(CallEvent { key: format!("{id}:incoming"), facts, ended: false }));
    }
    let ended = facts.state() == CallState::Ended;
    let number = form.sequence_number.map_or_else(|| hash(body), |number| number.to_string());
    Ok(Delivery::Event(CallEvent { key: format!("{id}:status:{status}:{number}"), facts, ended }))
}

/// A call as Twilio's API shows it.
#[derive(Debug, Deserialize)]
struct Listed {
    sid: Option<String>,
    from: Option<String>,
    to: Option<String>,
    status: Option<String>,
    start_time: Option<String>,
    end_time: Option<String>,
}

/// Reads a call as Twilio's API shows it.
///
/// # Errors
/// INVALID_ARGUMENT, naming the field.
pub fn listed(document: &[u8]) -> Result<CallEvent, Status> {
    let call: Listed =
        serde_json::from_slice(document).map_err(|error| malformed(document, &error.to_string()))?;
    let id = call_id("sid", call.sid.as_deref())?;
    Ok(CallEvent::listed(CallFacts {
        state: CallState::Ended.into(),
        from_number: number(call.from.as_deref()),
        to_number: number(call.to.as_deref()),
        started_at: instant("start_time", call.start_time.as_deref())?,
        ended_at: instant("end_time", call.end_time.as_deref())?,
        disconnection_reason: call.status.unwrap_or_default(),
        ..bare(&id)
    }))
}

fn is_incoming(status: &str) -> bool {
    matches!(status, "ringing" | "in-progress")
}

impl Form {
    /// The first of each parameter counts.
    fn read(body: &[u8]) -> Result<Self, Status> {
        let text = core::str::from_utf8(body).map_err(|_| invalid("body", "is no form"))?;
        let mut object = serde_json::Map::new();
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            let value = if name == "SequenceNumber" {
                let number: u32 = value.parse().map_err(|_| invalid("SequenceNumber", "is not a number"))?;
                number.into()
            } else {
                value.into_owned().into()
            };
            object.entry(name.into_owned()).or_insert(value);
        }
        serde_json::from_value(object.into()).map_err(|error| invalid("body", &error.to_string()))
    }

    /// What it tells of, if that is no call.
    fn notice(&self, body: &[u8]) -> Option<Notice> {
        if self.call_sid.is_some() || self.account_sid.is_none() {
            return None;
        }
        let message = self.message_status.as_ref().or(self.sms_status.as_ref());
        let event = self.status_callback_event.clone().or_else(|| self.event_type.clone());
        let kind = event.or_else(|| message.map(|status| format!("message-{status}")));
        Notice::new(kind.unwrap_or_else(|| "form".to_owned()), body)
    }

    fn facts(&self, id: &str) -> Result<CallFacts, Status> {
        let ended = match self.call_status.as_deref() {
            Some("completed" | "busy" | "failed" | "no-answer" | "canceled") => true,
            Some("queued" | "initiated" | "ringing" | "in-progress" | "answered") => false,
            _ => return Ok(bare(id)),
        };
        let state = if ended { CallState::Ended } else { CallState::Live };
        Ok(CallFacts {
            state: state.into(),
            from_number: number(self.from.as_deref()),
            to_number: number(self.to.as_deref()),
            ended_at: if ended { self.instant()? } else { None },
            disconnection_reason: if ended {
                self.call_status.clone().unwrap_or_default()
            } else {
                String::new()
            },
            ..bare(id)
        })
    }

    /// What became of the conversation of which `<Connect>` tells; `waits` is whether the caller is still there.
    fn conversation(&self, waits: bool) -> Conversation {
        let broken =
            self.session_status.as_deref().is_some_and(|status| !matches!(status, "ended" | "completed"));
        match self.handoff_data.as_deref().and_then(Handoff::read) {
            Some(Handoff::Transfer(number)) => Conversation::GoesOn(number),
            Some(Handoff::NotBegun) => Conversation::Broken { waits },
            None if broken => Conversation::Broken { waits },
            None => Conversation::Over,
        }
    }

    /// What `<Dial>` came to. The caller may have hung up meanwhile.
    fn dialled(
        &self,
        id: &str,
        status: &str,
        number: Option<String>,
        body: &[u8],
    ) -> Result<Delivery, Status> {
        let status = name("DialCallStatus", status.to_owned())?;
        let leg = match self.dial_call_sid.as_deref() {
            Some(leg) => call_id("DialCallSid", Some(leg))?,
            None => hash(body),
        };
        let facts = self.facts(id)?;
        let waits = facts.state() == CallState::Live;
        let is_answered = matches!(status.as_str(), "completed" | "answered");
        let transferred_to = number.filter(|_| is_answered).unwrap_or_default();
        let dialled = if is_answered { Dialled::Answered } else { Dialled::NotAnswered { waits } };
        let event = CallEvent {
            key: format!("{id}:dial:{leg}:{status}"),
            facts: CallFacts { transferred_to, ..facts },
            ended: false,
        };
        Ok(Delivery::Dialled(event, dialled))
    }

    fn instant(&self) -> Result<Option<pbjson_types::Timestamp>, Status> {
        instant("Timestamp", self.timestamp.as_deref())
    }
}

fn instant(field: &str, text: Option<&str>) -> Result<Option<pbjson_types::Timestamp>, Status> {
    let read = |text: &str| -> Result<Timestamp, Status> {
        let at = rfc2822::parse(text).map_err(|_| invalid(field, "is not a time in RFC 2822"))?;
        Ok(at.timestamp())
    };
    Ok(text.map(read).transpose()?.map(time::to_proto))
}

fn bare(id: &str) -> CallFacts {
    CallFacts { platform_call_id: id.to_owned(), platform: super::NAME.to_owned(), ..CallFacts::default() }
}

#[cfg(test)]
mod tests;
