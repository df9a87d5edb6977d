//! Calls of which no webhook told.

use http::StatusCode;
use proptest::prelude::*;
use proto::{
    error::Reason,
    frontdesk::{
        telemetry::v1::CallState,
        tenancy::{internal::v1::CallCheck, v1::VoicePlatform},
    },
};
use serde_json::{Value, json};

use super::{
    door::{Door, call},
    salon::{BUSINESS, CONNECTION},
};

fn check() -> CallCheck {
    CallCheck {
        business_id: BUSINESS.to_string(),
        voice_connection_id: CONNECTION.to_string(),
        lease_id: uuid::Uuid::from_u128(7).to_string(),
        since: Some(pbjson_types::Timestamp { seconds: 1_780_300_000, nanos: 0 }),
        until: Some(pbjson_types::Timestamp { seconds: 1_780_301_000, nanos: 0 }),
        live_version: 5,
        live_at: Some(pbjson_types::Timestamp { seconds: 1_780_300_500, nanos: 0 }),
    }
}

/// The call as Retell's API has it after its end.
fn ended() -> Value {
    let mut ended = call();
    ended["call_status"] = json!("ended");
    ended["end_timestamp"] = json!(1_780_300_860_000_i64);
    ended["call_analysis"] = json!({"call_summary": "Wanted a cut."});
    ended
}

impl Door {
    /// Has the platform list calls.
    fn lists(&self, calls: &[(&str, Option<Value>)]) {
        let document = |call: &Option<Value>| call.as_ref().map(Value::to_string);
        self.book().documents = calls.iter().map(|(id, call)| ((*id).to_owned(), document(call))).collect();
    }

    /// Takes a check that is due.
    async fn checks(&self) {
        self.book().checks.push(check());
        assert!(self.lost.check().await.unwrap());
        assert!(!self.lost.check().await.unwrap(), "no other is due");
    }

    fn key(key: &str) -> (String, String) {
        (CONNECTION.to_string(), key.to_owned())
    }
}

#[tokio::test]
async fn a_call_whose_webhooks_were_refused_is_taken_in_once() {
    let door = Door::open().await;
    door.lists(&[("call_1", Some(ended()))]);
    door.book().down.insert("record_call_event");
    for event in ["call_started", "call_ended", "call_analyzed"] {
        assert_eq!(door.event(event).await.status, StatusCode::SERVICE_UNAVAILABLE);
    }
    // Looking for it is no use meanwhile, and is repeated.
    door.checks().await;
    assert_eq!(door.book().checked, [(0, true)]);
    door.book().down.clear();
    door.checks().await;
    {
        let book = door.book();
        assert_eq!(book.checked.last(), Some(&(1, false)));
        assert_eq!(book.events.len(), 1);
        let (delivery, facts) = &book.events[&Door::key("call_1:listed")];
        assert_eq!(delivery.body, ended().to_string().into_bytes());
        assert_eq!((facts.state(), facts.summary.as_str()), (CallState::Ended, "Wanted a cut."));
        assert_eq!(facts.agent_version, 5, "it began since that version is there");
        assert_eq!(book.released.len(), 1, "the times it held are given back");
    }
    door.checks().await;
    assert_eq!(door.book().checked.last(), Some(&(0, false)));
    let counted = |outcome| door.recorded("frontdesk.voice.lost_calls", &[("outcome", outcome)]);
    assert_eq!((counted("taken"), counted("unreadable")), (1, 0));
    let checks = |outcome| door.recorded("frontdesk.voice.call_checks", &[("outcome", outcome)]);
    assert_eq!((checks("complete"), checks("broken"), checks("platform")), (2, 1, 0));
}

#[tokio::test]
async fn a_webhook_that_is_delivered_again_after_all_is_kept_beside_it() {
    let door = Door::open().await;
    door.lists(&[("call_1", Some(ended()))]);
    door.checks().await;
    let late = door.deliver(&json!({"event": "call_analyzed", "call": ended()})).await;
    assert_eq!(late.status, StatusCode::NO_CONTENT);
    let book = door.book();
    let facts = |key: &str| book.events[&Door::key(key)].1.clone();
    let mut told = facts("call_1:call_analyzed");
    told.agent_version = 5;
    assert_eq!(told, facts("call_1:listed"), "both say the same, and make one record");
}

#[tokio::test]
async fn a_call_of_which_all_was_told_is_not_read() {
    let door = Door::open().await;
    door.lists(&[("call_1", Some(ended()))]);
    door.event("call_ended").await;
    door.deliver(&json!({"event": "call_analyzed", "call": ended()})).await;
    door.checks().await;
    let book = door.book();
    assert_eq!((book.documents_read, book.checked.last()), (0, Some(&(0, false))));
}

#[tokio::test]
async fn a_call_that_can_not_be_read_holds_up_no_other() {
    let door = Door::open().await;
    let mut spoilt = ended();
    spoilt["start_timestamp"] = json!("yesterday");
    let mut other = ended();
    other["call_id"] = json!("call_3");
    door.lists(&[("call_1", Some(spoilt)), ("call_2", None), ("call_3", Some(other))]);
    door.checks().await;
    let counted = |outcome| door.recorded("frontdesk.voice.lost_calls", &[("outcome", outcome)]);
    assert_eq!((counted("taken"), counted("unreadable")), (1, 1));
    let book = door.book();
    assert_eq!(book.checked, [(1, false)]);
    assert_eq!(book.events.keys().collect::<Vec<_>>(), [&Door::key("call_3:listed")]);
}

