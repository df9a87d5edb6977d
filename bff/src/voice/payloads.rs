//! What each platform delivers, whole and in the form that it documents: every event is read, and no change of a body
//! breaks its adapter.

use http::HeaderMap;
use proptest::{
    prelude::*,
    sample::{Index, select},
    test_runner::{Config, TestRunner},
};
use proto::frontdesk::telemetry::internal::v1::CallFacts;
use serde_json::{Value, json};
use tonic::{Code, Status};

use super::{
    adapter::Received,
    delivery::{CallEvent, Delivery, ToolCall},
    platform::Platform,
};

/// An adapter is shown so many changed bodies.
const CHANGES: u32 = 512;
/// A hash of a body, in a key.
const HASH: usize = 43;

/// The bodies of a platform, one of each event.
fn bodies(platform: Platform) -> Vec<Vec<u8>> {
    let documents = match platform {
        Platform::Retell => include_str!("payloads/retell.json"),
        Platform::Vapi => include_str!("payloads/vapi.json"),
        Platform::ElevenLabs => include_str!("payloads/elevenlabs.json"),
        Platform::Twilio => {
            return include_str!("payloads/twilio.txt")
                .lines()
                .map(|form| form.as_bytes().to_vec())
                .collect();
        }
    };
    let documents: Vec<Value> = serde_json::from_str(documents).unwrap();
    documents.iter().map(|document| document.to_string().into_bytes()).collect()
}

fn parse(platform: Platform, body: &[u8]) -> Result<Delivery, Status> {
    platform.adapter().parse(Received { url: "https://desk.test/hook", headers: &HeaderMap::new(), body })
}

/// What is read of a call: its state, how many turns, and what else there is.
fn facts(facts: &CallFacts) -> Vec<String> {
    let state = facts.state().as_str_name().trim_start_matches("CALL_STATE_").to_lowercase();
    let mut told = vec![state, facts.turns.len().to_string()];
    let mut also = |is: bool, what: &str| told.extend(is.then(|| what.to_owned()));
    also(!facts.disconnection_reason.is_empty(), &facts.disconnection_reason);
    also(!facts.summary.is_empty(), "summary");
    also(!facts.recording_url.is_empty() || !facts.recording_id.is_empty(), "recording");
    told
}

/// An event in a line: its key within the call, and what is read of the call.
fn event(event: &CallEvent) -> String {
    let id = &event.facts.platform_call_id;
    let key = event.key.strip_prefix(id.as_str()).and_then(|key| key.strip_prefix(':')).unwrap();
    let name = match key.rsplit_once(':') {
        Some((name, hash)) if hash.len() == HASH => format!("{name}:#"),
        _ => key.to_owned(),
    };
    let over = event.ended.then(|| "over".to_owned());
    [name].into_iter().chain(over).chain(facts(&event.facts)).collect::<Vec<_>>().join(" ")
}

fn told(delivery: &Delivery) -> String {
    match delivery {
        Delivery::Event(of) => event(of),
        Delivery::Tools(calls) => {
            let tool = |call: &ToolCall| format!("tool {} {}", call.name, facts(&call.facts).join(" "));
            calls.iter().map(tool).collect::<Vec<_>>().join(", ")
        }
        Delivery::Incoming(of) => format!("incoming: {}", event(of)),
        Delivery::HandedBack(of, conversation) => format!("{conversation:?}: {}", event(of)),
        Delivery::Dialled(of, dialled) => format!("{dialled:?}: {}", event(of)),
        Delivery::Recorded(of) => format!("recorded: {}", event(of)),
        Delivery::Notice(notice) => format!("notice: {}", notice.kind),
    }
}

fn all_told(platform: Platform) -> Vec<String> {
    bodies(platform).iter().map(|body| told(&parse(platform, body).unwrap())).collect()
}

#[test]
fn each_event_of_retell_is_read() {
    let expected = [
        "call_started live 0",
        "transcript_updated:# live 2",
        "transfer_started:# unspecified 0",
        "transfer_bridged:# unspecified 0",
        "transfer_cancelled:# unspecified 0",
        "transfer_ended:# unspecified 0",
        "call_ended over ended 3 user_hangup recording",
        "call_analyzed ended 3 user_hangup summary recording",
        "tool search_availability live 2",
    ];
    assert_eq!(all_told(Platform::Retell), expected);
}

