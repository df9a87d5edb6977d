//! Deliveries of call events.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::{CallFacts, RecordCallEventRequest},
        v1::{CallOutcome, CallState, Speaker, Turn},
    },
    time::to_proto,
};
use testkit::{as_agent, as_service, as_user};

use crate::desk::{Desk, LINE, OTHER, SALON, SECOND_LINE, at, ended, facts, field, said, started};

#[tokio::test]
async fn a_delivery_opens_a_live_call_and_its_body_is_kept_as_it_came() {
    let desk = Desk::open().await;
    let recorded = desk.record("started", started("platform-1")).await.unwrap();
    assert!(!recorded.duplicate);
    let call = desk.get(&recorded.call_id).await.unwrap().call.unwrap();
    assert_eq!((call.state(), call.outcome()), (CallState::Live, CallOutcome::Unspecified));
    assert_eq!((call.from_number.as_str(), call.to_number.as_str()), ("+447700900001", "+442079460000"));
    assert_eq!(call.started_at, Some(to_proto(at("2026-06-01T07:59:58Z"))));
    assert_eq!((call.ended_at, call.platform.as_str()), (None, "retell"));
    let bodies = r#"SELECT count(*) FROM delivery WHERE body = '{"key":"started"}'"#;
    assert_eq!(desk.count(bodies).await, 1);
}

#[tokio::test]
async fn a_delivery_in_which_a_platform_lost_characters_is_kept() {
    let desk = Desk::open().await;
    let turns = vec![said(Speaker::Caller, "F\u{FFFD}r Zo\u{FFFD}, bitte")];
    let told = CallFacts { turns, summary: "Zo\u{FFFD} wants a haircut".to_owned(), ..ended("platform-1") };
    let recorded = desk.record("ended-\u{FFFD}", told).await.unwrap();
    let call = desk.get(&recorded.call_id).await.unwrap();
    assert_eq!(call.turns[0].text, "F\u{FFFD}r Zo\u{FFFD}, bitte");
    assert_eq!(call.call.unwrap().summary, "Zo\u{FFFD} wants a haircut");
}

#[tokio::test]
async fn a_delivery_seen_before_changes_nothing_and_says_so() {
    let desk = Desk::open().await;
    let first = desk.record("event", started("platform-1")).await.unwrap();
    let again = desk.record("event", ended("platform-1")).await.unwrap();
    assert_eq!((again.call_id.as_str(), again.duplicate), (first.call_id.as_str(), true));
    let elsewhere = desk.record("event", started("platform-2")).await.unwrap();
    assert_eq!((elsewhere.call_id.as_str(), elsewhere.duplicate), (first.call_id.as_str(), true));
    assert_eq!(desk.get(&first.call_id).await.unwrap().call.unwrap().state(), CallState::Live);
    assert_eq!(desk.list(0, "").await.unwrap().calls.len(), 1);
    assert_eq!(desk.count("SELECT count(*) FROM outbox").await, 1);
}

#[tokio::test]
async fn one_event_key_and_one_platform_id_mean_another_call_on_another_connection() {
    let desk = Desk::open().await;
    let first = desk.record("event", started("platform-1")).await.unwrap();
    let request = desk.event(SECOND_LINE, SALON, "event", started("platform-1"));
    let second = desk.record_on(SECOND_LINE, SALON, request).await.unwrap();
    assert!(!second.duplicate);
    assert_ne!(first.call_id, second.call_id);
}

#[tokio::test]
async fn two_calls_told_of_in_opposite_orders_read_the_same() {
    let desk = Desk::open().await;
    let told = |id: &str| {
        let turns = vec![said(Speaker::Agent, "Willow & Co"), said(Speaker::Caller, "A haircut, please")];
        let spoken = CallFacts { turns: turns.clone(), agent_version: 3, ..facts(id) };
        let summary = CallFacts { summary: "Wants a haircut".to_owned(), ..ended(id) };
        let early = CallFacts { turns: turns[..1].to_vec(), ..facts(id) };
        [started(id), early, spoken, ended(id), summary]
    };
    for (index, facts) in told("forward").into_iter().enumerate() {
        desk.record(&format!("forward-{index}"), facts).await.unwrap();
    }
    for (index, facts) in told("backward").into_iter().enumerate().rev() {
        desk.record(&format!("backward-{index}"), facts).await.unwrap();
    }
    let calls = desk.list(0, "").await.unwrap().calls;
    let mut one = desk.get(&calls[0].id).await.unwrap();
    let mut other = desk.get(&calls[1].id).await.unwrap();
    one.call.as_mut().unwrap().id.clear();
    other.call.as_mut().unwrap().id.clear();
    assert_eq!(one, other);
    let call = one.call.unwrap();
    assert_eq!((call.state(), call.outcome()), (CallState::Ended, CallOutcome::Answered));
    assert_eq!((call.summary.as_str(), call.agent_version), ("Wants a haircut", 3));
    assert_eq!(call.ended_at, Some(to_proto(at("2026-06-01T08:02:00Z"))));
    assert_eq!(one.turns.len(), 2);
}

