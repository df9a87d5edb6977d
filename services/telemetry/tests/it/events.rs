//! The log of changes, as doors follow it.

use futures::StreamExt;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        events::v1::{
            CallChanged, Event, FollowRequest, event::Payload,
            event_log_service_client::EventLogServiceClient, follow_request::From as Begin,
        },
        telemetry::v1::Speaker,
    },
};
use testkit::{as_agent, as_service};

use crate::desk::{Desk, LINE, SALON, answered, ended, facts, said, started};

async fn follow(desk: &Desk, events: usize) -> Vec<Event> {
    let message =
        FollowRequest { follower: "test".to_owned(), from: Some(Begin::After(0)), log: String::new() };
    let request = as_service("bff", &desk.host, None, message);
    let stream = EventLogServiceClient::new(desk.channel.clone()).follow(request).await.unwrap().into_inner();
    stream.filter_map(async |response| response.unwrap().event).take(events).collect().await
}

#[tokio::test]
async fn every_change_of_a_call_is_in_the_log_and_nothing_else() {
    let desk = Desk::open().await;
    let id = desk.record("1", started("platform-1")).await.unwrap().call_id;
    desk.record("1", ended("platform-1")).await.unwrap();
    desk.record("2", started("platform-1")).await.unwrap();
    let run = desk.begin("tool").await.unwrap().tool_call_id;
    desk.begin("tool").await.unwrap_err();
    desk.finish(answered(&run)).await.unwrap();
    desk.finish(answered(&run)).await.unwrap();
    let mut spoken = ended("platform-1");
    spoken.turns = vec![said(Speaker::Caller, "Hi")];
    desk.record("3", spoken).await.unwrap();
    desk.record("4", facts("platform-2")).await.unwrap();
    let events = follow(&desk, 5).await;
    let (others, ours): (Vec<_>, Vec<_>) = events.iter().partition(|event| event.aggregate_id != id);
    assert_eq!(ours.iter().map(|event| event.version).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(others.len(), 1);
    for event in ours {
        assert_eq!(event.business_id, SALON.to_string());
        assert_eq!(event.payload, Some(Payload::Call(CallChanged { call_id: id.clone() })));
    }
    assert_eq!(desk.count("SELECT count(*) FROM outbox").await, 5);
}

#[tokio::test]
async fn an_agent_may_not_follow_the_log() {
    let desk = Desk::open().await;
    let message =
        FollowRequest { follower: "test".to_owned(), from: Some(Begin::After(0)), log: String::new() };
    let request = as_agent(&desk.host, LINE, SALON, message);
    let refused = EventLogServiceClient::new(desk.channel.clone()).follow(request).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
}
