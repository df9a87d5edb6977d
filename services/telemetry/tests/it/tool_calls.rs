//! Runs of tools: once each.

use core::time::Duration;

use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::{BeginToolCallRequest, CallFacts, FinishToolCallRequest},
        v1::{CallOutcome, CallState},
    },
    time::to_proto,
};
use testkit::as_agent;
use tonic::Code;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::desk::{
    Desk, LINE, OTHER, SALON, SECOND_LINE, Tool, answered, at, ended, facts, field, refused, search, started,
};

const ANA: Uuid = Uuid::from_u128(0xE1);
const VISIT: Uuid = Uuid::from_u128(0xF1);

#[tokio::test]
async fn a_run_is_recorded_from_its_opening_to_its_answer() {
    let desk = Desk::open().await;
    desk.record("started", started("platform-1")).await.unwrap();
    let begun = desk.begin("tool-1").await.unwrap();
    assert_eq!(begun.result, "");
    let running = desk.get(&begun.call_id).await.unwrap().tool_calls.remove(0);
    assert_eq!((running.id.as_str(), running.name.as_str()), (begun.tool_call_id.as_str(), "find_customer"));
    assert_eq!(running.arguments, r#"{"phone": "+447700900001"}"#);
    assert_eq!((running.result.as_str(), running.ok, running.offset_ms), ("", false, 2000));
    desk.finish(answered(&begun.tool_call_id)).await.unwrap();
    let done = desk.get(&begun.call_id).await.unwrap().tool_calls.remove(0);
    assert_eq!((done.result.as_str(), done.ok, done.latency_ms), (r#"{"say":"One moment."}"#, true, 42));
    assert_eq!(done.started_at, Some(to_proto(at("2026-06-01T08:00:00Z"))));
}

#[tokio::test]
async fn a_repeated_delivery_gets_the_first_answer() {
    let desk = Desk::open().await;
    let begun = desk.begin("tool-1").await.unwrap();
    desk.finish(answered(&begun.tool_call_id)).await.unwrap();
    desk.time.advance(SignedDuration::from_hours(2));
    let again = desk.begin("tool-1").await.unwrap();
    assert_eq!((again.tool_call_id, again.call_id), (begun.tool_call_id, begun.call_id.clone()));
    assert_eq!(again.result, r#"{"say":"One moment."}"#);
    assert_eq!(desk.get(&begun.call_id).await.unwrap().tool_calls.len(), 1);
}

#[tokio::test]
async fn a_repeat_while_the_tool_runs_is_told_when_to_come_back() {
    let desk = Desk::open().await;
    desk.begin("tool-1").await.unwrap();
    desk.time.advance(SignedDuration::from_secs(10));
    let refused = desk.begin("tool-1").await.unwrap_err();
    assert_eq!((refused.code(), reason_of(&refused)), (Code::Unavailable, Some(Reason::Busy)));
    let retry = refused.get_details_retry_info().unwrap();
    assert_eq!(retry.retry_delay, Some(Duration::from_secs(20)));
}

#[tokio::test]
async fn of_many_deliveries_at_once_one_runs_the_tool() {
    let desk = Desk::open().await;
    let deliveries = futures::future::join_all((0..12).map(|_| desk.begin("tool-1"))).await;
    let (ran, refused): (Vec<_>, Vec<_>) = deliveries.into_iter().partition(Result::is_ok);
    assert_eq!(ran.len(), 1);
    assert!(refused.iter().all(|answer| reason_of(answer.as_ref().unwrap_err()) == Some(Reason::Busy)));
}

#[tokio::test]
async fn a_run_whose_process_died_is_taken_over_by_one_after_thirty_seconds() {
    let desk = Desk::open().await;
    let dead = desk.begin("tool-1").await.unwrap();
    desk.time.advance(SignedDuration::from_secs(30));
    let repeats = futures::future::join_all((0..8).map(|_| desk.begin("tool-1"))).await;
    let ran: Vec<_> = repeats.into_iter().filter_map(Result::ok).collect();
    assert_eq!(ran.len(), 1);
    assert_eq!((ran[0].tool_call_id.as_str(), ran[0].result.as_str()), (dead.tool_call_id.as_str(), ""));
    desk.finish(answered(&dead.tool_call_id)).await.unwrap();
    assert_eq!(desk.begin("tool-1").await.unwrap().result, r#"{"say":"One moment."}"#);
}

#[tokio::test]
async fn the_first_answer_stands_when_a_run_is_answered_twice() {
    let desk = Desk::open().await;
    let begun = desk.begin("tool-1").await.unwrap();
    desk.finish(answered(&begun.tool_call_id)).await.unwrap();
    let late = FinishToolCallRequest {
        result: r#""late""#.to_owned(),
        outcome: CallOutcome::Booked.into(),
        appointment_id: VISIT.to_string(),
        ..answered(&begun.tool_call_id)
    };
    desk.finish(late).await.unwrap();
    desk.record("ended", ended("platform-1")).await.unwrap();
    let read = desk.get(&begun.call_id).await.unwrap();
    assert_eq!(read.tool_calls[0].result, r#"{"say":"One moment."}"#);
    let call = read.call.unwrap();
    assert_eq!((call.outcome(), call.appointment_ids.len()), (CallOutcome::Abandoned, 0));
}

#[tokio::test]
async fn a_booking_links_customer_and_appointment_and_outweighs_what_else_the_call_did() {
    let desk = Desk::open().await;
    let does = async |key: &str, outcome: CallOutcome, customer: Option<Uuid>, appointment: Option<Uuid>| {
        desk.time.advance(SignedDuration::from_secs(1));
        let id = desk.begin(key).await.unwrap().tool_call_id;
        let text = |id: Option<Uuid>| id.map(|id| id.to_string()).unwrap_or_default();
        let customer_name = customer.map(|_| "Ana".to_owned()).unwrap_or_default();
        let effect = FinishToolCallRequest {
            customer_id: text(customer),
            customer_name,
            appointment_id: text(appointment),
            outcome: outcome.into(),
            ..answered(&id)
        };
        desk.finish(effect).await.unwrap();
    };
    let (old, new) = (Uuid::from_u128(0xF9), VISIT);
    does("cancel", CallOutcome::Cancelled, None, Some(old)).await;
    does("find", CallOutcome::Unspecified, Some(ANA), None).await;
    does("book", CallOutcome::Booked, None, Some(new)).await;
    does("answer", CallOutcome::Answered, None, Some(old)).await;
    let live = desk.list(0, "").await.unwrap().calls.remove(0);
    assert_eq!((live.state(), live.outcome()), (CallState::Live, CallOutcome::Unspecified));
    desk.record("ended", ended("platform-1")).await.unwrap();
    let call = desk.list(0, "").await.unwrap().calls.remove(0);
    assert_eq!((call.state(), call.outcome()), (CallState::Ended, CallOutcome::Booked));
    assert_eq!((call.customer_id, call.customer_name.as_str()), (ANA.to_string(), "Ana"));
    assert_eq!(call.appointment_ids, [old.to_string(), new.to_string()]);
}

#[tokio::test]
async fn a_run_that_is_answered_after_the_end_still_makes_the_outcome() {
    let desk = Desk::open().await;
    let begun = desk.begin("book").await.unwrap();
    desk.record("ended", ended("platform-1")).await.unwrap();
    assert_eq!(desk.get(&begun.call_id).await.unwrap().call.unwrap().outcome(), CallOutcome::Abandoned);
    let booked = FinishToolCallRequest {
        outcome: CallOutcome::Booked.into(),
        appointment_id: VISIT.to_string(),
        ..answered(&begun.tool_call_id)
    };
    desk.finish(booked).await.unwrap();
    assert_eq!(desk.get(&begun.call_id).await.unwrap().call.unwrap().outcome(), CallOutcome::Booked);
}

#[tokio::test]
async fn the_end_of_a_call_says_whether_a_fault_of_ours_left_its_caller_without_an_answer() {
    let desk = Desk::open().await;
    let fault = refused("search_availability", "UNAVAILABLE");
    desk.tool("platform-1", "tool-1", &fault, 20).await;
    let live = desk.record("started", started("platform-1")).await.unwrap();
    assert!(!live.left_unanswered, "it goes on");
    assert!(desk.record("ended", ended("platform-1")).await.unwrap().left_unanswered);
    let again = desk.record("ended", ended("platform-1")).await.unwrap();
    assert!(again.duplicate && again.left_unanswered, "its message may not have been left");
    desk.time.advance(SignedDuration::from_secs(1));
    let message = Tool { name: "take_message", outcome: CallOutcome::Message, ..search(ANA, 0) };
    desk.tool("platform-1", "tool-2", &message, 20).await;
    assert!(!desk.record("analyzed", ended("platform-1")).await.unwrap().left_unanswered);
    desk.tool("platform-2", "tool-3", &fault, 20).await;
    let spoke = CallFacts { transferred_to: "+442079460018".to_owned(), ..ended("platform-2") };
    assert!(!desk.record("ended-2", spoke).await.unwrap().left_unanswered, "they spoke with a person");
}

const QUESTION: &str = r#"{"ok":true,"needs_confirmation":true,"appointment_id":"a1"}"#;

/// A tool that asks the caller to confirm.
fn asking(name: &'static str) -> Tool {
    Tool { name, arguments: "{}".to_owned(), result: QUESTION.to_owned(), ok: true, ..Tool::default() }
}

/// Begins a run of a tool whose caller is said to have agreed, and says what they were asked.
async fn confirming(desk: &Desk, call: &str, key: &str, tool: &str) -> Vec<String> {
    let request = BeginToolCallRequest {
        business_id: SALON.to_string(),
        delivery: Some(desk.delivery(LINE, key)),
        facts: Some(facts(call)),
        name: tool.to_owned(),
        arguments: r#"{"confirmed":true}"#.to_owned(),
        confirms: true,
    };
    let begun = desk.intake().begin_tool_call(as_agent(&desk.host, LINE, SALON, request)).await.unwrap();
    begun.into_inner().questions
}

#[tokio::test]
async fn a_run_that_confirms_is_told_what_its_tool_asked_in_this_call_before_it() {
    let desk = Desk::open().await;
    desk.tool("platform-1", "ask", &asking("cancel_appointment"), 5).await;
    desk.tool("platform-1", "find", &asking("find_appointments"), 5).await;
    assert_eq!(confirming(&desk, "platform-1", "yes", "cancel_appointment").await, [QUESTION]);
    assert!(confirming(&desk, "platform-1", "move", "move_appointment").await.is_empty(), "another tool");
    assert!(confirming(&desk, "platform-2", "other", "cancel_appointment").await.is_empty(), "another call");
    assert!(desk.begin("find-2").await.unwrap().questions.is_empty(), "no one is said to have agreed");
}

#[tokio::test]
async fn a_run_that_is_taken_over_is_told_again_what_its_tool_asked() {
    let desk = Desk::open().await;
    desk.tool("platform-1", "ask", &asking("cancel_appointment"), 5).await;
    confirming(&desk, "platform-1", "yes", "cancel_appointment").await;
    desk.time.advance(SignedDuration::from_secs(30));
    assert_eq!(confirming(&desk, "platform-1", "yes", "cancel_appointment").await, [QUESTION]);
}

#[tokio::test]
async fn runs_of_one_call_that_finish_at_once_all_count() {
    let desk = Desk::open().await;
    let mut ids = vec![];
    for n in 0..8 {
        ids.push(desk.begin(&format!("tool-{n}")).await.unwrap().tool_call_id);
    }
    let finished = ids.iter().zip(0_u128..).map(|(id, n)| {
        let appointment_id = Uuid::from_u128(0xF00 + n).to_string();
        desk.finish(FinishToolCallRequest { appointment_id, ..answered(id) })
    });
    futures::future::try_join_all(finished).await.unwrap();
    let call = desk.list(0, "").await.unwrap().calls.remove(0);
    assert_eq!(call.appointment_ids.len(), 8);
    assert_eq!(desk.count("SELECT count(DISTINCT version) FROM outbox").await, 16);
}

#[tokio::test]
async fn a_run_of_another_connection_or_business_does_not_exist() {
    let desk = Desk::open().await;
    let id = desk.begin("tool-1").await.unwrap().tool_call_id;
    let foreign = FinishToolCallRequest { business_id: OTHER.to_string(), ..answered(&id) };
    let attempts = [
        as_agent(&desk.host, SECOND_LINE, SALON, answered(&id)),
        as_agent(&desk.host, LINE, OTHER, answered(&id)),
        as_agent(&desk.host, LINE, OTHER, foreign),
        as_agent(&desk.host, LINE, SALON, answered(&Uuid::nil().to_string())),
    ];
    for attempt in attempts {
        let refused = desk.intake().finish_tool_call(attempt).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    }
    assert_eq!(desk.count("SELECT count(*) FROM tool_call WHERE result IS NOT NULL").await, 0);
}

#[tokio::test]
async fn an_event_key_that_was_used_for_something_else_is_refused() {
    let desk = Desk::open().await;
    desk.record("event", started("platform-1")).await.unwrap();
    assert_eq!(field(&desk.begin("event").await.unwrap_err()), "delivery.event_key");
    desk.begin("tool-1").await.unwrap();
    assert_eq!(field(&desk.begin_in("platform-2", "tool-1").await.unwrap_err()), "delivery.event_key");
    assert_eq!(desk.list(0, "").await.unwrap().calls.len(), 1);
}

type SpoilBegin = fn(&mut BeginToolCallRequest);
type SpoilFinish = fn(&mut FinishToolCallRequest);

#[tokio::test]
async fn a_malformed_field_is_named() {
    let desk = Desk::open().await;
    let spoils: [(&str, SpoilBegin); 5] = [
        ("delivery.event_key", |r| r.delivery.as_mut().unwrap().event_key.clear()),
        ("facts.platform_call_id", |r| r.facts.as_mut().unwrap().platform_call_id.clear()),
        ("name", |r| r.name.clear()),
        ("arguments", |r| r.arguments = "{".to_owned()),
        ("arguments", |r| r.arguments = format!("\"{}\"", "x".repeat(2 << 20))),
    ];
    for (name, spoil) in spoils {
        let mut request = BeginToolCallRequest {
            business_id: SALON.to_string(),
            delivery: Some(desk.delivery(LINE, "tool-1")),
            facts: Some(facts("platform-1")),
            name: "book".to_owned(),
            arguments: "{}".to_owned(),
            confirms: false,
        };
        spoil(&mut request);
        let refused = desk.intake().begin_tool_call(as_agent(&desk.host, LINE, SALON, request)).await;
        assert_eq!(field(&refused.unwrap_err()), name);
    }
    let id = desk.begin("tool-1").await.unwrap().tool_call_id;
    let spoils: [(&str, SpoilFinish); 6] = [
        ("tool_call_id", |r| r.tool_call_id = "7".to_owned()),
        ("result", |r| r.result.clear()),
        ("latency_ms", |r| r.latency_ms = -1),
        ("customer_id", |r| r.customer_id = "Ana".to_owned()),
        ("appointment_id", |r| r.appointment_id = "Monday".to_owned()),
        ("outcome", |r| r.outcome = 99),
    ];
    for (name, spoil) in spoils {
        let mut request = answered(&id);
        spoil(&mut request);
        assert_eq!(field(&desk.finish(request).await.unwrap_err()), name);
    }
}
