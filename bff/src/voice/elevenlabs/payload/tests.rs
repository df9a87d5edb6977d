use serde_json::json;
use tonic_types::StatusExt;

use super::*;

fn event(body: Value) -> CallEvent {
    match parse(body.to_string().as_bytes()).unwrap() {
        Delivery::Event(event) => event,
        other => panic!("{other:?}"),
    }
}

fn refused_field(body: &str) -> String {
    let status = parse(body.as_bytes()).unwrap_err();
    status.get_details_bad_request().unwrap().field_violations[0].field.clone()
}

fn transcription(direction: &str) -> Value {
    json!({"type": "post_call_transcription", "event_timestamp": 1_780_300_900, "data": {
        "agent_id": "agent_1", "conversation_id": "conv_1", "status": "done",
        "transcript": [
            {"role": "agent", "message": "Hello", "time_in_call_secs": 0, "tool_calls": []},
            {"role": "user", "message": " Hi there ", "time_in_call_secs": 3},
            {"role": "agent", "message": null, "tool_calls": [{"tool_name": "find_customer"}]},
        ],
        "metadata": {
            "start_time_unix_secs": 1_780_300_800, "call_duration_secs": 60, "cost": 120,
            "termination_reason": "end_call tool was called.",
            "phone_call": {"direction": direction, "type": "twilio", "call_sid": "CA1",
                "agent_number": "+442079460014", "external_number": "+447700900123"},
        },
        "analysis": {"call_successful": "success", "transcript_summary": "Booked a cut."},
    }})
}

#[test]
fn reads_the_transcript_of_a_call() {
    let read = event(transcription("inbound"));
    assert_eq!((read.key.as_str(), read.ended), ("conv_1:post_call_transcription", true));
    let at = |seconds| Some(pbjson_types::Timestamp { seconds, nanos: 0 });
    let expected = CallFacts {
        platform_call_id: "conv_1".into(),
        platform: "elevenlabs".into(),
        state: CallState::Ended.into(),
        from_number: "+447700900123".into(),
        to_number: "+442079460014".into(),
        started_at: at(1_780_300_800),
        ended_at: at(1_780_300_860),
        summary: "Booked a cut.".into(),
        turns: vec![
            Turn { speaker: Speaker::Agent.into(), text: "Hello".into(), offset_ms: 0, ..Turn::default() },
            Turn {
                speaker: Speaker::Caller.into(),
                text: "Hi there".into(),
                offset_ms: 3000,
                ..Turn::default()
            },
        ],
        disconnection_reason: "end_call tool was called.".into(),
        ..CallFacts::default()
    };
    assert_eq!(read.facts, expected);
    let outbound = event(transcription("outbound")).facts;
    assert_eq!(
        (outbound.from_number.as_str(), outbound.to_number.as_str()),
        ("+442079460014", "+447700900123")
    );
}

#[test]
fn a_call_that_was_never_put_through_ended_for_its_reason() {
    let failed = json!({"type": "call_initiation_failure", "data": {
        "agent_id": "agent_1", "conversation_id": "conv_2", "failure_reason": "busy",
        "metadata": {"type": "twilio", "body": {"CallSid": "CA2"}}}});
    let read = event(failed);
    assert_eq!((read.facts.disconnection_reason.as_str(), read.ended), ("busy", true));
}

#[test]
fn an_event_of_tomorrow_changes_no_facts() {
    let read = event(json!({"type": "post_call_review", "data": {"conversation_id": "conv_1", "stars": 5}}));
    assert_eq!((read.facts, read.ended), (bare("conv_1"), false));
}

#[test]
fn reads_a_server_tool_and_whom_the_agent_talks_to() {
    let body = json!({"tool": "find_customer", "conversation_id": "conv_1", "caller_id": "+447700900123",
        "called_number": "+442079460014", "parameters": {"phone": "07700 900123"}});
    let Delivery::Tools(tools) = parse(body.to_string().as_bytes()).unwrap() else { panic!() };
    let [tool] = &tools[..] else { panic!("{tools:?}") };
    assert_eq!((tool.name.as_str(), &tool.arguments["phone"]), ("find_customer", &json!("07700 900123")));
    assert_eq!(tool.customer_number.as_deref(), Some("+447700900123"));
    assert_eq!(tool.facts.state(), CallState::Live);
}

#[test]
fn a_malformed_body_is_refused_by_the_name_of_its_field() {
    assert_eq!(refused_field("{"), "body");
    assert_eq!(refused_field("{}"), "type");
    assert_eq!(refused_field(r#"{"type":"t","tool":"t"}"#), "type");
    assert_eq!(refused_field(r#"{"tool":"t"}"#), "conversation_id");
    assert_eq!(refused_field(r#"{"tool":"t","conversation_id":"c","parameters":[]}"#), "parameters");
    let far = r#"{"type":"post_call_transcription","data":{"conversation_id":"c","metadata":{"start_time_unix_secs":9223372036854775807}}}"#;
    assert_eq!(refused_field(far), "data.metadata.start_time_unix_secs");
}

#[test]
fn a_conversation_of_its_api_is_the_same_call() {
    let mut told = transcription("inbound");
    let metrics = json!({"convai_llm_service_ttfb": {"elapsed_time": 0.37}, "convai_llm_service_ttf_sentence": {"elapsed_time": 0.555}});
    told["data"]["transcript"][1] = json!({"role": "agent", "message": "I have ten,", "time_in_call_secs": 4,
        "interrupted": true, "original_message": "I have ten, noon or two.", "conversation_turn_metrics": metrics});
    told["data"]["conversation_initiation_client_data"] =
        json!({"dynamic_variables": {"system__caller_id": "+447700900123", "frontdesk_agent_version": "4"}});
    let read = listed(told["data"].to_string().as_bytes()).unwrap();
    assert_eq!((read.key.as_str(), read.ended), ("conv_1:listed", true));
    let agent = &read.facts.turns[1];
    assert_eq!((agent.text.as_str(), agent.latency_ms, agent.interrupted), ("I have ten,", Some(555), true));
    assert_eq!(read.facts.agent_version, 4);
    assert_eq!(read.facts, event(told.clone()).facts);
    told["data"]["transcript"][1]["conversation_turn_metrics"] =
        json!({"metrics": {"convai_llm_service_ttfb": {"elapsed_time": 0.25}}});
    assert_eq!(event(told).facts.turns[1].latency_ms, Some(250));
}
