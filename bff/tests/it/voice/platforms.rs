//! Every platform's deliveries at the door: believed by its own proof alone, kept once, answered in its own form.

use base64::{Engine, engine::general_purpose::STANDARD as B64};
use bff::voice::twilio;
use http::StatusCode;
use jiff::SignedDuration;
use proptest::prelude::*;
use proto::frontdesk::telemetry::v1::CallState;
use serde_json::{Value, json};

use super::{
    door::{Door, path},
    line::{LINES, Line, SALON, vapi},
    salon::{CONNECTION, PHONE, SECRET},
};

#[tokio::test]
async fn each_platform_is_believed_by_its_own_proof_and_tells_of_the_same_call() {
    for line in LINES {
        let door = line.open().await;
        for body in line.story() {
            let answer = line.deliver(&door, &body).await;
            assert!(answer.status.is_success(), "{line:?}: {answer:?}");
        }
        let book = door.book();
        let (_, last) = book.events.values().find(|(_, facts)| facts.state() == CallState::Ended).unwrap();
        assert_eq!((last.platform.as_str(), last.platform_call_id.as_str()), (line.name(), "call_1"));
        assert_eq!((last.from_number.as_str(), last.to_number.as_str()), (PHONE, SALON), "{line:?}");
        assert_eq!(book.released.first().map(String::as_str), Some("our call_1"), "{line:?}");
    }
}

#[tokio::test]
async fn no_platform_is_believed_without_its_proof_or_with_another() {
    for line in LINES {
        let door = line.open().await;
        let body = line.story().remove(0);
        let other = line.proof(&door, "another secret", SignedDuration::ZERO, &body);
        let of_another_body = line.proof(&door, SECRET, SignedDuration::ZERO, b"{}");
        let mut refused = vec![(vec![], "unsigned"), (other, "another secret")];
        // A bearer proves the secret and not the body.
        if line != Line::VapiBearer {
            refused.push((of_another_body, "another body"));
        }
        for (headers, what) in refused {
            let answer = line.deliver_as(&door, headers, &body).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{line:?}, {what}");
        }
        assert!(door.book().events.is_empty() && door.book().tools.is_empty(), "{line:?}");
        let attributes = [("frontdesk.voice.platform", line.name()), ("reason", "missing")];
        assert_eq!(door.recorded("frontdesk.voice.signature.rejected", &attributes), 1, "{line:?}");
    }
}

#[tokio::test]
async fn what_was_signed_too_long_ago_is_refused_where_the_platform_signs_a_time() {
    let windows = [(Line::Retell, 5), (Line::VapiHmac, 5), (Line::ElevenLabs, 30)];
    for (line, minutes) in windows {
        let door = line.open().await;
        let body = line.story().remove(0);
        let beyond = SignedDuration::from_mins(minutes) + SignedDuration::from_secs(1);
        for age in [beyond, -beyond] {
            let answer = line.deliver_as(&door, line.proof(&door, SECRET, age, &body), &body).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{line:?}");
        }
        let answer = line
            .deliver_as(&door, line.proof(&door, SECRET, SignedDuration::from_mins(minutes), &body), &body)
            .await;
        assert!(answer.status.is_success(), "{line:?}");
    }
}