#[test]
fn each_event_of_vapi_is_read() {
    let expected = [
        "assistant-request:# unspecified 0",
        "status-update:ringing live 0",
        "status-update:in-progress live 0",
        "assistant.started:# unspecified 0",
        "speech-update:# unspecified 0",
        "transcript:# unspecified 0",
        "conversation-update:# live 2",
        "user-interrupted:# unspecified 0",
        "model-output:# unspecified 0",
        "voice-input:# unspecified 0",
        "tool search_availability live 2",
        "transfer-update:# unspecified 0",
        "phone-call-control:# unspecified 0",
        "hang:# unspecified 0",
        "status-update:forwarding live 0",
        "status-update:ended over ended 3 customer-ended-call",
        "end-of-call-report over ended 3 customer-ended-call summary recording",
    ];
    assert_eq!(all_told(Platform::Vapi), expected);
}

#[test]
fn each_event_of_elevenlabs_is_read() {
    let expected = [
        "post_call_transcription over ended 3 Call ended by remote party summary",
        "recorded: post_call_audio unspecified 0",
        "call_initiation_failure over ended 0 no-answer",
        "call_initiation_failure over ended 0 unknown",
        "tool search_availability live 0",
    ];
    assert_eq!(all_told(Platform::ElevenLabs), expected);
}

#[test]
fn each_callback_of_twilio_is_read() {
    let expected = [
        "incoming: incoming live 0",
        "status:initiated:0 live 0",
        "status:ringing:1 live 0",
        "status:in-progress:2 live 0",
        "status:completed:3 over ended 0 completed",
        "status:busy:2 over ended 0 busy",
        "status:failed:2 over ended 0 failed",
        "status:no-answer:2 over ended 0 no-answer",
        "status:canceled:2 over ended 0 canceled",
        "recording:REaa44:in-progress unspecified 0",
        "recording:REaa44:completed unspecified 0 recording",
        "recording:REaa44:absent unspecified 0",
        "GoesOn(\"+442079460018\"): relay:VXaa44 live 0",
        "Over: relay:VXaa44 ended 0 completed",
        "Broken { waits: true }: relay:VXaa44 live 0",
        "NotAnswered { waits: true }: dial:CAaa45:no-answer live 0",
        "Answered: dial:CAaa45:completed ended 0 completed",
    ];
    assert_eq!(all_told(Platform::Twilio), expected);
}

#[test]
fn an_event_of_another_kind_is_kept_whatever_form_its_fields_have() {
    let strange = [
        (
            Platform::Retell,
            json!({"event": "transfer_ended", "call": {"call_id": "c", "transcript_object": "none", "from_number": 7}}),
        ),
        (
            Platform::Vapi,
            json!({"message": {"type": "chat.created", "call": {"id": "c"}, "messages": "none", "status": {}}}),
        ),
        (
            Platform::ElevenLabs,
            json!({"type": "post_call_review", "data": {"conversation_id": "c", "transcript": {}}}),
        ),
    ];
    for (platform, document) in strange {
        let body = document.to_string().into_bytes();
        let read = parse(platform, &body).unwrap_or_else(|status| panic!("{platform:?}: {status}"));
        let Delivery::Event(read) = read else { panic!("{platform:?}: {read:?}") };
        assert_eq!((read.facts.platform_call_id.as_str(), read.ended), ("c", false));
        assert!(read.facts.turns.is_empty());
    }
    let known = json!({"event": "call_ended", "call": {"call_id": "c", "transcript_object": "none"}});
    assert!(parse(Platform::Retell, known.to_string().as_bytes()).is_err());
}

