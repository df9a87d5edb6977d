//! What each voice platform lists as the salon's calls.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use proto::{error::Reason, frontdesk::tenancy::v1::VoicePlatform, time::to_proto};
use serde_json::json;

use crate::{
    call_check::{after, claim, half_an_hour_later, listed, names, page, pages, read},
    stage::{WILLOW, assert_refused},
};

/// The calls that each test lists: of before the connection, of another agent, one that goes on, one that has only just
/// ended, and three that count.
fn minutes() -> [(&'static str, i64, Option<i64>, bool); 7] {
    [
        ("before", -5, Some(-1), true),
        ("other", 2, Some(4), false),
        ("first", 1, Some(3), true),
        ("second", 5, Some(6), true),
        ("third", 10, Some(20), true),
        ("live", 12, None, true),
        ("fresh", 27, Some(29), true),
    ]
}

#[tokio::test]
async fn retell_lists_what_has_ended_a_while_ago() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    platforms.look(|records| {
        records.calls.retell = minutes()
            .into_iter()
            .map(|(name, from, to, ours)| {
                json!({"call_id": name, "agent_id": if ours { "agent_1" } else { "agent_2" },
                    "call_status": if to.is_some() { "ended" } else { "ongoing" },
                    "start_timestamp": after(start, from).as_millisecond(),
                    "end_timestamp": to.map(|to| after(start, to).as_millisecond()),
                    "transcript_object": [{"role": "agent", "content": "Hello"}]})
            })
            .collect();
    });
    let check = claim(&stage).await.unwrap();
    assert_eq!(check.voice_connection_id, id);
    assert_eq!(check.business_id, WILLOW.to_string());
    assert_eq!((check.since, check.until), (Some(to_proto(start)), Some(to_proto(after(start, 30)))));
    assert_eq!(listed(&stage, &check).await, names(&["first", "second", "third"]));
    let whole = read(&stage, &check, "second").await.unwrap();
    assert_eq!(whole["transcript_object"][0]["content"], "Hello", "the list leaves it out");
    assert_refused(read(&stage, &check, "gone").await, Reason::NotFound);
}

#[tokio::test]
async fn vapi_lists_what_has_ended_a_while_ago() {
    let (platforms, stage, _, start) = half_an_hour_later(VoicePlatform::Vapi, "assistant_1").await;
    let call = |name: &str, from: i64, to: Option<i64>, ours: bool| {
        json!({"id": name, "assistantId": if ours { "assistant_1" } else { "assistant_2" },
            "status": if to.is_some() { "ended" } else { "in-progress" },
            "createdAt": after(start, from).to_string(), "endedAt": to.map(|to| after(start, to).to_string())})
    };
    platforms.look(|records| {
        records.calls.vapi =
            minutes().into_iter().map(|(name, from, to, ours)| call(name, from, to, ours)).collect();
    });
    let check = claim(&stage).await.unwrap();
    assert_eq!(listed(&stage, &check).await, names(&["first", "second", "third"]));
    assert_eq!(read(&stage, &check, "second").await.unwrap()["id"], "second");
    // More than a page, three at each instant: a border lies between calls of the same one.
    let many = |n: i64| {
        let at = start + SignedDuration::from_secs(n / 3);
        let mut call = call(&format!("call-{n}"), 0, Some(10), true);
        call["createdAt"] = json!(at.to_string());
        call
    };
    platforms.look(|records| records.calls.vapi = (0..230).map(many).collect());
    assert_eq!(pages(&stage, &check).await.into_iter().collect::<BTreeSet<_>>().len(), 230);
    // A page that ends where it began is the last.
    let at_once = |n: i64| call(&format!("call-{n}"), 1, Some(10), true);
    platforms.look(|records| records.calls.vapi = (0..150).map(at_once).collect());
    assert_eq!(pages(&stage, &check).await.into_iter().collect::<BTreeSet<_>>().len(), 100);
}

