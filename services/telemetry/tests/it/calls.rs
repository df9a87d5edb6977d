//! Calls as people read them.

use core::time::Duration;

use caller::Role;
use futures::stream;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::{CallFacts, FinishToolCallRequest},
        v1::{
            CallFilter, CallState, GetCallRequest, ListCallsRequest, ListCallsResponse, Speaker,
            call_service_methods::LIST_CALLS,
        },
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::{Code, Request, Status, client::Grpc};
use tonic_prost::ProstCodec;
use uuid::Uuid;

use crate::desk::{Desk, LINE, OTHER, SALON, answered, at, ended, facts, field, said, started};

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

const MEGABYTE: usize = 1_000_000;

#[tokio::test]
async fn a_list_of_long_summaries_shows_their_beginnings() {
    let desk = Desk::open().await;
    for n in 0..6 {
        let summary = "ü".repeat(MEGABYTE / 2);
        let facts = CallFacts { summary, ..facts(&format!("platform-{n}")) };
        desk.record(&format!("event-{n}"), facts).await.unwrap();
    }
    let calls = desk.list(0, "").await.unwrap().calls;
    assert_eq!(calls.len(), 6);
    for call in calls {
        assert!(call.summary.starts_with('ü') && call.summary.ends_with("ü… [cut]"));
        assert!(call.summary.len() <= 4096, "{}", call.summary.len());
    }
}

#[tokio::test]
async fn a_call_of_long_turns_and_many_tool_calls_is_read_whole() {
    let desk = Desk::open().await;
    let turns = vec![said(Speaker::Caller, &"a".repeat(MEGABYTE)), said(Speaker::Agent, "Goodbye.")];
    let call = desk.record("event", CallFacts { turns, ..facts("platform-1") }).await.unwrap().call_id;
    for n in 0..8 {
        let begun = desk.begin(&format!("tool-{n}")).await.unwrap();
        let result = format!("\"{}\"", "b".repeat(MEGABYTE));
        let finish = FinishToolCallRequest { result: result.clone(), ..answered(&begun.tool_call_id) };
        desk.finish(finish).await.unwrap();
        // The platform that asks again is given the whole answer.
        assert_eq!(desk.begin(&format!("tool-{n}")).await.unwrap().result, result);
    }
    let read = desk.get(&call).await.unwrap();
    assert!(read.turns[0].text.ends_with("a… [cut]") && read.turns[0].text.len() <= 8192);
    assert_eq!(read.turns[1].text, "Goodbye.");
    assert_eq!(read.tool_calls.len(), 8);
    for run in read.tool_calls {
        assert!(run.result.ends_with("b… [cut]"), "{}", run.result.len());
        assert!(!run.arguments.contains("[cut]"));
    }
}

/// Calls a list with a stream of which no byte of a message ever comes.
async fn ask_without_a_message(desk: &Desk, passport: Option<&str>) -> Status {
    let mut request = Request::new(stream::pending::<ListCallsRequest>());
    if let Some(passport) = passport {
        request.metadata_mut().insert(caller::PASSPORT_HEADER, passport.parse().unwrap());
    }
    let mut client = Grpc::new(desk.channel.clone());
    client.ready().await.unwrap();
    let codec = ProstCodec::<ListCallsRequest, ListCallsResponse>::default();
    let path = LIST_CALLS.path.parse().unwrap();
    let answered =
        tokio::time::timeout(Duration::from_secs(10), client.client_streaming(request, path, codec));
    answered.await.expect("the message is waited for").unwrap_err()
}

#[tokio::test]
async fn a_call_without_a_valid_passport_is_refused_before_its_message_is_read() {
    let desk = Desk::open().await;
    let member = as_user(&desk.host, Role::Owner, SALON, ());
    let valid = member.metadata().get(caller::PASSPORT_HEADER).unwrap().to_str().unwrap();
    let elsewhere =
        desk.host.signer.as_service("tenancy", Some(SALON), caller::Priority::Normal, desk.host.clock.now());
    for passport in [None, Some("forged"), Some(&valid[..valid.len() - 4]), Some(&*elsewhere)] {
        let refused = ask_without_a_message(&desk, passport).await;
        assert_eq!(refused.code(), Code::Unauthenticated, "{passport:?} {refused:?}");
        assert_eq!(reason_of(&refused), Some(Reason::PassportRefused));
    }
    desk.time.advance(jiff::SignedDuration::from_mins(2));
    assert_eq!(ask_without_a_message(&desk, Some(valid)).await.code(), Code::Unauthenticated);
    // A valid passport of a caller whom the method does not let in.
    let own = desk.host.signer.as_service(
        telemetry::SERVICE,
        Some(SALON),
        caller::Priority::Normal,
        desk.host.clock.now(),
    );
    assert_eq!(reason_of(&ask_without_a_message(&desk, Some(&own)).await), Some(Reason::RoleTooLow));
}

#[tokio::test]
async fn a_body_that_is_no_message_is_refused_for_the_passport_it_lacks() {
    let desk = Desk::open().await;
    for garbage in [vec![0xFF_u8; 1024], vec![0xFF; 8 << 20]] {
        let mut client = Grpc::new(desk.channel.clone());
        client.ready().await.unwrap();
        let codec = ProstCodec::<Vec<u8>, ListCallsResponse>::default();
        let path = LIST_CALLS.path.parse().unwrap();
        let refused = client.unary(Request::new(garbage), path, codec).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated);
    }
}

#[tokio::test]
async fn a_call_whose_end_never_came_is_live_no_longer_than_it_is_heard_of() {
    let desk = Desk::open().await;
    let id = desk.record("started", started("platform-1")).await.unwrap().call_id;
    let heard = desk.time.now();
    let state = async || {
        let call = desk.get(&id).await.unwrap().call.unwrap();
        let listed = desk.list(0, "").await.unwrap().calls.remove(0);
        assert_eq!((listed.state, listed.last_heard_at), (call.state, call.last_heard_at));
        (call.state(), call.last_heard_at)
    };
    assert_eq!(state().await, (CallState::Live, Some(to_proto(heard))));
    desk.time.advance(jiff::SignedDuration::from_mins(10));
    assert_eq!(state().await, (CallState::Unheard, Some(to_proto(heard))));
    let goes_on = CallFilter { state: CallState::Live.into(), ..CallFilter::default() };
    assert_eq!(desk.filtered(goes_on).await.unwrap().len(), 1, "none that may go on is left out");
    let unheard = CallFilter { state: CallState::Unheard.into(), ..CallFilter::default() };
    assert_eq!(field(&desk.filtered(unheard).await.unwrap_err()), "filter.state");

    // It went on in silence.
    let again = desk.time.now();
    desk.record("transcript", started("platform-1")).await.unwrap();
    assert_eq!(state().await, (CallState::Live, Some(to_proto(again))));
    desk.time.advance(jiff::SignedDuration::from_hours(2));
    desk.record("ended", ended("platform-1")).await.unwrap();
    assert_eq!(state().await, (CallState::Ended, None));
}
