//! What came of the calls of several businesses, for administrators.

use caller::{BusinessId, Role};
use jiff::Timestamp;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{CallHealth, ListCallHealthRequest},
    },
    time::to_proto,
};
use testkit::{SESSION, USER, as_person, as_user};
use tonic::Status;

use crate::desk::{Desk, OTHER, SALON, SECOND_LINE, answered, at, ended, field, refused, started};

fn of(businesses: &[BusinessId], since: Timestamp) -> ListCallHealthRequest {
    let business_ids = businesses.iter().map(ToString::to_string).collect();
    ListCallHealthRequest { business_ids, since: Some(to_proto(since)) }
}

async fn health(desk: &Desk, request: ListCallHealthRequest) -> Result<Vec<CallHealth>, Status> {
    let request = as_person(&desk.host, USER, SESSION, None, Some(Role::Admin), request);
    Ok(desk.calls().list_call_health(request).await?.into_inner().calls)
}

#[tokio::test]
async fn calls_since_an_instant_are_counted_for_each_business() {
    let desk = Desk::open().await;
    let old = CallFacts { started_at: Some(to_proto(at("2026-05-20T08:00:00Z"))), ..started("old") };
    desk.record("old", old).await.unwrap();
    desk.record("hung-up", ended("hung-up")).await.unwrap();
    // A question is no failure, nor is a time that was taken meanwhile.
    for (key, reason) in [("first", "UNAVAILABLE"), ("asked", "INVALID_FIELD"), ("taken", "SLOT_TAKEN")] {
        desk.tool("platform-1", key, &refused("hold_slot", reason), 20).await;
    }
    let run = desk.begin_in("platform-1", "second").await.unwrap().tool_call_id;
    desk.finish(answered(&run)).await.unwrap();
    desk.record_on(SECOND_LINE, OTHER, desk.event(SECOND_LINE, OTHER, "theirs", started("theirs")))
        .await
        .unwrap();
    let told = health(&desk, of(&[OTHER, SALON], at("2026-05-30T00:00:00Z"))).await.unwrap();
    assert_eq!(told[0].business_id, OTHER.to_string());
    assert_eq!((told[0].call_count, told[0].failed_tool_call_count), (1, 0));
    assert_eq!(told[0].last_call_at, Some(to_proto(at("2026-06-01T07:59:58Z"))));
    let counts = |health: &CallHealth| {
        (health.call_count, health.booked_count, health.abandoned_count, health.failed_tool_call_count)
    };
    assert_eq!(counts(&told[1]), (2, 0, 1, 1));
    let all = health(&desk, of(&[SALON], at("2026-05-19T00:00:00Z"))).await.unwrap();
    assert_eq!(all[0].call_count, 3);
}

#[tokio::test]
async fn a_business_without_calls_has_none() {
    let desk = Desk::open().await;
    let told = health(&desk, of(&[SALON], at("2026-05-30T00:00:00Z"))).await.unwrap();
    assert_eq!(told, [CallHealth { business_id: SALON.to_string(), ..CallHealth::default() }]);
}

#[tokio::test]
async fn it_is_for_administrators_about_a_month_at_most() {
    let desk = Desk::open().await;
    let since = at("2026-05-30T00:00:00Z");
    let owner = as_user(&desk.host, Role::Owner, SALON, of(&[SALON], since));
    let refused = desk.calls().list_call_health(owner).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    assert_eq!(field(&health(&desk, of(&[], since)).await.unwrap_err()), "business_ids");
    assert_eq!(field(&health(&desk, of(&[SALON; 51], since)).await.unwrap_err()), "business_ids");
    let long = of(&[SALON], at("2026-04-01T00:00:00Z"));
    assert_eq!(field(&health(&desk, long).await.unwrap_err()), "since");
    let unset = ListCallHealthRequest { since: None, ..of(&[SALON], since) };
    assert_eq!(field(&health(&desk, unset).await.unwrap_err()), "since");
}