#[tokio::test]
async fn a_call_in_which_the_caller_never_spoke_is_abandoned_until_a_transcript_says_otherwise() {
    let desk = Desk::open().await;
    let id = desk.record("ended", ended("platform-1")).await.unwrap().call_id;
    assert_eq!(desk.get(&id).await.unwrap().call.unwrap().outcome(), CallOutcome::Abandoned);
    let turns = vec![said(Speaker::Caller, "Are you open?")];
    desk.record("analysed", CallFacts { turns, ..facts("platform-1") }).await.unwrap();
    let call = desk.get(&id).await.unwrap().call.unwrap();
    assert_eq!((call.state(), call.outcome()), (CallState::Ended, CallOutcome::Answered));
    assert_eq!(desk.list(0, "").await.unwrap().calls, [call]);
}

#[tokio::test]
async fn a_platform_that_names_no_times_leaves_those_of_its_deliveries() {
    let desk = Desk::open().await;
    let id = desk.record("first", facts("platform-1")).await.unwrap().call_id;
    desk.time.advance(jiff::SignedDuration::from_secs(90));
    let over = CallFacts { state: CallState::Ended.into(), ..facts("platform-1") };
    desk.record("over", over).await.unwrap();
    let call = desk.get(&id).await.unwrap().call.unwrap();
    assert_eq!(call.started_at, Some(to_proto(at("2026-06-01T08:00:00Z"))));
    assert_eq!(call.ended_at, Some(to_proto(at("2026-06-01T08:01:30Z"))));
}

#[tokio::test]
async fn a_revised_transcript_keeps_its_order_and_its_missing_offsets() {
    let desk = Desk::open().await;
    let hello = said(Speaker::Agent, "Hello");
    let heard = vec![hello.clone(), said(Speaker::Caller, "I'd like a"), said(Speaker::Agent, "Yes?")];
    let id = desk.record("1", CallFacts { turns: heard, ..facts("platform-1") }).await.unwrap().call_id;
    let untimed = Turn { offset_ms: -1, ..said(Speaker::Caller, "I'd like a haircut\u{7} at ten, please") };
    let revised = vec![hello.clone(), untimed];
    desk.record("2", CallFacts { turns: revised, ..facts("platform-1") }).await.unwrap();
    let turns = desk.get(&id).await.unwrap().turns;
    assert_eq!(turns[0], hello);
    assert_eq!((turns[1].text.as_str(), turns[1].offset_ms), ("I'd like a haircut  at ten, please", -1));
    assert_eq!(turns.len(), 2);
}

#[tokio::test]
async fn a_turn_keeps_how_long_the_caller_waited_and_whether_they_spoke_into_it() {
    let desk = Desk::open().await;
    let asked = said(Speaker::Caller, "A cut, please");
    let answer = Turn { latency_ms: Some(640), interrupted: true, ..said(Speaker::Agent, "I have ten,") };
    let turns = vec![asked, answer];
    let id =
        desk.record("1", CallFacts { turns: turns.clone(), ..facts("platform-1") }).await.unwrap().call_id;
    assert_eq!(desk.get(&id).await.unwrap().turns, turns);
    // A delivery that measured nothing, of the same words, takes nothing away.
    let unmeasured = turns.iter().map(|turn| Turn { latency_ms: None, interrupted: false, ..turn.clone() });
    let told = CallFacts { turns: unmeasured.collect(), ..facts("platform-1") };
    desk.record("2", told).await.unwrap();
    assert_eq!(desk.get(&id).await.unwrap().turns, turns);
}

#[tokio::test]
async fn deliveries_of_one_call_that_arrive_at_once_make_one_call() {
    let desk = Desk::open().await;
    let deliveries = (0..24).map(|n| {
        let facts = if n % 2 == 0 { started("platform-1") } else { ended("platform-1") };
        // Each key comes twice.
        let (desk, key) = (&desk, format!("event-{}", n / 2));
        async move { desk.record(&key, facts).await.unwrap() }
    });
    let recorded = futures::future::join_all(deliveries).await;
    assert_eq!(recorded.iter().filter(|answer| answer.duplicate).count(), 12);
    assert!(recorded.iter().all(|answer| answer.call_id == recorded[0].call_id));
    assert_eq!(desk.list(0, "").await.unwrap().calls.len(), 1);
    assert_eq!(desk.count("SELECT count(*) FROM delivery").await, 12);
}

#[tokio::test]
async fn a_body_may_have_two_mebibytes_and_not_a_byte_more() {
    let desk = Desk::open().await;
    let mut request = desk.event(LINE, SALON, "large", started("platform-1"));
    request.delivery.as_mut().unwrap().body = vec![0xff; 2 << 20];
    desk.record_on(LINE, SALON, request.clone()).await.unwrap();
    request.delivery.as_mut().unwrap().body.push(0);
    request.delivery.as_mut().unwrap().event_key = "larger".to_owned();
    let refused = desk.record_on(LINE, SALON, request).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::TooLarge));
    assert_eq!(desk.count("SELECT count(*) FROM delivery").await, 1);
}

