//! Calls as people read them.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{GetCallRequest, ListCallsRequest},
    },
    time::to_proto,
};
use testkit::as_user;
use uuid::Uuid;

use crate::desk::{Desk, LINE, OTHER, SALON, at, facts, field, started};

#[tokio::test]
async fn the_newest_call_comes_first_and_pages_neither_repeat_nor_skip_one() {
    let desk = Desk::open().await;
    // Pairs start at the same instant.
    for n in 0_i64..9 {
        let start = at("2026-06-01T06:00:00Z") + jiff::SignedDuration::from_mins(n / 2);
        let facts = CallFacts { started_at: Some(to_proto(start)), ..facts(&format!("platform-{n}")) };
        desk.record(&format!("event-{n}"), facts).await.unwrap();
    }
    let whole = desk.list(0, "").await.unwrap();
    assert_eq!((whole.calls.len(), whole.next_page_token.as_str()), (9, ""));
    let key = |call: &proto::frontdesk::telemetry::v1::Call| {
        (call.started_at.unwrap().seconds, call.id.parse::<Uuid>().unwrap())
    };
    assert!(whole.calls.is_sorted_by(|one, next| key(one) > key(next)));
    let (mut paged, mut token, mut pages) = (vec![], String::new(), 0);
    loop {
        let page = desk.list(2, &token).await.unwrap();
        pages += 1;
        paged.extend(page.calls);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!((pages, &paged), (5, &whole.calls));
}

#[tokio::test]
async fn a_page_that_no_list_gave_out_is_refused() {
    let desk = Desk::open().await;
    assert_eq!(field(&desk.list(201, "").await.unwrap_err()), "page_size");
    for token in ["%", "bm9uc2Vuc2U", "MXx4"] {
        assert_eq!(field(&desk.list(0, token).await.unwrap_err()), "page_token", "{token}");
    }
}

#[tokio::test]
async fn guests_see_no_calls_and_strangers_no_business() {
    let desk = Desk::open().await;
    let id = desk.record("event", started("platform-1")).await.unwrap().call_id;
    let list = || ListCallsRequest { business_id: SALON.to_string(), ..ListCallsRequest::default() };
    let get = || GetCallRequest { business_id: SALON.to_string(), call_id: id.clone() };
    for (role, business, reason) in
        [(Role::Guest, SALON, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let listed = desk.calls().list_calls(as_user(&desk.host, role, business, list())).await;
        assert_eq!(reason_of(&listed.unwrap_err()), Some(reason));
        let read = desk.calls().get_call(as_user(&desk.host, role, business, get())).await;
        assert_eq!(reason_of(&read.unwrap_err()), Some(reason));
    }
}

#[tokio::test]
async fn a_call_of_another_business_does_not_exist() {
    let desk = Desk::open().await;
    let request = desk.event(LINE, OTHER, "event", started("platform-1"));
    let foreign = desk.record_on(LINE, OTHER, request).await.unwrap().call_id;
    assert_eq!(reason_of(&desk.get(&foreign).await.unwrap_err()), Some(Reason::NotFound));
    assert_eq!(reason_of(&desk.get(&Uuid::nil().to_string()).await.unwrap_err()), Some(Reason::NotFound));
    assert_eq!(field(&desk.get("first").await.unwrap_err()), "call_id");
    assert!(desk.list(0, "").await.unwrap().calls.is_empty());
}