#[tokio::test]
async fn elevenlabs_lists_what_has_ended_a_while_ago() {
    let (platforms, stage, _, start) = half_an_hour_later(VoicePlatform::Elevenlabs, "eleven_1").await;
    platforms.look(|records| {
        records.calls.elevenlabs = minutes()
            .into_iter()
            .map(|(name, from, to, ours)| {
                json!({"conversation_id": name, "agent_id": if ours { "eleven_1" } else { "eleven_2" },
                    "status": if to.is_some() { "done" } else { "in-progress" }, "transcript": [],
                    "metadata": {"start_time_unix_secs": after(start, from).as_second(),
                        "call_duration_secs": to.map_or(0, |to| 60 * (to - from))}})
            })
            .collect();
    });
    let check = claim(&stage).await.unwrap();
    assert_eq!(listed(&stage, &check).await, names(&["first", "second", "third"]));
    assert_eq!(read(&stage, &check, "second").await.unwrap()["status"], "done");
}

#[tokio::test]
async fn twilio_lists_the_calls_of_the_numbers_that_ring_here() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Twilio, "").await;
    let time = |at: Timestamp| at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string();
    let ours = format!("https://desk.test/api/webhooks/voice/twilio/{id}");
    platforms.look(|records| {
        let number = |number: &str, url: &str| json!({"phone_number": number, "voice_url": url});
        records.calls.numbers = vec![
            number("+442079460001", &ours),
            number("+442079460002", "https://elsewhere.example"),
            number("+442079460003", &format!("{ours}?x=1")),
        ];
        records.calls.twilio = minutes()
            .into_iter()
            .map(|(name, from, to, is_ours)| {
                let number = match name {
                    "second" => "+442079460003",
                    _ if is_ours => "+442079460001",
                    _ => "+442079460002",
                };
                json!({"sid": name, "to": number, "from": "+447700900123",
                    "status": if to.is_some() { "completed" } else { "in-progress" },
                    "start_time": time(after(start, from)), "end_time": to.map(|to| time(after(start, to)))})
            })
            .collect();
    });
    let check = claim(&stage).await.unwrap();
    assert_eq!(listed(&stage, &check).await, names(&["first", "second", "third"]));
    assert_eq!(read(&stage, &check, "second").await.unwrap()["status"], "completed");
}

#[tokio::test]
async fn a_number_behind_an_application_of_twilio_rings_where_the_application_says() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Twilio, "").await;
    let time = |at: Timestamp| at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string();
    let ours = format!("https://desk.test/api/webhooks/voice/twilio/{id}");
    platforms.look(|records| {
        let number = |number: &str, url: &str, application: &str| json!({"phone_number": number, "voice_url": url, "voice_application_sid": application});
        records.calls.numbers = vec![
            number("+442079460001", "https://elsewhere.example", "AP3"),
            // The application counts instead of the number's own address.
            number("+442079460002", &ours, "AP1"),
            number("+442079460003", &ours, ""),
        ];
        let application = |sid: &str, url: &str| json!({"sid": sid, "voice_url": url});
        let elsewhere = "https://elsewhere.example";
        records.calls.applications =
            vec![application("AP1", elsewhere), application("AP2", elsewhere), application("AP3", &ours)];
        let call = |n: usize| json!({"sid": format!("CA{n}"), "to": format!("+44207946000{n}"), "status": "completed",
            "start_time": time(after(start, 1)), "end_time": time(after(start, 2))});
        records.calls.twilio = (1..=3).map(call).collect();
    });
    let check = claim(&stage).await.unwrap();
    assert_eq!(listed(&stage, &check).await, names(&["CA1", "CA3"]));
}

#[tokio::test]
async fn numbers_of_twilio_without_end_are_refused_rather_than_left_out() {
    let (platforms, stage, ..) = half_an_hour_later(VoicePlatform::Twilio, "").await;
    platforms.look(|records| {
        let number = |n: usize| json!({"phone_number": format!("+4420794600{n:02}"), "voice_url": ""});
        records.calls.numbers = (0..50).map(number).collect();
    });
    let check = claim(&stage).await.unwrap();
    let refused = page(&stage, &check, "").await;
    assert!(refused.as_ref().unwrap_err().message().contains("more than 2,000 numbers"), "{refused:?}");
    assert_refused(refused, Reason::WrongState);
}