#[test]
fn an_event_that_names_no_call_is_a_notice_and_what_waits_for_an_answer_is_refused() {
    let json = |document: Value| document.to_string().into_bytes();
    let notices = [
        (Platform::Retell, json(json!({"event": "call_started", "call": {}})), "call_started"),
        (Platform::Retell, json(json!({"event": "agent_published"})), "agent_published"),
        (
            Platform::Vapi,
            json(json!({"message": {"type": "chat.created", "chat": {"id": "c"}}})),
            "chat.created",
        ),
        (
            Platform::Vapi,
            json(json!({"message": {"type": "session.created", "call": null}})),
            "session.created",
        ),
        (
            Platform::ElevenLabs,
            json(json!({"type": "voice_removal_notice", "data": {"voice_id": "v"}})),
            "voice_removal_notice",
        ),
        (Platform::ElevenLabs, json(json!({"type": "quota", "data": "soon"})), "quota"),
        (Platform::Twilio, b"AccountSid=AC1&MessageSid=SM1&SmsStatus=received".to_vec(), "message-received"),
        (Platform::Twilio, b"AccountSid=AC1&StatusCallbackEvent=conference-end".to_vec(), "conference-end"),
        (Platform::Twilio, b"AccountSid=AC1&Digits=1".to_vec(), "form"),
    ];
    for (platform, body, kind) in notices {
        let read = parse(platform, &body).unwrap_or_else(|status| panic!("{platform:?}: {status}"));
        assert_eq!(told(&read), format!("notice: {kind}"), "{platform:?}");
        assert!(is_whole(&read) && parse(platform, &body).unwrap() == read);
    }
    let refused = [
        (Platform::Retell, json(json!({"name": "hold_slot", "args": {}}))),
        (Platform::Retell, json(json!({"event": 7}))),
        (Platform::Retell, json(json!({"event": "call_started", "call": {"call_id": 7}}))),
        (Platform::Vapi, json(json!({"message": {"type": "tool-calls", "toolCallList": [{"id": "t"}]}}))),
        (Platform::Vapi, json(json!({"message": {"type": "two words"}}))),
        (Platform::Vapi, json(json!([]))),
        (Platform::ElevenLabs, json(json!({"tool": "hold_slot", "parameters": {}}))),
        (Platform::ElevenLabs, json(json!({"data": {}}))),
        (Platform::Twilio, b"CallStatus=ringing".to_vec()),
        (Platform::Twilio, b"AccountSid=AC1&CallSid=".to_vec()),
        (Platform::Twilio, vec![]),
    ];
    for (platform, body) in refused {
        let status = parse(platform, &body).unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{platform:?}");
    }
}

#[test]
fn events_of_another_kind_of_one_call_are_each_kept() {
    let started = |number: &str| {
        let call = json!({"call_id": "c", "transfer_destination": {"number": number}});
        let body = json!({"event": "transfer_started", "call": call}).to_string();
        let Delivery::Event(read) = parse(Platform::Retell, body.as_bytes()).unwrap() else { panic!() };
        read.key
    };
    assert_eq!(started("+441"), started("+441"));
    assert_ne!(started("+441"), started("+442"));
}

/// What may stand in the place of anything.
fn anything() -> impl Strategy<Value = Value> {
    let odd = vec![json!(-1), json!(i64::MIN), json!(i64::MAX), json!(u64::MAX), json!(1e300), json!(0.5)];
    let numbers = select(odd);
    let texts = prop_oneof![
        Just(String::new()),
        ".{0,12}",
        Just("x".repeat(300)),
        Just("+447700900123".to_owned()),
        Just("\u{0}\u{202e}\"}]".to_owned()),
    ];
    prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        numbers,
        texts.prop_map(Value::from),
        Just(json!([])),
        Just(json!([{}])),
        Just(json!({})),
        Just(json!({"number": {"number": []}})),
    ]
}

fn parts(document: &Value) -> usize {
    1 + match document {
        Value::Array(of) => of.iter().map(parts).sum(),
        Value::Object(of) => of.values().map(parts).sum(),
        _ => 0_usize,
    }
}

/// Replaces the part that is `at` so many before it.
fn replace(document: &mut Value, at: &mut usize, by: &Value) -> bool {
    if *at == 0 {
        *document = by.clone();
        return true;
    }
    *at -= 1;
    match document {
        Value::Array(of) => of.iter_mut().any(|part| replace(part, at, by)),
        Value::Object(of) => of.values_mut().any(|part| replace(part, at, by)),
        _ => false,
    }
}

