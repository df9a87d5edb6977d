//! How calls over Twilio's socket end when the model or a service fails, when they last too long, and when the process
//! stops.

use bff::edge::Limits;
use http::StatusCode;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Error;

use super::{
    door::OFTEN,
    model::Line,
    salon::{PHONE, SECRET},
    telephone::Telephone,
};

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
