//! Calls that a platform lists and does not tell: asked for some times, given up, and shown.

use caller::BusinessId;
use jiff::SignedDuration;
use proto::{error::Reason, frontdesk::tenancy::v1::VoicePlatform};
use serde_json::json;

use crate::{
    call_check::{claim, finish, half_an_hour_later, listed, names, point, read, status},
    platform_fakes::Trouble,
    stage::{Stage, assert_field_refused, assert_refused},
};

/// A call of the business that is given up.
pub async fn given_up(stage: &Stage, business: BusinessId) {
    let given_up = format!(
        "INSERT INTO unread_call (business_id, connection_id, platform_call_id, attempts, reason, attempted_at)
        SELECT business_id, id, 'lost', 1, 'the platform answers 500', '2026-06-01' FROM voice_connection
        WHERE business_id = '{business}' LIMIT 1"
    );
    sqlx::query(sqlx::AssertSqlSafe(given_up)).execute(&mut stage.superuser().await).await.unwrap();
}

#[tokio::test]
async fn a_call_that_fails_for_good_is_given_up_and_keeps_no_newer_one_from_being_found() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let call = |name: &str, minute: i64| {
        let at = |minute| (start + SignedDuration::from_mins(minute)).as_millisecond();
        json!({"call_id": name, "agent_id": "agent_1", "call_status": "ended", "transcript": "",
            "start_timestamp": at(minute), "end_timestamp": at(minute + 1)})
    };
    platforms.look(|records| records.calls.retell = vec![call("broken", 1), call("fine", 2)]);
    let mut attempts = 0;
    loop {
        let check = claim(&stage).await.unwrap();
        platforms.look(|records| {
            records.calls.retell.push(call(&format!("newer-{attempts}"), 40 + 60 * attempts));
        });
        let found = listed(&stage, &check).await;
        if !found.contains("broken") {
            assert!(found.iter().any(|name| name.starts_with("newer-")), "{found:?}");
            finish(&stage, &check, 0, false).await;
            break;
        }
        read(&stage, &check, "fine").await.unwrap();
        platforms.look(|records| records.read_troubles.push_back(Trouble::Status(500)));
        let refused = read(&stage, &check, "broken").await.unwrap_err();
        // Where it rests, the platform was not asked.
        platforms.look(|records| records.read_troubles.clear());
        let given_up = proto::error::reason_of(&refused) == Some(Reason::InvalidField);
        finish(&stage, &check, 0, !given_up).await;
        attempts += 1;
        stage.time.advance(SignedDuration::from_hours(1));
    }
    let known = status(&stage, &id).await;
    assert_eq!(known.unread_call_count, 1);
    let unread = &known.unread_calls[0];
    assert_eq!(
        (unread.platform_call_id.as_str(), unread.reason.as_str()),
        ("broken", "the platform answers 500")
    );
    let check = claim(&stage).await;
    assert_eq!(check, None, "the check is complete, and the next one is due later");
    assert_eq!(known.error, None);
}

#[tokio::test]
async fn a_call_that_rests_is_not_asked_for_and_one_that_is_read_is_forgotten() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let at = (start + SignedDuration::from_mins(1)).as_millisecond();
    platforms.look(|records| {
        records.calls.retell = vec![json!({"call_id": "slow", "agent_id": "agent_1",
            "call_status": "ended", "start_timestamp": at, "end_timestamp": at})];
    });
    let check = claim(&stage).await.unwrap();
    platforms.look(|records| records.read_troubles.push_back(Trouble::Status(503)));
    assert_refused(read(&stage, &check, "slow").await, Reason::Unavailable);
    assert_refused(read(&stage, &check, "slow").await, Reason::NotYet);
    assert_eq!(status(&stage, &id).await.unread_call_count, 0, "one that may come is not given up");
    stage.time.advance(SignedDuration::from_mins(1));
    read(&stage, &check, "slow").await.unwrap();
    assert_eq!(stage.count("SELECT count(*) FROM unread_call").await, 0);
}

#[tokio::test]
async fn a_call_that_is_refused_is_given_up_at_once_and_of_another_agent_forgotten() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let at = (start + SignedDuration::from_mins(1)).as_millisecond();
    let call = |name: &str| {
        json!({"call_id": name, "agent_id": "agent_1", "call_status": "ended",
            "start_timestamp": at, "end_timestamp": at})
    };
    platforms.look(|records| records.calls.retell = (0..12).map(|n| call(&format!("c{n}"))).collect());
    let check = claim(&stage).await.unwrap();
    for n in 0..11 {
        platforms.look(|records| records.read_troubles.push_back(Trouble::Status(422)));
        assert_field_refused(read(&stage, &check, &format!("c{n}")).await, "platform_call_id");
        stage.time.advance(SignedDuration::from_secs(1));
    }
    let known = status(&stage, &id).await;
    assert_eq!((known.unread_call_count, known.unread_calls.len()), (11, 10));
    assert_eq!(known.unread_calls[0].platform_call_id, "c10", "the latest first");
    assert_eq!(listed(&stage, &check).await, names(&["c11"]));
    point(&stage, &id, "agent_2").await;
    assert_eq!(stage.count("SELECT count(*) FROM unread_call").await, 0);
}

#[tokio::test]
async fn what_was_given_up_long_ago_is_shown_no_more() {
    let (_platforms, stage, id, _) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    given_up(&stage, crate::stage::WILLOW).await;
    let check = claim(&stage).await.unwrap();
    finish(&stage, &check, 0, false).await;
    assert_eq!(status(&stage, &id).await.unread_call_count, 1);
    stage.time.advance(SignedDuration::from_hours(24 * 31));
    let check = claim(&stage).await.unwrap();
    finish(&stage, &check, 0, false).await;
    assert_eq!(status(&stage, &id).await.unread_call_count, 0);
}