#[tokio::test]
async fn deliveries_that_arrive_at_once_each_leave_what_they_tell() {
    let desk = Desk::open().await;
    let told = |n: usize| {
        let id = format!("platform-{}", n / 6);
        match n % 6 {
            0 => CallFacts { from_number: "+447700900001".to_owned(), ..facts(&id) },
            1 => CallFacts { to_number: "+442079460000".to_owned(), ..facts(&id) },
            2 => CallFacts { summary: "Wants a haircut".to_owned(), ..facts(&id) },
            3 => CallFacts { agent_version: 3, ..facts(&id) },
            4 => CallFacts { platform: "retell".to_owned(), ..facts(&id) },
            _ => CallFacts { state: CallState::Ended.into(), ..facts(&id) },
        }
    };
    let deliveries = (0..48).map(|n| {
        let (desk, key, told) = (&desk, format!("event-{n}"), told(n));
        async move { desk.record(&key, told).await.unwrap() }
    });
    futures::future::join_all(deliveries).await;
    let calls = desk.list(0, "").await.unwrap().calls;
    assert_eq!(calls.len(), 8);
    for call in calls {
        let numbers = (call.from_number.as_str(), call.to_number.as_str());
        assert_eq!(numbers, ("+447700900001", "+442079460000"));
        assert_eq!((call.summary.as_str(), call.platform.as_str()), ("Wants a haircut", "retell"));
        assert_eq!((call.agent_version, call.state()), (3, CallState::Ended));
    }
    assert_eq!(desk.count("SELECT count(DISTINCT (aggregate_id, version)) FROM outbox").await, 48);
}

#[tokio::test]
async fn a_long_reason_for_the_end_and_an_address_that_is_none_lose_no_delivery() {
    let desk = Desk::open().await;
    let facts = CallFacts {
        disconnection_reason: format!("the model failed:\u{7}{}", " again".repeat(100)),
        recording_url: format!("https://files.example/{}", "a".repeat(5_000)),
        ..ended("platform-1")
    };
    desk.record("event", facts).await.unwrap();
    let kept = "SELECT count(*) FROM call WHERE disconnection_reason LIKE 'the model failed:  again%[cut]'";
    assert_eq!(desk.count(kept).await, 1);
    assert_eq!(desk.count("SELECT count(*) FROM recording").await, 0);
}

type Spoil = fn(&mut RecordCallEventRequest);

#[tokio::test]
async fn a_malformed_field_is_named_and_nothing_is_stored() {
    let desk = Desk::open().await;
    let spoils: [(&str, Spoil); 14] = [
        ("delivery", |r| r.delivery = None),
        ("delivery.connection_id", |r| r.delivery.as_mut().unwrap().connection_id.clear()),
        ("delivery.connection_id", |r| {
            r.delivery.as_mut().unwrap().connection_id = SECOND_LINE.to_string();
        }),
        ("delivery.event_key", |r| r.delivery.as_mut().unwrap().event_key = " ".to_owned()),
        ("delivery.received_at", |r| r.delivery.as_mut().unwrap().received_at = None),
        ("facts", |r| r.facts = None),
        ("facts.platform_call_id", |r| r.facts.as_mut().unwrap().platform_call_id.clear()),
        ("facts.state", |r| r.facts.as_mut().unwrap().state = 9),
        ("facts.from_number", |r| r.facts.as_mut().unwrap().from_number = "07700 900001".to_owned()),
        ("facts.to_number", |r| r.facts.as_mut().unwrap().to_number = "anonymous".to_owned()),
        ("facts.agent_version", |r| r.facts.as_mut().unwrap().agent_version = -1),
        ("facts.summary", |r| r.facts.as_mut().unwrap().summary = "s".repeat((2 << 20) + 1)),
        ("facts.turns.speaker", |r| {
            r.facts.as_mut().unwrap().turns = vec![said(Speaker::Unspecified, "Hello")];
        }),
        ("facts.started_at", |r| {
            r.facts.as_mut().unwrap().started_at.as_mut().unwrap().seconds = i64::MAX;
        }),
    ];
    for (name, spoil) in spoils {
        let mut request = desk.event(LINE, SALON, "event", started("platform-1"));
        spoil(&mut request);
        assert_eq!(field(&desk.record_on(LINE, SALON, request).await.unwrap_err()), name);
    }
    assert_eq!(desk.count("SELECT count(*) FROM delivery").await, 0);
    assert_eq!(desk.count("SELECT count(*) FROM call").await, 0);
}

#[tokio::test]
async fn only_a_voice_agent_of_the_business_records() {
    let desk = Desk::open().await;
    let event = || desk.event(LINE, SALON, "event", started("platform-1"));
    let owner = as_user(&desk.host, Role::Owner, SALON, event());
    let refused = desk.intake().record_call_event(owner).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let service = as_service("scheduling", &desk.host, Some(SALON), event());
    let refused = desk.intake().record_call_event(service).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let stranger = as_agent(&desk.host, LINE, OTHER, event());
    let refused = desk.intake().record_call_event(stranger).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    let anonymous = tonic::Request::new(event());
    let refused = desk.intake().record_call_event(anonymous).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::PassportRefused));
}
