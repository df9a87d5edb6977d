//! Chats in which a person tries the agent: turns are answered line by line, and change nothing.

use caller::{Actor, Role};
use http::StatusCode;
use proto::{
    frontdesk::{
        scheduling::v1::{
            MatchServicesResponse, MatchVerdict, MatchedService, Offer, PlacedItem,
            SearchAvailabilityRequest, SearchAvailabilityResponse, Service,
            availability_service_methods::SEARCH_AVAILABILITY, matching_service_methods::MATCH_SERVICES,
        },
        telemetry::v1::{Call, GetCallResponse, Speaker, ToolCall, Turn, call_service_methods::GET_CALL},
        tenancy::v1::{
            AgentChat, AgentSettings, GetAgentChatResponse, ReadyAgent,
            agent_chat_service_methods::GET_AGENT_CHAT,
        },
    },
    time,
};
use serde_json::{Value, json};

use super::stage::{ANA, ANAS_SESSION, Setting, Stage, Standing, Visitor, WILLOW, place};
use crate::voice::model::{Line, Script};

const CHAT: &str = "01900000-0000-7000-8000-0000000000c7";
const CUT: &str = "01900000-0000-7000-8000-000000000051";
const MIA: &str = "01900000-0000-7000-8000-0000000000e1";

fn path() -> String {
    format!("/api/v1/businesses/{WILLOW}/agent-chats/{CHAT}/turns")
}

/// A door whose agent says these lines, before an owner with a chat.
async fn talking(lines: Vec<Line>) -> (Stage, Script, Visitor) {
    let (script, model) = Script::serve(lines).await;
    let stage = Stage::set(Setting { model, ..Setting::default() }).await;
    place(&stage, Standing::Member(Role::Owner));
    stage.services.reply(&GET_AGENT_CHAT, &GetAgentChatResponse { chat: Some(chat()) });
    let visitor = stage.ana().await;
    (stage, script, visitor)
}

fn chat() -> AgentChat {
    let settings = AgentSettings {
        greeting: "Hello from the draft.".into(),
        prompt: "Be brief.".into(),
        languages: vec!["en".into()],
        may_book: true,
        may_take_messages: true,
        ..AgentSettings::default()
    };
    let agent = ReadyAgent {
        version: 2,
        settings: Some(settings),
        salon: "Willow & Co".into(),
        time_zone: "Europe/London".into(),
    };
    AgentChat { id: CHAT.into(), draft: true, agent: Some(agent), started_at: None }
}

/// A salon with a haircut that is free at ten.
fn with_a_free_time(stage: &Stage) {
    let service = Service { id: CUT.into(), name: "Haircut".into(), ..Service::default() };
    let candidates = vec![MatchedService { service: Some(service), ..MatchedService::default() }];
    let matched = MatchServicesResponse { verdict: MatchVerdict::Clear.into(), candidates };
    stage.services.reply(&MATCH_SERVICES, &matched);
    let at = |text: &str| Some(time::to_proto(text.parse().unwrap()));
    let (starts_at, ends_at) = (at("2026-06-02T09:00:00Z"), at("2026-06-02T10:00:00Z"));
    let item = PlacedItem {
        service_id: CUT.into(),
        service_name: "Haircut".into(),
        employee_id: MIA.into(),
        employee_name: "Mia Larsen".into(),
        starts_at,
        ends_at,
        ..PlacedItem::default()
    };
    let offer = Offer { starts_at, ends_at, items: vec![item], ..Offer::default() };
    let found = SearchAvailabilityResponse { offers: vec![offer], ..SearchAvailabilityResponse::default() };
    stage.services.reply(&SEARCH_AVAILABILITY, &found);
}

/// The lines of an answer.
async fn say(visitor: &mut Visitor, body: Value) -> Vec<Value> {
    let answer = visitor.post(&path(), &body).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "application/x-ndjson"));
    answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["type"].as_str().unwrap()).collect()
}

