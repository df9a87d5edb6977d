//! How calls over Twilio's socket end when the model or a service fails, when they last too long, and when the process
//! stops.

use core::time::Duration;

use bff::edge::Limits;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Error;

use super::{
    door::{Door, OFTEN, impatient, tool},
    model::{Line, PATIENCE},
    privacy::Seen,
    salon::{BUSINESS, PHONE, SECRET},
    telephone::Telephone,
};

/// A message is not tried again by itself while a test runs.
const MUCH_LATER: &[Duration] = &[Duration::from_secs(3600)];

#[tokio::test]
async fn a_model_that_fails_twice_leaves_the_salon_a_message_and_hangs_up() {
    let telephone = Telephone::start(vec![Line::Refuse, Line::Refuse]).await;
    let mut call = telephone.call().await;
    call.say("A haircut, please").await;
    assert_eq!(call.hear().await, "I'm sorry, I didn't catch that. Could you say it again?");
    call.say("A haircut!").await;
    assert!(call.hear().await.contains("I've asked the team to call you back"));
    assert_eq!(call.frame().await, json!({"type": "end"}));
    let book = telephone.door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert!(message.text.contains("A haircut!"), "{}", message.text);
    assert_eq!((message.phone.as_str(), message.call_id.as_str()), (PHONE, "our CA1"));
    let counted = |metric, wanted: &[(&str, &str)]| telephone.door.recorded(metric, wanted);
    assert_eq!(counted("frontdesk.voice.turns", &[("outcome", "failed")]), 2);
    assert_eq!(counted("frontdesk.voice.model.failures", &[("reason", "failed")]), 2);
}

#[tokio::test]
async fn a_message_that_can_not_be_taken_in_is_not_said_to_be_passed_on_and_is_left_later() {
    let limits = Limits { message_retries: OFTEN, ..Limits::default() };
    let lines = vec![Line::Use("take_message", json!({"message": "I'm late"})), Line::Say(&["I'm sorry."])];
    let telephone = Telephone::limited(limits, lines).await;
    let mut call = telephone.call().await;
    telephone.door.book().down.insert("begin_tool_call");
    call.say("Tell them that I'm late").await;
    assert_eq!(call.hear().await, "I'm sorry.");
    let told = telephone.script.requests()[1]["messages"].as_array().unwrap().last().unwrap().clone();
    let told: Value = serde_json::from_str(told["content"].as_str().unwrap()).unwrap();
    assert_eq!((&told["ok"], &told["reason"]), (&json!(false), &json!("UNAVAILABLE")));
    assert!(
        told["say"].as_str().unwrap().starts_with("I'm sorry, I can't pass that on right now."),
        "{told}"
    );
    assert!(telephone.door.book().messages.is_empty());
    telephone.door.book().down.clear();
    telephone.door.message().await;
    let book = telephone.door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert_eq!((message.text.as_str(), message.phone.as_str()), ("I'm late", PHONE));
}

#[tokio::test]
async fn no_call_back_is_promised_at_the_end_of_a_call_while_the_team_can_not_be_told() {
    let limits = Limits { message_retries: OFTEN, ..Limits::default() };
    let telephone = Telephone::limited(limits, vec![Line::Refuse, Line::Refuse]).await;
    let mut call = telephone.call().await;
    call.say("A haircut, please").await;
    call.hear().await;
    telephone.door.book().down.insert("begin_tool_call");
    call.say("A haircut!").await;
    let farewell = call.hear().await;
    assert!(farewell.ends_with("Please call again a little later. Goodbye."), "{farewell}");
    telephone.door.book().down.clear();
    telephone.door.message().await;
    assert!(telephone.door.book().messages[0].text.contains("A haircut!"));
}

#[tokio::test]
async fn a_model_that_hangs_is_not_waited_for_forever() {
    let telephone = Telephone::start(vec![Line::Hang, Line::Say(&["Here I am."])]).await;
    let mut call = telephone.call().await;
    call.say("Hello?").await;
    assert_eq!(call.hear().await, "I'm sorry, I didn't catch that. Could you say it again?");
    call.say("Hello?").await;
    assert_eq!(call.hear().await, "Here I am.");
}

