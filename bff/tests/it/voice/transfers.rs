//! Callers who are put through to a person: by our own agent, by a person who takes over, and what follows.

use bff::{edge::Limits, voice::twilio::signature};
use http::StatusCode;
use proto::frontdesk::{telemetry::v1::CallOutcome, tenancy::v1::VoicePlatform};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    door::{Door, OFTEN, Raw, path},
    model::{Line, PATIENCE},
    salon::{CONNECTION, PHONE, SECRET},
    telephone::Telephone,
};

const NUMBER: &str = "+442079460018";
const FORM: &str = "application/x-www-form-urlencoded";

/// The salon passes callers on to this number.
fn pass_on(door: &Door) {
    door.book().agent.settings.as_mut().unwrap().transfer_phone = NUMBER.into();
}

/// What Twilio posts, signed, to our address with a query.
async fn post(door: &Door, query: &str, rest: &str) -> Raw {
    let path = format!("{}{query}", path("twilio", &CONNECTION.to_string()));
    let form = format!("CallSid=CA1&From=%2B447700900123&To=%2B442079460014&{rest}");
    let signed = signature::sign(SECRET, &format!("https://desk.test{path}"), form.as_bytes());
    door.send(&path, FORM, vec![(signature::HEADER.to_owned(), signed)], form.into_bytes()).await
}

async fn twilio() -> Door {
    let door = Door::open().await;
    door.book().platform = VoicePlatform::Twilio;
    door
}

fn tools(request: &Value) -> String {
    request["tools"].to_string()
}

#[tokio::test]
async fn our_agent_puts_a_caller_through_and_leaves_twilio_the_number() {
    let lines = vec![Line::Use("transfer_call", json!({})), Line::Say(&["One moment, please."])];
    let telephone = Telephone::start(lines).await;
    pass_on(&telephone.door);
    let mut call = telephone.call().await;
    call.say("May I speak with Mia?").await;
    assert_eq!(call.hear().await, "One moment, please.");
    let end = call.frame().await;
    assert_eq!(end["type"], "end");
    let data = end["handoffData"].as_str().unwrap().to_owned();
    assert_eq!(data, json!({"transfer": NUMBER}).to_string());
    assert!(tools(&telephone.script.requests()[0]).contains("transfer_call"));
    // Twilio asks what comes next.
    let data: String = form_urlencoded::byte_serialize(data.as_bytes()).collect();
    let rest = format!("CallStatus=in-progress&SessionId=VX1&SessionStatus=ended&HandoffData={data}");
    let answer = post(&telephone.door, "", &rest).await;
    let action =
        format!("https://desk.test{}?dialled=%2B442079460018", path("twilio", &CONNECTION.to_string()));
    let dial = format!(r#"<Dial action="{action}" timeout="25" answerOnBridge="true">{NUMBER}</Dial>"#);
    assert!(answer.body.contains(&dial), "{}", answer.body);
}

#[tokio::test]
async fn a_model_that_falls_silent_after_the_tool_keeps_no_caller_waiting() {
    let telephone = Telephone::start(vec![Line::Use("transfer_call", json!({})), Line::Refuse]).await;
    pass_on(&telephone.door);
    let mut call = telephone.call().await;
    call.say("A person, please").await;
    assert_eq!(call.hear().await, "I'll put you through to the team now. One moment, please.");
    assert!(call.frame().await["handoffData"].as_str().unwrap().contains(NUMBER));
}

#[tokio::test]
async fn a_caller_who_thinks_better_of_it_stays_with_the_agent() {
    let lines = vec![
        Line::Use("transfer_call", json!({})),
        Line::SayAndWait("I'll put you through"),
        Line::Say(&["Of course."]),
    ];
    let telephone = Telephone::start(lines).await;
    pass_on(&telephone.door);
    let mut call = telephone.call().await;
    call.say("A person, please").await;
    assert_eq!(call.frame().await["token"], "I'll put you through");
    telephone.script.waits().await;
    call.say("No, wait, what time do you open?").await;
    assert_eq!(call.frame().await, json!({"type": "text", "token": "", "last": true}));
    assert_eq!(call.hear().await, "Of course.");
}

#[tokio::test]
async fn without_a_number_no_tool_is_offered_and_one_that_is_invented_is_refused() {
    let lines = vec![Line::Use("transfer_call", json!({})), Line::Say(&["Shall I take a message?"])];
    let telephone = Telephone::start(lines).await;
    let mut call = telephone.call().await;
    call.say("A person, please").await;
    assert_eq!(call.hear().await, "Shall I take a message?");
    let requests = telephone.script.requests();
    assert!(!tools(&requests[0]).contains("transfer_call"), "{}", tools(&requests[0]));
    let told = requests[0]["messages"][0]["content"].to_string();
    assert!(told.contains("Callers can't be put through."), "{told}");
    let refused = requests[1]["messages"].to_string();
    assert!(refused.contains("Shall I take a message for the team?"), "{refused}");
    call.say("Yes").await;
}

#[tokio::test]
async fn a_platform_with_a_tool_of_its_own_is_told_that_ours_puts_no_one_through() {
    let door = Door::open().await;
    pass_on(&door);
    let answer = door.tool("transfer_call", json!({})).await;
    assert_eq!(answer.body["ok"], false);
    assert_eq!(
        answer.say(),
        "I'm sorry, I can't put you through from here. Shall I take a message for the team?"
    );
}

#[tokio::test]
async fn a_call_that_a_person_takes_over_rings_where_they_are() {
    let door = twilio().await;
    let answer = post(&door, "?hand_over=%2B442079460018", "CallStatus=in-progress").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.contains(">+442079460018</Dial>"), "{}", answer.body);
    // Another number would be another signature.
    let path = path("twilio", &CONNECTION.to_string());
    let form = "CallSid=CA1&CallStatus=in-progress";
    let signed = signature::sign(
        SECRET,
        &format!("https://desk.test{path}?hand_over=%2B442079460018"),
        form.as_bytes(),
    );
    let headers = vec![(signature::HEADER.to_owned(), signed)];
    let other = format!("{path}?hand_over=%2B19005550100");
    let refused = door.send(&other, FORM, headers, form.as_bytes().to_vec()).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
}

