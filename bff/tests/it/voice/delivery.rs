//! What is kept of deliveries, and that repeated ones have no second effect.

use core::time::Duration;

use bff::edge::Limits;
use http::StatusCode;
use proto::frontdesk::telemetry::{
    internal::v1::CallFacts,
    v1::{CallOutcome, CallState},
};
use serde_json::{Value, json};

use super::{
    door::{Answer, Door, OFTEN, call, impatient, tool},
    line::Line,
    salon::{ANA, CONNECTION, CUT, PHONE},
};

fn hold() -> Value {
    tool("hold_slot", json!({"starts_at": "2026-06-02T10:00:00+01:00", "service": CUT}))
}

fn book(hold: &Answer) -> Value {
    tool("book_appointment", json!({"hold_id": hold.body["hold_id"], "customer_id": ANA}))
}

#[tokio::test]
async fn the_same_tool_call_twice_runs_once_and_has_the_same_answer() {
    let door = Door::open().await;
    let search = tool("search_availability", json!({"service": "haircut"}));
    let first = door.deliver(&search).await;
    door.book().free.clear();
    door.advance(jiff::SignedDuration::from_mins(2));
    assert_eq!(door.deliver(&search).await, first);
    let book = door.book();
    assert_eq!((book.searches.len(), book.tools.len(), book.finished.len()), (1, 1, 1));
}

#[tokio::test]
async fn a_tool_call_whose_end_was_not_recorded_is_answered_and_takes_effect_once() {
    let door = Door::open().await;
    door.book().down.insert("finish_tool_call");
    let held = door.deliver(&hold()).await;
    let booked = door.deliver(&book(&held)).await;
    assert_eq!(booked.body["ok"], true);
    assert!(door.book().finished.is_empty());

    door.book().down.clear();
    assert_eq!(door.deliver(&hold()).await.body["hold_id"], held.body["hold_id"]);
    let again = door.deliver(&book(&held)).await;
    assert_eq!(again.body["appointment_id"], booked.body["appointment_id"]);
    let book = door.book();
    assert_eq!(book.appointments.len(), 1);
    assert_eq!((book.tools.len(), book.finished.len()), (2, 2));
}

#[tokio::test]
async fn the_same_event_twice_is_one_event() {
    let door = Door::open().await;
    for _ in 0..2 {
        for name in ["call_started", "transcript_updated", "call_ended", "call_analyzed"] {
            assert_eq!(door.event(name).await.status, StatusCode::NO_CONTENT);
        }
    }
    let mut body = json!({"event": "transcript_updated", "call": call()});
    body["call"]["transcript_object"] = json!([{"role": "user", "content": "Hello?"}]);
    door.deliver(&body).await;
    let book = door.book();
    assert_eq!(book.events.len(), 5);
    let (delivery, facts) = &book.events[&(CONNECTION.to_string(), "call_1:call_ended".to_owned())];
    let sent = json!({"event": "call_ended", "call": call()}).to_string();
    assert_eq!(delivery.body, sent.into_bytes());
    assert_eq!((facts.platform.as_str(), facts.state(), facts.turns.len()), ("retell", CallState::Ended, 1));
}

#[tokio::test]
async fn an_event_that_is_not_known_is_kept_as_it_came_and_changes_no_facts() {
    let door = Door::open().await;
    assert_eq!(door.event("transfer_started").await.status, StatusCode::NO_CONTENT);
    let book = door.book();
    let (delivery, facts) = book.events.values().next().unwrap();
    assert!(!delivery.body.is_empty());
    let bare =
        CallFacts { platform_call_id: "call_1".into(), platform: "retell".into(), ..CallFacts::default() };
    assert_eq!(*facts, bare);
}

#[tokio::test]
async fn a_text_that_was_cut_within_a_character_loses_no_call() {
    let door = Door::open().await;
    let body = r#"{"event":"call_ended","call":{"call_id":"call_1","call_status":"ended",
        "transcript_object":[{"role":"user","content":"Lovely \ud83d"}]}}"#;
    let answer = Line::Retell.deliver(&door, body.as_bytes()).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    let book = door.book();
    let (delivery, facts) = book.events.values().next().unwrap();
    assert_eq!(delivery.body, body.as_bytes(), "kept as it came");
    assert_eq!(facts.turns[0].text, "Lovely \u{fffd}");
}

#[tokio::test]
async fn the_end_of_a_call_gives_back_what_it_held() {
    let door = Door::open().await;
    door.deliver(&hold()).await;
    assert_eq!(door.book().holds.len(), 1);
    door.event("call_ended").await;
    assert!(door.book().holds.is_empty());
}