#[tokio::test]
async fn a_book_that_never_answers_is_told_to_the_model_and_the_message_reaches_the_team() {
    let lines = vec![
        Line::Use("search_availability", json!({"service": "haircut"})),
        Line::Say(&["Shall I take a message?"]),
        Line::Use("take_message", json!({"message": "A haircut on Tuesday"})),
        Line::Say(&["They'll call you back."]),
    ];
    let telephone = Telephone::limited(impatient(), lines).await;
    let mut call = telephone.call().await;
    telephone.door.book().hung.insert("search_availability");
    call.say("A haircut, please").await;
    assert_eq!(call.hear().await, "Shall I take a message?");
    assert_eq!(telephone.door.book().unreached, ["search_availability"], "it was asked and hangs");
    let told = telephone.script.requests()[1]["messages"].as_array().unwrap().last().unwrap().clone();
    let told: Value = serde_json::from_str(told["content"].as_str().unwrap()).unwrap();
    assert_eq!((&told["ok"], &told["reason"]), (&json!(false), &json!("UNAVAILABLE")));
    assert!(told["say"].as_str().unwrap().starts_with("I'm sorry, I can't reach the book"), "{told}");
    call.say("Yes, please").await;
    assert_eq!(call.hear().await, "They'll call you back.");
    let book = telephone.door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert_eq!((message.text.as_str(), message.phone.as_str()), ("A haircut on Tuesday", PHONE));
}

#[tokio::test]
async fn a_call_ends_by_itself_after_half_an_hour_while_the_caller_is_silent() {
    assert_eq!(Limits::default().call_time, Duration::from_secs(30 * 60));
    for (language, farewell) in [
        ("en", "I'm sorry, I have to end our call here. Thank you for calling. Goodbye."),
        (
            "de",
            "Es tut mir leid, ich muss unser Gespräch hier beenden. Vielen Dank für Ihren Anruf. Auf Wiederhören.",
        ),
    ] {
        let limits = Limits { call_time: Duration::ZERO, ..Limits::default() };
        let telephone = Telephone::limited(limits, vec![]).await;
        telephone.door.book().agent.settings.as_mut().unwrap().languages = vec![language.to_owned()];
        let mut call = telephone.call().await;
        assert_eq!(call.hear().await, farewell);
        assert_eq!(call.frame().await, json!({"type": "end"}));
        assert_eq!(call.frame().await, Value::Null, "the socket is closed");
        assert!(telephone.script.requests().is_empty(), "the model is asked nothing more");
        assert!(telephone.door.book().messages.is_empty(), "the caller wanted nothing");
        let transcript = telephone.transcript();
        assert!(transcript.iter().any(|(_, text)| text.ends_with(farewell)), "on record: {transcript:?}");
    }
}

/// Time for a caller's first words, which are sent with the beginning of the call.
fn a_moment() -> Limits {
    Limits { call_time: Duration::from_secs(1), ..Limits::default() }
}

#[tokio::test]
async fn a_turn_that_does_not_end_is_cut_at_the_end_of_the_call_and_the_team_is_told_what_is_open() {
    let telephone = Telephone::limited(a_moment(), vec![Line::SayAndWait("Let me see")]).await;
    let mut call = telephone.call().await;
    call.say("A haircut, please").await;
    assert_eq!(call.hear().await, "Let me see");
    let farewell = "I'm sorry, I have to end our call here. I've asked the team to call you back. Goodbye.";
    assert_eq!(call.hear().await, farewell);
    assert_eq!(call.frame().await, json!({"type": "end"}));
    let book = telephone.door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert!(message.text.contains("A haircut, please"), "{}", message.text);
}

#[tokio::test]
async fn a_caller_for_whom_all_is_done_is_not_called_back_when_the_call_reaches_its_end() {
    let lines =
        vec![Line::Use("take_message", json!({"message": "I'm late"})), Line::Say(&["I've told them."])];
    let telephone = Telephone::limited(a_moment(), lines).await;
    let mut call = telephone.call().await;
    call.say("Tell them that I'm late").await;
    assert_eq!(call.hear().await, "I've told them.");
    assert!(call.hear().await.ends_with("Thank you for calling. Goodbye."));
    assert_eq!(call.frame().await, json!({"type": "end"}));
    assert_eq!(telephone.door.book().messages.len(), 1, "what they left themselves");
}

#[tokio::test]
async fn a_caller_does_not_wait_for_the_record_of_a_call_that_ended_and_it_is_kept_later() {
    let telephone = Telephone::start(vec![Line::Refuse, Line::Refuse]).await;
    let mut call = telephone.call().await;
    call.say("A haircut, please").await;
    call.hear().await;
    telephone.door.book().down.insert("record_call_event");
    call.say("A haircut!").await;
    let farewell = call.hear().await;
    assert_eq!(call.frame().await, json!({"type": "end"}));
    let is_kept = || telephone.transcript().iter().any(|(_, text)| *text == farewell);
    assert!(!is_kept(), "it is tried still");
    telephone.door.book().down.clear();
    let kept = async {
        while !is_kept() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, kept).await.expect("it is kept");
}

