use proto::frontdesk::telemetry::v1::Turn;
use serde_json::json;
use tonic_types::StatusExt;

use super::*;

fn call() -> Value {
    json!({
        "id": "call-1", "type": "inboundPhoneCall", "createdAt": "2026-06-01T08:00:00.000Z",
        "customer": {"number": "+447700900123"}, "phoneNumber": {"number": "+442079460014"},
    })
}

fn read(mut message: Value) -> Delivery {
    message["call"] = call();
    parse(json!({ "message": message }).to_string().as_bytes()).unwrap()
}

fn event(message: Value) -> CallEvent {
    match read(message) {
        Delivery::Event(event) => event,
        other => panic!("{other:?}"),
    }
}

fn tools(message: Value) -> Vec<ToolCall> {
    match read(message) {
        Delivery::Tools(tools) => tools,
        other => panic!("{other:?}"),
    }
}

fn refused_field(body: &str) -> String {
    let status = parse(body.as_bytes()).unwrap_err();
    status.get_details_bad_request().unwrap().field_violations[0].field.clone()
}

#[test]
fn reads_the_report_at_the_end_of_a_call() {
    let read = event(json!({
        "type": "end-of-call-report", "endedReason": "customer-ended-call", "cost": 0.12,
        "startedAt": "2026-06-01T08:00:01.250Z", "endedAt": "2026-06-01T08:01:00Z",
        "artifact": {"transcript": "…", "messages": [
            {"role": "system", "message": "You are a receptionist.", "secondsFromStart": 0.0},
            {"role": "bot", "message": "Hello", "secondsFromStart": 0.6, "time": 1_780_300_801_850_i64},
            {"role": "tool_calls", "toolCalls": []},
            {"role": "user", "message": " Hi there ", "secondsFromStart": 2.0},
        ]},
        "analysis": {"summary": "Booked a cut.", "successEvaluation": "true"},
    }));
    assert_eq!((read.key.as_str(), read.ended), ("call-1:end-of-call-report", true));
    let at = |seconds, nanos| Some(pbjson_types::Timestamp { seconds, nanos });
    let expected = CallFacts {
        platform_call_id: "call-1".into(),
        platform: "vapi".into(),
        state: CallState::Ended.into(),
        from_number: "+447700900123".into(),
        to_number: "+442079460014".into(),
        started_at: at(1_780_300_801, 250_000_000),
        ended_at: at(1_780_300_860, 0),
        summary: "Booked a cut.".into(),
        turns: vec![
            Turn { speaker: Speaker::Agent.into(), text: "Hello".into(), offset_ms: 600, ..Turn::default() },
            Turn {
                speaker: Speaker::Caller.into(),
                text: "Hi there".into(),
                offset_ms: 2000,
                ..Turn::default()
            },
        ],
        disconnection_reason: "customer-ended-call".into(),
        ..CallFacts::default()
    };
    assert_eq!(read.facts, expected);
}

#[test]
fn each_status_is_one_event_and_each_conversation_its_own() {
    let status = |status: &str| event(json!({"type": "status-update", "status": status}));
    assert_eq!(status("ringing").key, status("ringing").key);
    assert_ne!(status("ringing").key, status("in-progress").key);
    assert_eq!((status("in-progress").ended, status("ended").ended), (false, true));
    let said = |text: &str| {
        event(json!({"type": "conversation-update", "messages": [{"role": "user", "message": text}]}))
    };
    assert_eq!(said("a").key, said("a").key);
    assert_ne!(said("a").key, said("b").key);
    assert_eq!(said("a").facts.turns.len(), 1);
}

#[test]
fn an_event_of_tomorrow_changes_no_facts() {
    let read = event(json!({"type": "speech-update", "status": "started", "role": "user"}));
    assert_eq!((read.facts, read.ended), (bare("call-1"), false));
}

