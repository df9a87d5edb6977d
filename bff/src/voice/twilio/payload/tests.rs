use tonic_types::StatusExt;

use super::*;

const CALL: &str = "CallSid=CA1&AccountSid=AC1&From=%2B447700900123&To=%2B442079460014&Direction=inbound&ApiVersion=2010-04-01";

const URL: &str = "https://desk.test/hook";

fn parse_at(url: &str, body: &str) -> Result<Delivery, Status> {
    parse(Received { url, headers: &http::HeaderMap::new(), body: body.as_bytes() })
}

fn read(rest: &str) -> Delivery {
    parse_at(URL, &format!("{CALL}&{rest}")).unwrap()
}

fn event(rest: &str) -> CallEvent {
    match read(rest) {
        Delivery::Event(event) => event,
        other => panic!("{other:?}"),
    }
}

fn refused_field(body: &str) -> String {
    let status = parse_at(URL, body).unwrap_err();
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
fn a_recording_that_is_complete_is_named() {
    let url = "RecordingUrl=https%3A%2F%2Fapi.twilio.com%2FRE1";
    let read = event(&format!("RecordingSid=RE1&RecordingStatus=completed&{url}"));
    let facts = CallFacts { recording_id: "RE1".into(), ..bare("CA1") };
    assert_eq!((read.key.as_str(), read.facts), ("CA1:recording:RE1:completed", facts));
    let absent = event("RecordingSid=RE1&RecordingStatus=absent");
    assert_eq!(absent.facts, bare("CA1"), "there is none");
}

#[test]
fn a_person_who_takes_a_call_over_is_rung() {
    let url = format!("{URL}?hand_over=%2B442079460018");
    let taken = parse_at(&url, &format!("{CALL}&CallStatus=in-progress")).unwrap();
    let Delivery::HandedBack(read, conversation) = taken else { panic!() };
    assert!(read.key.starts_with("CA1:hand_over:"), "{}", read.key);
    assert_eq!(conversation, Conversation::GoesOn("+442079460018".into()));
    let none = parse_at(&format!("{URL}?hand_over=soon"), &format!("{CALL}&CallStatus=ringing")).unwrap();
    assert!(matches!(none, Delivery::Incoming(_)), "what is no number is not rung");
}

#[test]
fn what_came_of_putting_a_caller_through_names_who_answered() {
    let dialled = |status: &str, call: &str| {
        let body = format!("{CALL}&CallStatus={call}&DialCallStatus={status}&DialCallSid=CA2");
        match parse_at(&format!("{URL}?dialled=%2B442079460018"), &body).unwrap() {
            Delivery::Dialled(event, came_to) => (event, came_to),
            other => panic!("{other:?}"),
        }
    };
    let (event, came_to) = dialled("completed", "completed");
    assert_eq!((event.key.as_str(), came_to), ("CA1:dial:CA2:completed", Dialled::Answered));
    assert_eq!(event.facts.transferred_to, "+442079460018");
    for (status, call, waits) in [("no-answer", "in-progress", true), ("canceled", "completed", false)] {
        let (event, came_to) = dialled(status, call);
        assert_eq!(came_to, Dialled::NotAnswered { waits });
        assert_eq!(event.facts.transferred_to, "", "they spoke with no one");
    }
}

#[test]
fn the_end_of_the_agents_conversation_tells_where_the_call_goes() {
    let data = r#"{"transfer":"+442079460015"}"#;
    let encoded: String = form_urlencoded::byte_serialize(data.as_bytes()).collect();
    let rest = format!("CallStatus=in-progress&SessionId=VX1&SessionStatus=ended&HandoffData={encoded}");
    let Delivery::HandedBack(read, conversation) = read(&rest) else { panic!() };
    assert_eq!((read.key.as_str(), read.ended), ("CA1:relay:VX1", false));
    assert_eq!(conversation, Conversation::GoesOn("+442079460015".into()));
}

#[test]
fn a_conversation_that_failed_is_not_one_that_ended() {
    let conversation = |rest: &str| match read(&format!("SessionId=VX1&{rest}")) {
        Delivery::HandedBack(_, conversation) => conversation,
        other => panic!("{other:?}"),
    };
    assert_eq!(conversation("CallStatus=in-progress&SessionStatus=ended"), Conversation::Over);
    assert_eq!(
        conversation("CallStatus=completed&SessionStatus=completed&SessionDuration=88"),
        Conversation::Over
    );
    let failed = "SessionStatus=failed&ErrorCode=64105&ErrorMessage=Websocket+ended";
    for (call, waits) in [("in-progress", true), ("completed", false)] {
        assert_eq!(conversation(&format!("CallStatus={call}&{failed}")), Conversation::Broken { waits });
    }
    let data: String = form_urlencoded::byte_serialize(Handoff::NotBegun.write().as_bytes()).collect();
    let not_begun = format!("CallStatus=in-progress&SessionStatus=ended&HandoffData={data}");
    assert_eq!(conversation(&not_begun), Conversation::Broken { waits: true });
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