#[tokio::test]
async fn a_process_that_stops_takes_no_call_and_lets_those_under_way_end() {
    let telephone = Telephone::start(vec![Line::Say(&["Of course."])]).await;
    let mut call = telephone.call().await;
    telephone.door.host.leaving.cancel();
    let Err(Error::Http(refused)) = telephone.connect(SECRET).await else { panic!() };
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    call.say("May I ask something?").await;
    assert_eq!(call.hear().await, "Of course.");

    // Its time is up.
    let closed = telephone.door.conversations.closed(core::time::Duration::ZERO);
    let (_, farewell) = tokio::join!(closed, call.hear());
    assert!(farewell.contains("I have to end our call"), "{farewell}");
    assert_eq!(call.frame().await, json!({"type": "end"}));
    assert_eq!(telephone.door.book().messages.len(), 1);
}

/// A salon that can't be told what a caller left for it, and is tried again much later.
async fn untold() -> Door {
    let door = Door::limited(Limits { message_retries: MUCH_LATER, ..Limits::default() }).await;
    door.book().down.insert("begin_tool_call");
    let refused = door.deliver(&tool("take_message", json!({"message": "I left my zither"}))).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    door
}

#[tokio::test]
async fn a_process_that_stops_waits_for_a_message_that_is_still_tried() {
    let door = untold().await;
    let closed = door.conversations.closed(Duration::ZERO);
    let mended = async {
        // By the delivery, behind it, and again since the process closes.
        while door.book().unreached.len() < 3 {
            tokio::task::yield_now().await;
        }
        door.book().down.clear();
    };
    timeout(PATIENCE, async { tokio::join!(closed, mended) })
        .await
        .expect("it is left, and the process ends");
    assert_eq!(door.book().messages.len(), 1);
}

#[tokio::test]
async fn a_message_that_a_stopping_process_gives_up_is_logged_by_business_and_call_without_the_caller() {
    let seen = Seen::default();
    let _watching = seen.watch();
    let door = untold().await;
    timeout(PATIENCE, door.conversations.give_up()).await.expect("nothing is waited for any more");
    let seen = seen.text();
    let logged = format!("business={BUSINESS}\ncall=\"call_1\"");
    assert!(seen.contains("what=\"a message to the team\"") && seen.contains(&logged), "{seen}");
    for private in [&PHONE[1..], "zither"] {
        assert!(!seen.contains(private), "{private}: {seen}");
    }
    assert!(door.book().messages.is_empty());
}

#[tokio::test]
async fn a_call_that_a_stopping_process_can_wait_for_no_longer_is_cut_off() {
    let telephone = Telephone::start(vec![]).await;
    let mut call = telephone.call().await;
    telephone.door.conversations.give_up().await;
    assert_eq!(call.frame().await, Value::Null);
}

#[tokio::test]
async fn a_turn_uses_so_many_tools_and_no_more() {
    let lines = vec![Line::Use("opening_hours", json!({})); 6];
    let telephone = Telephone::start(lines).await;
    let mut call = telephone.call().await;
    call.say("When are you open?").await;
    assert_eq!(call.hear().await, "I'm sorry, I didn't catch that. Could you say it again?");
    assert_eq!(telephone.script.requests().len(), 6);
    let counted = telephone.door.recorded("frontdesk.voice.turns", &[("outcome", "failed")]);
    assert_eq!(counted, 1);
}

#[tokio::test]
async fn a_call_ends_once_it_has_spent_its_tokens() {
    let telephone = Telephone::start(vec![Line::SayFor(400_001, &["Yes?"])]).await;
    let mut call = telephone.call().await;
    call.say("Hello").await;
    assert_eq!(call.hear().await, "Yes?");
    call.say("A haircut, please").await;
    let farewell = "I'm sorry, I have to end our call here. I've asked the team to call you back. Goodbye.";
    assert_eq!(call.hear().await, farewell);
    assert_eq!(call.frame().await, json!({"type": "end"}));
    assert_eq!(telephone.script.requests().len(), 1, "the model is asked nothing more");
    let book = telephone.door.book();
    assert!(book.messages[0].text.contains("A haircut, please"), "{:?}", book.messages);
}

#[tokio::test]
async fn a_call_ends_after_so_many_turns() {
    let telephone = Telephone::start(vec![Line::Say(&["Yes?"]); 120]).await;
    let mut call = telephone.call().await;
    for _ in 0..120 {
        call.say("Hello").await;
        assert_eq!(call.hear().await, "Yes?");
    }
    call.say("Hello").await;
    assert!(call.hear().await.starts_with("I'm sorry, I have to end our call here."));
    assert_eq!(call.frame().await, json!({"type": "end"}));
    assert_eq!(telephone.script.requests().len(), 120);
}