#[tokio::test]
async fn the_end_of_a_call_is_acknowledged_even_when_its_holds_can_not_be_given_back() {
    let door = Door::open().await;
    door.book().down.insert("release_call_holds");
    assert_eq!(door.event("call_ended").await.status, StatusCode::NO_CONTENT);
    assert_eq!(door.book().events.len(), 1);
}

#[tokio::test]
async fn what_can_not_be_kept_is_not_acknowledged_and_no_tool_runs() {
    let door = Door::open().await;
    door.book().down.extend(["record_call_event", "begin_tool_call"]);
    for answer in [door.event("call_started").await, door.deliver(&hold()).await] {
        assert_eq!((answer.status, answer.reason()), (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE"));
    }
    assert!(door.book().holds.is_empty());
}

#[tokio::test]
async fn a_message_that_can_not_be_kept_is_refused_and_reaches_the_team_once_that_is_back() {
    let door = Door::limited(Limits { message_retries: OFTEN, ..Limits::default() }).await;
    door.book().down.insert("begin_tool_call");
    let message = tool("take_message", json!({"message": "I'm late"}));
    let refused = door.deliver(&message).await;
    assert_eq!((refused.status, refused.reason()), (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE"));
    assert!(door.book().messages.is_empty());
    door.book().down.clear();
    door.message().await;
    // The platform's own retry is the same message.
    assert_eq!(door.deliver(&message).await.body["ok"], true);
    assert_eq!(door.book().messages.len(), 1);
}

#[tokio::test]
async fn a_book_that_can_not_be_reached_is_said_with_the_offer_of_a_message_and_recorded_as_failed() {
    let door = Door::open().await;
    door.book().down.insert("search_availability");
    let answer = door.tool("search_availability", json!({"service": "haircut"})).await;
    assert_eq!((answer.status, &answer.body["reason"]), (StatusCode::OK, &json!("UNAVAILABLE")));
    assert_eq!(
        answer.say(),
        "I'm sorry, I can't reach the book right now. Shall I take a message for the team?"
    );
    let failed = [("gen_ai.tool.name", "search_availability"), ("outcome", "UNAVAILABLE")];
    assert_eq!(door.recorded("frontdesk.voice.tool.duration", &failed), 1);
    let book = door.book();
    let [finished] = &book.finished.values().collect::<Vec<_>>()[..] else { panic!("{:?}", book.finished) };
    assert!(!finished.ok && finished.result.contains("UNAVAILABLE"));
}

#[tokio::test]
async fn a_book_that_never_answers_is_said_in_time_and_the_caller_s_message_reaches_the_team() {
    let door = Door::limited(impatient()).await;
    door.book().hung.insert("search_availability");
    let answer = door.tool("search_availability", json!({"service": "haircut"})).await;
    assert_eq!(door.book().unreached, ["search_availability"], "it was asked and hangs");
    assert_eq!((answer.status, &answer.body["reason"]), (StatusCode::OK, &json!("UNAVAILABLE")));
    assert_eq!(
        answer.say(),
        "I'm sorry, I can't reach the book right now. Shall I take a message for the team?"
    );
    assert!(door.book().finished.values().all(|finished| !finished.ok), "it is on record before it is heard");
    assert_eq!(door.book().finished.len(), 1);
    door.tool("take_message", json!({"message": "A haircut on Tuesday, please"})).await;
    let book = door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert_eq!((message.text.as_str(), message.phone.as_str()), ("A haircut on Tuesday, please", PHONE));
}

#[tokio::test]
async fn a_caller_who_hangs_up_on_a_book_that_never_answers_leaves_the_team_a_message() {
    let door = Door::limited(impatient()).await;
    door.book().hung.insert("search_availability");
    door.tool("search_availability", json!({"service": "haircut"})).await;
    door.event("call_ended").await;
    let book = door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert!(message.text.contains("could not be reached"), "{}", message.text);
}

#[tokio::test]
async fn a_salon_that_takes_no_messages_offers_none_while_the_book_is_away() {
    let door = Door::open().await;
    door.book().agent.settings.as_mut().unwrap().may_take_messages = false;
    door.book().down.insert("search_availability");
    let answer = door.tool("search_availability", json!({"service": "haircut"})).await;
    assert!(
        answer.say().ends_with("Could you bear with me, or call again in a few minutes?"),
        "{}",
        answer.say()
    );
    door.event("call_ended").await;
    assert!(door.book().messages.is_empty());
}

#[tokio::test]
async fn a_message_that_can_not_be_taken_is_not_offered_again() {
    let door = Door::open().await;
    door.book().down.insert("create_follow_up");
    let answer = door.tool("take_message", json!({"message": "I'm late"})).await;
    assert!(answer.say().starts_with("I can't reach the book right now."), "{}", answer.say());
}

#[tokio::test]
async fn a_call_that_ends_on_a_fault_leaves_the_team_one_message() {
    let door = Door::open().await;
    door.book().down.insert("search_availability");
    door.tool("search_availability", json!({"service": "haircut"})).await;
    let mut ended = call();
    ended["call_status"] = "ended".into();
    let ended = json!({"event": "call_ended", "call": ended});
    for _ in 0..2 {
        assert_eq!(door.deliver(&ended).await.status, StatusCode::NO_CONTENT);
    }
    door.event("call_analyzed").await;
    let book = door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert_eq!((message.phone.as_str(), message.call_id.as_str()), (PHONE, "our call_1"));
    assert!(message.text.contains("could not be reached"), "{}", message.text);
    let messages = book.finished.values().filter(|finished| finished.outcome() == CallOutcome::Message);
    assert_eq!(messages.count(), 1, "the call came to a message");
}

#[tokio::test]
async fn a_caller_who_left_a_message_or_was_answered_after_all_leaves_no_other() {
    let door = Door::open().await;
    door.book().down.insert("search_availability");
    door.tool("search_availability", json!({"service": "haircut"})).await;
    door.tool("take_message", json!({"message": "A haircut on Tuesday, please"})).await;
    door.event("call_ended").await;
    assert_eq!(door.book().messages.len(), 1);

    let door = Door::open().await;
    door.book().down.insert("search_availability");
    door.tool("search_availability", json!({"service": "haircut"})).await;
    door.book().down.clear();
    door.tool("search_availability", json!({"service": "haircut", "day": "tuesday"})).await;
    door.event("call_ended").await;
    assert!(door.book().messages.is_empty());
}

#[tokio::test]
async fn a_message_that_the_team_can_not_be_left_at_once_is_left_later() {
    let door = Door::open().await;
    door.book().down.extend(["search_availability", "create_follow_up"]);
    door.tool("search_availability", json!({"service": "haircut"})).await;
    let ended = async { door.event("call_ended").await };
    let mended = async {
        while !door.book().unreached.contains(&"create_follow_up") {
            tokio::task::yield_now().await;
        }
        door.book().down.clear();
    };
    let (answer, ()) = tokio::join!(ended, mended);
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(door.book().messages.len(), 1);
}

#[tokio::test]
async fn a_message_that_was_tried_in_vain_is_left_when_the_end_of_the_call_is_told_again() {
    let limits = Limits { message_retries: &[Duration::ZERO], ..Limits::default() };
    let door = Door::limited(limits).await;
    door.book().down.extend(["search_availability", "create_follow_up"]);
    door.tool("search_availability", json!({"service": "haircut"})).await;
    assert_eq!(door.event("call_ended").await.status, StatusCode::NO_CONTENT);
    {
        let mut book = door.book();
        let tried = book.unreached.iter().filter(|method| **method == "create_follow_up").count();
        assert_eq!(tried, 2, "at once, and once more");
        assert_eq!((book.tools.len(), book.finished.len()), (2, 1), "the message has no answer");
        book.down.clear();
    }
    for _ in 0..2 {
        assert_eq!(door.event("call_ended").await.status, StatusCode::NO_CONTENT);
    }
    let book = door.book();
    assert_eq!(book.messages.len(), 1);
    assert!(book.finished.values().any(|finished| finished.outcome() == CallOutcome::Message));
}

#[tokio::test]
async fn deliveries_are_counted_by_what_came_of_them() {
    let door = Door::open().await;
    door.event("call_started").await;
    door.event("call_ended").await;
    door.deliver(&hold()).await;
    door.deliver(&json!({"event": 7})).await;
    door.book().down.insert("record_call_event");
    assert!(door.event("call_analyzed").await.status.is_server_error());
    for (outcome, times) in
        [("recorded", 2), ("answered", 1), ("malformed", 1), ("failed", 1), ("rejected", 0)]
    {
        let attributes = [("outcome", outcome), ("frontdesk.voice.platform", "retell")];
        assert_eq!(door.recorded("frontdesk.voice.deliveries", &attributes), times, "{outcome}");
    }
}