/// Something that happens at a platform, and to no call.
fn notice(line: Line) -> (Vec<u8>, &'static str) {
    match line {
        Line::Retell => (br#"{"event":"agent_published","agent_id":"a"}"#.to_vec(), "agent_published"),
        Line::VapiBearer | Line::VapiHmac => {
            (br#"{"message":{"type":"chat.created","chat":{"id":"c"}}}"#.to_vec(), "chat.created")
        }
        Line::Twilio => (b"AccountSid=AC1&MessageSid=SM1&SmsStatus=received".to_vec(), "message-received"),
        Line::ElevenLabs => {
            (br#"{"type":"voice_removal_notice","data":{"voice_id":"v"}}"#.to_vec(), "voice_removal_notice")
        }
    }
}

#[tokio::test]
async fn what_names_no_call_is_kept_once_as_it_came_and_acknowledged() {
    for line in LINES {
        let door = line.open().await;
        let (body, kind) = notice(line);
        let unproved = line.proof(&door, "another secret", SignedDuration::ZERO, &body);
        assert_eq!(line.deliver_as(&door, unproved, &body).await.status, StatusCode::UNAUTHORIZED);
        assert!(door.book().notices.is_empty(), "{line:?}");
        let answer = line.deliver(&door, &body).await;
        assert!(answer.status.is_success(), "{line:?}: {answer:?}");
        assert_eq!(line.deliver(&door, &body).await, answer);
        let book = door.book();
        let kept: Vec<_> = book.notices.values().map(|(kept, kind)| (&kept.body, kind.as_str())).collect();
        assert_eq!(kept, [(&body, kind)], "{line:?}");
        assert!(book.events.is_empty() && book.tools.is_empty(), "{line:?}");
    }
}

#[tokio::test]
async fn a_notice_that_can_not_be_kept_is_not_acknowledged() {
    let door = Line::Retell.open().await;
    door.book().down.insert("record_notice");
    let answer = Line::Retell.deliver(&door, &notice(Line::Retell).0).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
}

/// The first event of a call whose id is a sample's.
fn sample(line: Line) -> Vec<u8> {
    let event = line.story().into_iter().find(|body| !body.windows(6).any(|part| part == b"\"tool\""));
    String::from_utf8(event.unwrap()).unwrap().replace("call_1", "frontdesk-test-1").into_bytes()
}

#[tokio::test]
async fn a_sample_is_believed_or_refused_and_nothing_comes_of_it() {
    for line in LINES {
        let door = line.open().await;
        let body = sample(line);
        let answer = line.deliver(&door, &body).await;
        assert_eq!(
            (answer.status, answer.json()),
            (StatusCode::OK, json!({"testedCall": "frontdesk-test-1"}))
        );
        let wrong =
            line.deliver_as(&door, line.proof(&door, "another", SignedDuration::ZERO, &body), &body).await;
        assert_eq!(wrong.status, StatusCode::UNAUTHORIZED, "{line:?}");
        let book = door.book();
        assert!(book.events.is_empty() && book.tools.is_empty(), "{line:?}");
        drop(book);
        let counted = door.recorded("frontdesk.voice.deliveries", &[("outcome", "tested")]);
        assert_eq!(counted, 1, "{line:?}");
    }
}

#[tokio::test]
async fn a_delivery_that_is_sent_again_changes_nothing() {
    for line in LINES {
        let door = line.open().await;
        let body = line.story().pop().unwrap();
        let first = line.deliver(&door, &body).await;
        let kept = door.book().events.len();
        assert_eq!(line.deliver(&door, &body).await, first, "{line:?}");
        assert_eq!(door.book().events.len(), kept, "{line:?}");
    }
}

#[tokio::test]
async fn a_secret_that_was_replaced_lately_still_counts_and_one_that_was_not_does_not() {
    let door = Line::Retell.open().await;
    door.book().old_secret = "key_of_yesterday".into();
    let body = Line::Retell.story().remove(0);
    let by = |secret: &str| Line::Retell.proof(&door, secret, SignedDuration::ZERO, &body);
    for (secret, status) in [
        ("key_of_yesterday", StatusCode::NO_CONTENT),
        (SECRET, StatusCode::NO_CONTENT),
        ("key_of_last_year", StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(Line::Retell.deliver_as(&door, by(secret), &body).await.status, status, "{secret}");
    }
}

#[tokio::test]
async fn behind_a_proxy_the_address_that_twilio_was_told_is_what_counts() {
    let door = Line::Twilio.open().await;
    let body = Line::Twilio.story().remove(1);
    let path = path("twilio", &CONNECTION.to_string());
    let url = |base: &str| format!("{base}{path}?from=desk");
    for (base, status) in
        [("https://desk.test", StatusCode::NO_CONTENT), ("http://10.0.0.7:8080", StatusCode::UNAUTHORIZED)]
    {
        let signature = twilio::signature::sign(SECRET, &url(base), &body);
        let mut headers = vec![(twilio::signature::HEADER.to_owned(), signature)];
        headers.push(("host".to_owned(), "10.0.0.7:8080".to_owned()));
        headers.push(("x-forwarded-host".to_owned(), "evil.test".to_owned()));
        let answer =
            door.send(&format!("{path}?from=desk"), Line::Twilio.kind(), headers, body.clone()).await;
        assert_eq!(answer.status, status, "{base}");
    }
}

#[tokio::test]
async fn a_connection_of_one_platform_takes_no_delivery_of_another() {
    let door = Line::Retell.open().await;
    let body = Line::VapiBearer.story().remove(0);
    let answer = Line::VapiBearer.deliver(&door, &body).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(door.book().events.is_empty());
}

#[tokio::test]
async fn vapis_tools_are_answered_each_under_its_own_id() {
    let door = Line::VapiBearer.open().await;
    let body = vapi(json!({"type": "tool-calls", "toolCallList": [
        {"id": "t1", "name": "find_customer", "parameters": {}},
        {"id": "t2", "type": "function", "function": {"name": "list_services", "arguments": "{\"service\":\"haircut\"}"}},
    ]}))
    .to_string()
    .into_bytes();
    let answer = Line::VapiBearer.deliver(&door, &body).await.json();
    let results = answer["results"].as_array().unwrap();
    let ids: Vec<&str> = results.iter().map(|result| result["toolCallId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["t1", "t2"]);
    let first: Value = serde_json::from_str(results[0]["result"].as_str().unwrap()).unwrap();
    assert_eq!(first["say"], "I have you as Ana. Is that right?");
    assert_eq!(door.book().tools.len(), 2);
    // Sent again, neither runs again.
    assert_eq!(Line::VapiBearer.deliver(&door, &body).await.json(), answer);
    assert_eq!(door.book().finished.len(), 2);
}

#[tokio::test]
async fn elevenlabs_tools_prove_the_secret_and_are_answered_as_they_are() {
    let door = Line::ElevenLabs.open().await;
    let body = Line::ElevenLabs.story().remove(0);
    let bearer = |secret: &str| vec![("authorization".to_owned(), format!("Bearer {secret}"))];
    let answer = Line::ElevenLabs.deliver_as(&door, bearer(SECRET), &body).await;
    assert_eq!(answer.json()["say"], "I have you as Ana. Is that right?");
    let refused = Line::ElevenLabs.deliver_as(&door, bearer("another"), &body).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn elevenlabs_is_told_two_hundred() {
    let door = Line::ElevenLabs.open().await;
    let body = Line::ElevenLabs.story().pop().unwrap();
    assert_eq!(Line::ElevenLabs.deliver(&door, &body).await.status, StatusCode::OK);
}

fn kept(door: &Door) -> usize {
    let book = door.book();
    book.events.len() + book.tools.len() + book.notices.len()
}

/// Bytes that may be anything, and bytes that are nearly a delivery.
fn nearly(line: Line) -> impl Strategy<Value = Vec<u8>> {
    let story = line.story();
    let cut =
        (0..story.len(), any::<prop::sample::Index>(), any::<u8>()).prop_map(move |(which, at, byte)| {
            let mut body = story[which].clone();
            let at = at.index(body.len());
            body[at] = byte;
            body
        });
    let story = line.story();
    let short = (0..story.len(), any::<prop::sample::Index>())
        .prop_map(move |(which, at)| story[which][..at.index(story[which].len())].to_vec());
    prop_oneof![1 => prop::collection::vec(any::<u8>(), 0..400), 3 => cut, 1 => short]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Any bytes are kept whole, or refused and not kept at all.
    #[test]
    fn no_bytes_make_an_adapter_panic_or_keep_half_a_call(
        (line, bodies) in prop::sample::select(LINES.to_vec())
            .prop_flat_map(|line| (Just(line), prop::collection::vec(nearly(line), 8))),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let door = line.open().await;
            for body in &bodies {
                let before = kept(&door);
                let answer = line.deliver(&door, body).await;
                let after = kept(&door);
                assert!(answer.status.is_success() || answer.status == StatusCode::BAD_REQUEST, "{answer:?}");
                assert!(answer.status.is_success() || before == after, "{}", B64.encode(body));
            }
        });
    }

    /// Repeated, late and out of order: the same events are kept.
    #[test]
    fn any_order_of_deliveries_keeps_the_same_events(
        line in prop::sample::select(LINES.to_vec()),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let (told, shuffled) = (line.open().await, line.open().await);
            let story = line.story();
            for body in &story {
                line.deliver(&told, body).await;
            }
            for at in &order {
                line.deliver(&shuffled, &story[at.index(story.len())]).await;
            }
            for body in story.iter().rev() {
                line.deliver(&shuffled, body).await;
            }
            let keys = |door: &Door| door.book().events.iter().map(|(key, (_, facts))| (key.clone(), facts.clone())).collect::<Vec<_>>();
            assert_eq!(keys(&told), keys(&shuffled));
        });
    }
}