#[tokio::test]
async fn a_call_that_is_not_told_holds_up_no_other() {
    let cases = [
        (Reason::InvalidField, (2, false), (2, 1), "complete"),
        (Reason::TooLarge, (2, false), (2, 1), "complete"),
        (Reason::Unavailable, (2, true), (2, 0), "broken"),
        // It failed lately, and rests: the next check looks for it again, and this one has not failed.
        (Reason::NotYet, (2, true), (2, 0), "complete"),
        // The platform tells no more at all: what came before is counted.
        (Reason::WrongState, (1, true), (1, 0), "platform"),
    ];
    for (reason, checked, counts, outcome) in cases {
        let door = Door::open().await;
        let [first, second, third] = ["call_1", "call_2", "call_3"].map(|id| {
            let mut call = ended();
            call["call_id"] = json!(id);
            (id, Some(call))
        });
        door.lists(&[first, second, third]);
        door.book().refused.insert("call_2", reason);
        door.checks().await;
        assert_eq!(door.book().checked, [checked], "{reason:?}");
        let counted = |outcome| door.recorded("frontdesk.voice.lost_calls", &[("outcome", outcome)]);
        assert_eq!((counted("taken"), counted("unreadable")), counts, "{reason:?}");
        let checks = door.recorded("frontdesk.voice.call_checks", &[("outcome", outcome)]);
        assert_eq!(checks, 1, "{reason:?}");
    }
}

#[tokio::test]
async fn a_platform_that_does_not_tell_ends_the_check() {
    let door = Door::open().await;
    door.lists(&[("call_1", Some(ended()))]);
    door.book().down.insert("platform");
    door.checks().await;
    assert!(door.book().checked.is_empty(), "tenancy knows already");
    assert_eq!(door.recorded("frontdesk.voice.call_checks", &[("outcome", "platform")]), 1);
}

#[tokio::test]
async fn a_call_over_twilio_that_is_known_to_have_ended_is_whole() {
    let door = Door::open().await;
    door.book().platform = VoicePlatform::Twilio;
    let document = |sid: &str| {
        json!({"sid": sid, "from": "+447700900123", "to": "+442079460014", "status": "completed",
            "start_time": "Mon, 01 Jun 2026 08:00:00 +0000", "end_time": "Mon, 01 Jun 2026 08:01:00 +0000"})
    };
    door.lists(&[("CA1", Some(document("CA1")))]);
    door.checks().await;
    assert_eq!(door.book().checked, [(1, false)]);
    // The end is known however it was told.
    {
        let mut book = door.book();
        let told = book.events.remove(&Door::key("CA1:listed")).unwrap();
        book.events.insert(Door::key("CA1:status:completed:3"), told);
    }
    door.checks().await;
    assert_eq!(door.book().checked, [(1, false), (0, false)]);
}

/// A call as each platform's API has it.
fn documents() -> [(VoicePlatform, String); 4] {
    let said =
        json!([{"role": "user", "message": "A cut", "time": 1.0, "endTime": 2.0, "time_in_call_secs": 1}]);
    let vapi = json!({"id": "call_1", "status": "ended", "createdAt": "2026-06-01T08:00:00Z",
        "startedAt": "2026-06-01T08:00:00Z", "endedAt": "2026-06-01T08:01:00Z", "artifact": {"messages": said}});
    let eleven = json!({"conversation_id": "call_1", "status": "done", "transcript": said,
        "metadata": {"start_time_unix_secs": 1_780_300_800, "call_duration_secs": 60}});
    let twilio =
        json!({"sid": "call_1", "status": "completed", "start_time": "Mon, 01 Jun 2026 08:00:00 +0000"});
    [
        (VoicePlatform::Retell, ended().to_string()),
        (VoicePlatform::Vapi, vapi.to_string()),
        (VoicePlatform::Elevenlabs, eleven.to_string()),
        (VoicePlatform::Twilio, twilio.to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever a platform tells of a call, it is kept whole or counted, and the check goes on.
    #[test]
    fn no_document_breaks_a_check(
        which in 0_usize..4,
        spoilt in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 6),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let door = Door::open().await;
            let (platform, document) = documents()[which].clone();
            door.book().platform = platform;
            let spoil = |(at, byte, cut): &(prop::sample::Index, u8, bool)| {
                let mut bytes = document.clone().into_bytes();
                let at = at.index(bytes.len());
                if *cut { bytes.truncate(at) } else { bytes[at] = *byte }
                String::from_utf8_lossy(&bytes).into_owned()
            };
            let calls = spoilt.iter().enumerate().map(|(n, spoilt)| (format!("call_{n}"), Some(spoil(spoilt))));
            let calls = calls.chain([("whole".to_owned(), Some(document.clone()))]);
            door.book().documents = calls.collect();
            door.checks().await;
            let book = door.book();
            assert!(!book.checked[0].1, "the check is complete");
            assert!(book.events.contains_key(&Door::key("call_1:listed")), "the whole one is kept");
        });
    }
}