const DIALLED: &str = "?dialled=%2B442079460018";

#[tokio::test]
async fn a_conversation_with_a_person_is_on_record_with_their_number() {
    let door = twilio().await;
    let rest = "CallStatus=completed&DialCallStatus=completed&DialCallSid=CA2&DialCallDuration=70";
    let answer = post(&door, DIALLED, rest).await;
    assert!(answer.body.contains("<Response><Hangup/></Response>"), "{}", answer.body);
    let book = door.book();
    let (_, facts) = book.events.values().next().unwrap();
    assert_eq!(facts.transferred_to, NUMBER);
    assert!(book.messages.is_empty());
}

#[tokio::test]
async fn a_caller_whom_no_one_answers_hears_so_and_the_team_calls_back() {
    let door = twilio().await;
    let rest = "CallStatus=in-progress&DialCallStatus=no-answer&DialCallSid=CA2";
    let first = post(&door, DIALLED, rest).await;
    assert!(first.body.contains("asked the team to call you back.") && first.body.contains("<Hangup/>"));
    // Twilio asks again when our answer was lost.
    assert_eq!(post(&door, DIALLED, rest).await, first);
    let book = door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert_eq!((message.phone.as_str(), message.call_id.as_str()), (PHONE, "our CA1"));
    assert!(message.text.contains("They asked for a person"), "{}", message.text);
    assert!(book.finished.values().all(|finished| finished.outcome() == CallOutcome::Message));
    assert!(book.events.values().all(|(_, facts)| facts.transferred_to.is_empty()));
}

