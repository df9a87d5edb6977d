use tonic_types::StatusExt;

use super::*;

const CALL: &str = "CallSid=CA1&AccountSid=AC1&From=%2B447700900123&To=%2B442079460014&Direction=inbound&ApiVersion=2010-04-01";

fn read(rest: &str) -> Delivery {
    parse(format!("{CALL}&{rest}").as_bytes()).unwrap()
}

fn event(rest: &str) -> CallEvent {
    match read(rest) {
        Delivery::Event(event) => event,
        other => panic!("{other:?}"),
    }
}

fn refused_field(body: &str) -> String {
    let status = parse(body.as_bytes()).unwrap_err();
    status.get_details_bad_request().unwrap().field_violations[0].field.clone()
}

#[test]
fn a_call_that_rings_asks_how_to_be_taken() {
    let Delivery::Incoming(read) = read("CallStatus=ringing&CallerName=ANA") else { panic!() };
    assert_eq!(read.key, "CA1:incoming");
    let expected = CallFacts {
        platform_call_id: "CA1".into(),
        platform: "twilio".into(),
        state: CallState::Live.into(),
        from_number: "+447700900123".into(),
        to_number: "+442079460014".into(),
        ..CallFacts::default()
    };
    assert_eq!(read.facts, expected);
}

#[test]
fn a_status_callback_is_an_event_by_its_number() {
    let status = |status: &str, number: u32| {
        event(&format!(
            "CallStatus={status}&CallbackSource=call-progress-events&SequenceNumber={number}\
             &Timestamp=Mon%2C%2001%20Jun%202026%2008%3A01%3A00%20%2B0000"
        ))
    };
    assert_eq!(status("ringing", 1).key, status("ringing", 1).key);
    assert_ne!(status("ringing", 1).key, status("in-progress", 2).key);
    assert!(!status("in-progress", 2).ended);
    let ended = status("completed", 3);
    assert!(ended.ended);
    assert_eq!(ended.facts.ended_at, Some(pbjson_types::Timestamp { seconds: 1_780_300_860, nanos: 0 }));
    assert_eq!(ended.facts.disconnection_reason, "completed");
}

#[test]
fn a_recording_is_an_event_that_changes_no_facts() {
    let read =
        event("RecordingSid=RE1&RecordingStatus=completed&RecordingUrl=https%3A%2F%2Fapi.twilio.com%2FRE1");
    assert_eq!((read.key.as_str(), read.facts), ("CA1:recording:RE1:completed", bare("CA1")));
}

#[test]
fn the_end_of_the_agents_conversation_tells_where_the_call_goes() {
    let data = r#"{"transfer":"+442079460015"}"#;
    let encoded: String = form_urlencoded::byte_serialize(data.as_bytes()).collect();
    let rest = format!("CallStatus=in-progress&SessionId=VX1&SessionStatus=ended&HandoffData={encoded}");
    let Delivery::HandedBack(read, handoff) = read(&rest) else { panic!() };
    assert_eq!((read.key.as_str(), read.ended), ("CA1:relay:VX1", false));
    assert_eq!(handoff, Some(Handoff { transfer: "+442079460015".into() }));
}

#[test]
fn a_status_of_tomorrow_changes_no_facts() {
    assert_eq!(event("CallStatus=parked&SequenceNumber=4").facts, bare("CA1"));
}

#[test]
fn a_malformed_form_is_refused_by_the_name_of_its_parameter() {
    assert_eq!(refused_field(""), "CallSid");
    assert_eq!(refused_field("CallSid=a%20b&CallStatus=ringing"), "CallSid");
    assert_eq!(refused_field("CallSid=CA1"), "CallStatus");
    assert_eq!(refused_field("CallSid=CA1&CallStatus="), "CallStatus");
    assert_eq!(refused_field("CallSid=CA1&CallStatus=completed&SequenceNumber=x"), "SequenceNumber");
    assert_eq!(
        refused_field("CallSid=CA1&CallStatus=completed&SequenceNumber=1&Timestamp=soon"),
        "Timestamp"
    );
}

#[test]
fn a_call_of_its_api_tells_how_it_ended() {
    let document = serde_json::json!({"sid": "CA1", "account_sid": "AC1", "from": "+447700900123", "to": "+442079460014",
        "status": "completed", "direction": "inbound", "duration": "60", "price": null,
        "start_time": "Mon, 01 Jun 2026 08:00:00 +0000", "end_time": "Mon, 01 Jun 2026 08:01:00 +0000"});
    let read = listed(document.to_string().as_bytes()).unwrap();
    assert_eq!((read.key.as_str(), read.ended), ("CA1:listed", true));
    let at = |seconds| Some(pbjson_types::Timestamp { seconds, nanos: 0 });
    let expected = CallFacts {
        platform_call_id: "CA1".into(),
        platform: "twilio".into(),
        state: CallState::Ended.into(),
        from_number: "+447700900123".into(),
        to_number: "+442079460014".into(),
        started_at: at(1_780_300_800),
        ended_at: at(1_780_300_860),
        disconnection_reason: "completed".into(),
        ..CallFacts::default()
    };
    assert_eq!(read.facts, expected);
    assert!(listed(br#"{"sid":"CA1","start_time":"yesterday"}"#).is_err());
}