#[test]
fn reads_tool_calls_as_the_documentation_and_as_the_sdk_write_them() {
    let documented = json!({"type": "tool-calls", "toolCallList": [
        {"id": "t1", "name": "find_customer", "parameters": {"phone": "07700 900123"}},
        {"id": "t2", "name": "list_services"},
    ]});
    let read = tools(documented);
    assert_eq!(read.iter().map(|tool| tool.id.as_str()).collect::<Vec<_>>(), ["t1", "t2"]);
    assert_eq!(read[0].arguments["phone"], "07700 900123");
    assert_eq!(read[0].customer_number.as_deref(), Some("+447700900123"));
    assert_ne!(read[0].key, read[1].key);
    let typed = json!({"type": "tool-calls", "toolCallList": [
        {"id": "t1", "type": "function", "function": {"name": "find_customer", "arguments": "{\"phone\":\"07700 900123\"}"}},
    ]});
    assert_eq!(tools(typed)[0], read[0]);
}

#[test]
fn a_call_that_was_made_goes_from_the_salon_to_the_customer() {
    let mut outbound = json!({"message": {"type": "status-update", "status": "in-progress", "call": call()}});
    outbound["message"]["call"]["type"] = "outboundPhoneCall".into();
    let Delivery::Event(read) = parse(outbound.to_string().as_bytes()).unwrap() else { panic!() };
    assert_eq!(
        (read.facts.from_number.as_str(), read.facts.to_number.as_str()),
        ("+442079460014", "+447700900123")
    );
}

#[test]
fn a_malformed_body_is_refused_by_the_name_of_its_field() {
    assert_eq!(refused_field("{"), "body");
    assert_eq!(refused_field("{}"), "message");
    assert_eq!(refused_field(r#"{"message":{"call":{"id":"c"}}}"#), "message.type");
    assert_eq!(refused_field(r#"{"message":{"type":"hang","call":{"id":"a b"}}}"#), "message.call.id");
    let tools = |list: &str| {
        refused_field(&format!(
            r#"{{"message":{{"type":"tool-calls","call":{{"id":"c"}},"toolCallList":{list}}}}}"#
        ))
    };
    assert_eq!(tools("[]"), "message.toolCallList");
    assert_eq!(tools(r#"[{"name":"n"}]"#), "message.toolCallList[0].id");
    assert_eq!(tools(r#"[{"id":"t"}]"#), "message.toolCallList[0].name");
    assert_eq!(tools(r#"[{"id":"t","name":"n","arguments":[]}]"#), "message.toolCallList[0].arguments");
    let late = r#"{"message":{"type":"end-of-call-report","endedAt":"yesterday","call":{"id":"c"}}}"#;
    assert_eq!(refused_field(late), "message.endedAt");
}

#[test]
fn a_call_of_its_api_is_the_same_call() {
    let artifact = json!({"recordingUrl": "https://files.example/call-1.wav", "messages": [
        {"role": "user", "message": "A cut", "secondsFromStart": 1.0, "time": 1_780_300_802_000_i64, "endTime": 1_780_300_803_000_i64},
        {"role": "bot", "message": "I have ten,", "secondsFromStart": 2.5, "time": 1_780_300_803_640_i64, "endTime": 1_780_300_806_000_i64},
        {"role": "user", "message": "Ten", "secondsFromStart": 4.0, "time": 1_780_300_805_000_i64, "endTime": 1_780_300_806_500_i64},
    ]});
    let report = json!({"startedAt": "2026-06-01T08:00:01.250Z", "endedAt": "2026-06-01T08:01:00Z",
        "endedReason": "customer-ended-call", "artifact": artifact, "analysis": {"summary": "Booked a cut."}});
    let mut document = call();
    document["status"] = json!("ended");
    for (field, value) in report.as_object().unwrap() {
        document[field] = value.clone();
    }
    let read = listed(document.to_string().as_bytes()).unwrap();
    assert_eq!((read.key.as_str(), read.ended), ("call-1:listed", true));
    let mut told = report;
    told["type"] = json!("end-of-call-report");
    assert_eq!(read.facts, event(told).facts);
    let agent = &read.facts.turns[1];
    assert_eq!((agent.latency_ms, agent.interrupted), (Some(640), true));
    assert!(listed(b"{}").is_err());
}