#[tokio::test]
async fn a_caller_who_hung_up_meanwhile_is_called_back_all_the_same() {
    let door = twilio().await;
    let rest = "CallStatus=completed&DialCallStatus=canceled&DialCallSid=CA2";
    let answer = post(&door, DIALLED, rest).await;
    assert!(!answer.body.contains("<Say"), "{}", answer.body);
    assert_eq!(door.book().messages.len(), 1);
}

#[tokio::test]
async fn a_caller_whom_no_one_answers_is_answered_and_on_record_whatever_is_away() {
    let rest = "CallStatus=in-progress&DialCallStatus=no-answer&DialCallSid=CA2";
    for away in ["get_published_agent", "create_follow_up", "begin_tool_call"] {
        let door = twilio().await;
        door.book().down.insert(away);
        let answer = post(&door, DIALLED, rest).await;
        assert_eq!(answer.status, StatusCode::OK, "{away}");
        assert!(answer.body.contains("Please call again a little later."), "{away}: {}", answer.body);
        assert_eq!(door.book().events.len(), 1, "{away}");
    }
    let door = twilio().await;
    door.book().down.insert("record_call_event");
    let answer = post(&door, DIALLED, rest).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.contains("asked the team to call you back."), "{}", answer.body);
    kept_later(&door).await;
}

/// An event that was acknowledged while the record was away is kept once it is back.
async fn kept_later(door: &Door) {
    assert!(door.book().events.is_empty());
    door.book().down.clear();
    let kept = async {
        while door.book().events.is_empty() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, kept).await.expect("it is kept");
}

#[tokio::test]
async fn where_no_messages_are_taken_none_is_promised() {
    let door = twilio().await;
    door.book().agent.settings.as_mut().unwrap().may_take_messages = false;
    let rest = "CallStatus=in-progress&DialCallStatus=busy&DialCallSid=CA2";
    let answer = post(&door, DIALLED, rest).await;
    assert!(answer.body.contains("Please call again a little later."), "{}", answer.body);
    assert!(door.book().messages.is_empty());
}

const BROKEN: &str = "CallStatus=in-progress&SessionId=VX1&SessionStatus=failed&ErrorCode=64102&ErrorMessage=Unable+to+connect";

#[tokio::test]
async fn a_caller_whom_our_agent_can_not_serve_hears_so_and_the_team_calls_back() {
    let door = twilio().await;
    let first = post(&door, "", BROKEN).await;
    assert_eq!(first.status, StatusCode::OK);
    let said = r#"<Say language="en-GB">I'm very sorry, something isn't working here. I've asked the team to call you back."#;
    assert!(
        first.body.replace("&apos;", "'").contains(said) && first.body.contains("<Hangup/>"),
        "{}",
        first.body
    );
    assert_eq!(post(&door, "", BROKEN).await, first);
    let book = door.book();
    let [message] = &book.messages[..] else { panic!("{:?}", book.messages) };
    assert_eq!((message.phone.as_str(), message.call_id.as_str()), (PHONE, "our CA1"));
    assert!(message.text.contains("could not take their call"), "{}", message.text);
    assert_eq!(book.events.len(), 1);
}