/// A body with a part that is something else.
fn changed(body: &[u8], at: Index, by: &Value) -> Vec<u8> {
    let Ok(mut document) = serde_json::from_slice::<Value>(body) else {
        let mut pairs: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
        let at = at.index(pairs.len());
        pairs[at].1 = by.as_str().map_or_else(|| by.to_string(), str::to_owned);
        return form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish().into_bytes();
    };
    let mut at = at.index(parts(&document));
    assert!(replace(&mut document, &mut at, by));
    document.to_string().into_bytes()
}

/// A body with a name twice: readers disagree about which of the two counts.
fn doubled(body: &[u8], at: Index, by: &Value) -> Vec<u8> {
    let Ok(Value::Object(fields)) = serde_json::from_slice(body) else {
        let (name, _) = form_urlencoded::parse(body).next().unwrap();
        return [body, b"&", name.as_bytes(), b"=", by.to_string().as_bytes()].concat();
    };
    let name = fields.keys().nth(at.index(fields.len())).unwrap();
    let first = format!("{{{}:{by},", Value::from(name.as_str()));
    [first.as_bytes(), &body[1 + body.iter().position(|byte| *byte == b'{').unwrap()..]].concat()
}

/// A body that was changed in one to three places, cut off, has a name twice, or another byte.
fn bent(platform: Platform) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<Index>(), anything()), 1..4);
    let parts = (select(bodies(platform)), changes)
        .prop_map(|(body, changes)| changes.iter().fold(body, |body, (at, by)| changed(&body, *at, by)));
    let bytes = (select(bodies(platform)), any::<Index>(), any::<u8>()).prop_map(|(mut body, at, byte)| {
        let at = at.index(body.len());
        body[at] = byte;
        body
    });
    let cut = (select(bodies(platform)), any::<Index>())
        .prop_map(|(body, at)| body[..at.index(body.len())].to_vec());
    let twice = (select(bodies(platform)), any::<Index>(), anything())
        .prop_map(|(body, at, by)| doubled(&body, at, &by));
    prop_oneof![6 => parts, 2 => bytes, 1 => cut, 1 => twice]
}

/// A call that is taken in is named, and so is each of its events.
fn is_whole(delivery: &Delivery) -> bool {
    let named = |key: &str, facts: &CallFacts| {
        let id = facts.platform_call_id.as_str();
        !id.is_empty() && key.strip_prefix(id).is_some_and(|rest| rest.starts_with(':') && rest.len() > 1)
    };
    match delivery {
        Delivery::Event(event)
        | Delivery::Incoming(event)
        | Delivery::HandedBack(event, _)
        | Delivery::Dialled(event, _)
        | Delivery::Recorded(event) => named(&event.key, &event.facts),
        Delivery::Notice(notice) => {
            !notice.kind.is_empty() && notice.key.starts_with(&format!("notice:{}:", notice.kind))
        }
        Delivery::Tools(calls) => {
            !calls.is_empty()
                && calls.iter().all(|call| named(&call.key, &call.facts) && !call.name.is_empty())
        }
    }
}

/// Shows an adapter bodies that are nearly a delivery: each is read whole, or refused by the name of a field.
fn fuzz(platform: Platform) {
    let config = Config { cases: CHANGES, failure_persistence: None, ..Config::default() };
    let read = TestRunner::new(config).run(&bent(platform), |body| {
        match parse(platform, &body) {
            Ok(delivery) => prop_assert!(is_whole(&delivery), "{delivery:?}"),
            Err(status) => prop_assert_eq!(status.code(), Code::InvalidArgument),
        }
        Ok(())
    });
    read.unwrap_or_else(|failure| panic!("{platform:?}: {failure}"));
}

#[test]
fn no_body_breaks_retells_adapter() {
    fuzz(Platform::Retell);
}

#[test]
fn no_body_breaks_vapis_adapter() {
    fuzz(Platform::Vapi);
}

#[test]
fn no_body_breaks_twilios_adapter() {
    fuzz(Platform::Twilio);
}

#[test]
fn no_body_breaks_elevenlabs_adapter() {
    fuzz(Platform::ElevenLabs);
}