fn carried(lines: &[Value]) -> String {
    let last = lines.iter().rfind(|line| line["type"] == "carried").unwrap();
    last["carried"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_turn_shows_its_tools_and_changes_nothing() {
    let (stage, script, mut ana) = talking(vec![
        Line::Use("hold_slot", json!({"service": "haircut", "starts_at": "2026-06-02T10:00:00+01:00"})),
        Line::Say(&["I keep it. ", "Shall I book?"]),
        Line::Use("search_availability", json!({"service": "haircut", "day": "tuesday"})),
        Line::Say(&["Here they are."]),
    ])
    .await;
    with_a_free_time(&stage);
    let first = say(&mut ana, json!({"text": "Ten, please", "callerNumber": "+44 7700 900123"})).await;
    assert_eq!(kinds(&first), ["carried", "uses", "used", "carried", "words", "words", "carried", "over"]);
    assert_eq!((&first[1]["tool"], &first[2]["ok"]), (&json!("hold_slot"), &json!(true)));
    let held: Value = serde_json::from_str(first[2]["result"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&held["hold_id"], held["say"].as_str().unwrap().starts_with("I'm keeping tomorrow")),
        (&json!("dry-run-1"), true)
    );

    let second = say(&mut ana, json!({"text": "What else?", "carried": carried(&first)})).await;
    assert_eq!(kinds(&second).last(), Some(&"over"));
    let messages = script.requests()[2]["messages"].clone();
    let said: Vec<_> = messages.as_array().unwrap().iter().filter_map(|of| of["content"].as_str()).collect();
    assert!(said[0].contains("Be brief.") && said.contains(&"Hello from the draft."), "{said:?}");
    assert!(said.contains(&"Ten, please") && said.contains(&"I keep it. Shall I book?"), "{said:?}");

    let called = stage.services.called.lock().unwrap().clone();
    let read_only = [GET_AGENT_CHAT.path, MATCH_SERVICES.path, SEARCH_AVAILABILITY.path];
    assert!(
        called.iter().all(|of| read_only.contains(&of.path.as_str()) || of.path.contains("/Check")),
        "{called:?}"
    );
    let person = Some(Actor::Person { user: ANA, session: ANAS_SESSION });
    assert!(called.iter().all(|of| of.actor == person), "tools have the rights of who tries them");
    // The next search leaves out what the chat keeps.
    let last = called.iter().rfind(|of| of.path == SEARCH_AVAILABILITY.path).unwrap();
    let search: SearchAvailabilityRequest = prost::Message::decode(last.message.clone()).unwrap();
    let taken = search.hypothesis.unwrap().taken;
    let mut searches = called.iter().filter(|of| of.path == SEARCH_AVAILABILITY.path).map(|of| {
        let search: SearchAvailabilityRequest = prost::Message::decode(of.message.clone()).unwrap();
        search.for_customer
    });
    assert!(searches.all(|for_customer| for_customer), "what a caller would hear, of a hold as well");
    assert_eq!(taken.iter().map(|time| time.subject_id.as_str()).collect::<Vec<_>>(), [MIA]);
}

#[tokio::test]
async fn what_was_heard_of_an_interrupted_turn_is_what_the_model_knows() {
    let (_stage, script, mut ana) = talking(vec![Line::Say(&["Yes?"]), Line::Say(&["Ten it is."])]).await;
    let first = say(&mut ana, json!({"text": "Hello"})).await;
    // Carried before the agent spoke: the page was left there.
    let before = first[0]["carried"].as_str().unwrap();
    let body = json!({"text": "Ten!", "carried": before, "heard": "I have ten, "});
    say(&mut ana, body).await;
    let messages = script.requests()[1]["messages"].clone();
    let said: Vec<_> = messages.as_array().unwrap().iter().filter_map(|of| of["content"].as_str()).collect();
    assert_eq!(said[2..], ["Hello", "I have ten,…", "Ten!"]);
}

#[tokio::test]
async fn a_model_that_hangs_or_refuses_is_named_and_the_same_can_be_said_again() {
    let (_stage, script, mut ana) = talking(vec![Line::Refuse, Line::Hang, Line::Say(&["Here I am."])]).await;
    for expected in ["The language model could not answer.", "The language model gave no answer in time."] {
        let failed = say(&mut ana, json!({"text": "Hello?"})).await;
        assert_eq!(failed.last().unwrap(), &json!({"type": "failed", "message": expected}));
    }
    let answered = say(&mut ana, json!({"text": "Hello?"})).await;
    assert_eq!(answered[1], json!({"type": "words", "text": "Here I am."}));
    assert_eq!(script.requests().len(), 3);
}

/// A call of this morning, in which noon was offered.
fn past_call() -> GetCallResponse {
    let turn = |speaker: Speaker, text: &str, offset_ms| Turn {
        speaker: speaker.into(),
        text: text.into(),
        offset_ms,
        ..Turn::default()
    };
    let at = |text: &str| Some(time::to_proto(text.parse().unwrap()));
    let offered = json!({"ok": true, "say": "At noon.",
        "offers": [{"starts_at": "2026-06-02T12:00:00+01:00", "with": "Mia", "price": null}]});
    let search = ToolCall {
        name: "search_availability".into(),
        arguments: json!({"service": "haircut", "day": "tomorrow"}).to_string(),
        result: offered.to_string(),
        ok: true,
        started_at: at("2026-06-01T06:00:05Z"),
        ..ToolCall::default()
    };
    let call = Call {
        started_at: at("2026-06-01T06:00:00Z"),
        from_number: "+447700900123".into(),
        ..Call::default()
    };
    GetCallResponse {
        call: Some(call),
        turns: vec![
            turn(Speaker::Agent, "Hello.", 0),
            turn(Speaker::Caller, "A haircut tomorrow, please", 3_000),
            turn(Speaker::Agent, "At noon.", 6_000),
            turn(Speaker::Caller, "No, thank you", 9_000),
        ],
        tool_calls: vec![search],
        notes: vec![],
    }
}

#[tokio::test]
async fn a_replay_says_the_same_again_looks_up_as_of_the_call_and_says_what_has_changed() {
    let (stage, script, mut ana) = talking(vec![
        Line::Use("search_availability", json!({"service": "haircut", "day": "tomorrow"})),
        Line::Say(&["At ten."]),
        Line::Say(&["Goodbye."]),
    ])
    .await;
    with_a_free_time(&stage);
    stage.services.reply(&GET_CALL, &past_call());
    let path = path().replace("/turns", "/replay");
    let answer = ana.post(&path, &json!({"callId": CHAT})).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let lines: Vec<Value> = answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(kinds(&lines), ["changed", "said", "uses", "used", "words", "said", "words", "over"]);
    assert_eq!((&lines[0]["tool"], &lines[0]["before"]), (&json!("search_availability"), &json!("At noon.")));
    assert!(lines[0]["after"].as_str().unwrap().contains("10 am"), "{}", lines[0]);
    assert_eq!(lines[1]["text"], "A haircut tomorrow, please");
    let said = script.requests()[2]["messages"].to_string();
    assert!(
        said.contains("At ten.") && said.contains("No, thank you") && !said.contains("At noon."),
        "{said}"
    );

    let called = stage.services.called.lock().unwrap().clone();
    let searches = called.iter().filter(|of| of.path == SEARCH_AVAILABILITY.path);
    let as_of = searches.map(|of| {
        let search: SearchAvailabilityRequest = prost::Message::decode(of.message.clone()).unwrap();
        time::required("as_of", search.as_of.as_ref()).unwrap().to_string()
    });
    // Once to compare, as of the look-up; and once in the replay, as of what the caller says.
    assert_eq!(as_of.collect::<Vec<_>>(), ["2026-06-01T06:00:05Z", "2026-06-01T06:00:03Z"]);
}

#[tokio::test]
async fn a_replay_of_a_call_of_a_thousand_turns_ends_and_says_that_the_call_goes_on() {
    let (stage, script, mut ana) = talking(vec![Line::Say(&["Yes?"]); 40]).await;
    let mut call = past_call();
    let again = call.turns[1].clone();
    call.tool_calls.clear();
    call.turns = (0..1_000).map(|n| Turn { offset_ms: n, ..again.clone() }).collect();
    stage.services.reply(&GET_CALL, &call);
    let path = path().replace("/turns", "/replay");
    let answer = ana.post(&path, &json!({"callId": CHAT})).await;
    let lines: Vec<Value> = answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(kinds(&lines).iter().filter(|kind| **kind == "said").count(), 40);
    let message = "The caller goes on, but only their first 40 turns are replayed.";
    assert_eq!(lines.last().unwrap(), &json!({"type": "failed", "message": message}));
    assert_eq!(script.requests().len(), 40);
}

#[tokio::test]
async fn a_replay_of_a_call_whose_caller_was_erased_says_nothing_and_is_over() {
    let (stage, script, mut ana) = talking(vec![]).await;
    let mut call = past_call();
    (call.turns, call.tool_calls) = (vec![], vec![]);
    stage.services.reply(&GET_CALL, &call);
    let path = path().replace("/turns", "/replay");
    let answer = ana.post(&path, &json!({"callId": CHAT})).await;
    assert_eq!(answer.text.trim(), json!({"type": "over"}).to_string());
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn a_model_that_wants_tools_without_end_is_stopped() {
    let (_stage, script, mut ana) = talking(vec![Line::Use("opening_hours", json!({})); 20]).await;
    let failed = say(&mut ana, json!({"text": "Hello?"})).await;
    let message = "The language model could not answer.";
    assert_eq!(failed.last().unwrap(), &json!({"type": "failed", "message": message}));
    assert_eq!(script.requests().len(), 6);
}

#[tokio::test]
async fn a_turn_is_the_owner_s_alone_and_sound() {
    let (stage, script, mut ana) = talking(vec![]).await;
    for (body, field) in [
        (json!({"text": " "}), "text"),
        (json!({"text": "x".repeat(2_001)}), "text"),
        (json!({"text": "Hello", "carried": "{"}), "carried"),
        (json!({"text": "Hello", "callerNumber": "0800"}), "callerNumber"),
    ] {
        let refused = ana.post(&path(), &body).await;
        assert_eq!((refused.status, refused.fields()), (StatusCode::BAD_REQUEST, vec![field.to_owned()]));
    }
    assert_eq!(ana.without_xsrf().post(&path(), &json!({"text": "Hello"})).await.reason(), "XSRF");
    place(&stage, Standing::Member(Role::Manager));
    stage.time.advance(jiff::SignedDuration::from_secs(2));
    let refused = ana.post(&path(), &json!({"text": "Hello"})).await;
    assert_eq!((refused.status, refused.reason().as_str()), (StatusCode::FORBIDDEN, "ROLE_TOO_LOW"));
    assert!(script.requests().is_empty());
}

#[tokio::test]
async fn the_page_is_told_that_there_is_a_model() {
    let (_, model) = Script::serve(vec![]).await;
    let stage = Stage::set(Setting { model, ..Setting::default() }).await;
    let document = stage.stranger().get("/").await.text;
    assert!(document.contains(r#""agentModel":true"#), "{document}");
}

#[tokio::test]
async fn without_a_model_a_turn_says_so_and_one_person_s_turns_are_limited() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    stage.services.reply(&GET_AGENT_CHAT, &GetAgentChatResponse { chat: Some(chat()) });
    let mut ana = stage.ana().await;
    let mut reasons = vec![];
    for _ in 0..12 {
        reasons.push(ana.post(&path(), &json!({"text": "Hello"})).await.reason());
    }
    assert!(reasons[..10].iter().all(|reason| reason == "UNAVAILABLE"), "{reasons:?}");
    assert!(reasons[10..].iter().any(|reason| reason == "RATE_LIMITED"), "{reasons:?}");
}