#[tokio::test]
async fn where_there_is_a_number_a_caller_whom_our_agent_can_not_serve_is_put_through() {
    let door = twilio().await;
    pass_on(&door);
    door.book().agent.settings.as_mut().unwrap().languages = vec!["de".into()];
    let answer = post(&door, "", BROKEN).await;
    let (said, rest) = answer.body.split_once("</Say>").unwrap();
    assert!(said.contains(r#"<Say language="de-DE">Es tut mir sehr leid"#), "{}", answer.body);
    assert!(rest.starts_with("<Dial ") && rest.contains(NUMBER), "{}", answer.body);
    assert!(door.book().messages.is_empty(), "a person may answer");
}

#[tokio::test]
async fn a_caller_who_hung_up_on_a_broken_line_is_called_back_and_not_rung_for() {
    let door = twilio().await;
    pass_on(&door);
    let answer = post(&door, "", "CallStatus=completed&SessionId=VX1&SessionStatus=failed").await;
    assert!(answer.body.contains("<Response><Hangup/></Response>"), "{}", answer.body);
    assert_eq!(door.book().messages.len(), 1);
}

#[tokio::test]
async fn a_caller_hears_an_apology_whatever_is_away_and_no_call_back_is_promised_then() {
    for rest in [BROKEN, "CallStatus=ringing"] {
        let door = Door::limited(Limits { message_retries: OFTEN, ..Limits::default() }).await;
        door.book().platform = VoicePlatform::Twilio;
        door.book().down.extend(["get_published_agent", "begin_tool_call", "record_call_event"]);
        let answer = post(&door, "", rest).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.body.contains("Please call again a little later."), "{}", answer.body);
        // The team is told all the same, once it can be.
        door.book().down.clear();
        door.message().await;
        assert_eq!(door.book().messages.len(), 1);
    }
}

#[tokio::test]
async fn what_is_told_of_a_call_while_the_record_is_away_is_acknowledged_and_kept_later() {
    for rest in [BROKEN, "CallStatus=ringing"] {
        let door = twilio().await;
        door.book().down.insert("record_call_event");
        assert_eq!(post(&door, "", rest).await.status, StatusCode::OK, "{rest}");
        kept_later(&door).await;
    }
}

#[tokio::test]
async fn without_a_model_a_caller_is_put_through_or_called_back() {
    let door = twilio().await;
    let answer = post(&door, "", "CallStatus=ringing").await;
    assert!(answer.body.contains("asked the team to call you back."), "{}", answer.body);
    assert_eq!(door.book().messages.len(), 1);
    pass_on(&door);
    let form = "CallSid=CA2&From=%2B447700900123&CallStatus=ringing";
    let path = path("twilio", &CONNECTION.to_string());
    let signed = signature::sign(SECRET, &format!("https://desk.test{path}"), form.as_bytes());
    let headers = vec![(signature::HEADER.to_owned(), signed)];
    let other = door.send(&path, FORM, headers, form.as_bytes().to_vec()).await;
    assert!(other.body.contains("<Dial "), "{}", other.body);
}

#[tokio::test]
async fn a_conversation_that_can_not_begin_leaves_twilio_to_say_so() {
    let telephone = Telephone::start(vec![]).await;
    telephone.door.book().down.insert("record_call_event");
    let mut call = telephone.call().await;
    let end = call.frame().await;
    assert_eq!(end["type"], "end");
    let data: String =
        form_urlencoded::byte_serialize(end["handoffData"].as_str().unwrap().as_bytes()).collect();
    telephone.door.book().down.clear();
    let rest = format!("CallStatus=in-progress&SessionId=VX1&SessionStatus=ended&HandoffData={data}");
    let answer = post(&telephone.door, "", &rest).await;
    assert!(answer.body.contains("asked the team to call you back."), "{}", answer.body);
}

#[tokio::test]
async fn a_recorded_call_is_recorded_from_before_the_agent_speaks() {
    let telephone = Telephone::start(vec![]).await;
    {
        let mut book = telephone.door.book();
        let settings = book.agent.settings.as_mut().unwrap();
        (settings.records_calls, settings.recording_notice) = (true, "This call is recorded.".into());
    }
    let answer = post(&telephone.door, "", "CallStatus=ringing").await;
    let address = format!("https://desk.test{}", path("twilio", &CONNECTION.to_string()));
    let start = format!(r#"<Start><Recording recordingStatusCallback="{address}""#);
    assert!(answer.body.contains(&start), "{}", answer.body);
    let rest =
        "RecordingSid=RE1&RecordingStatus=completed&RecordingUrl=https%3A%2F%2Felsewhere.example%2FRE1";
    assert_eq!(post(&telephone.door, "", rest).await.status, StatusCode::NO_CONTENT);
    let book = telephone.door.book();
    let (_, facts) = book.events.iter().find(|((_, key), _)| key.contains("recording")).unwrap().1;
    assert_eq!((facts.recording_id.as_str(), facts.recording_url.as_str()), ("RE1", ""));
}
