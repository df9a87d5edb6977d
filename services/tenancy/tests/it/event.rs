use core::time::Duration;

use boot::peer::PeerChannel;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::{
            Event, FollowRequest, FollowResponse, event::Payload,
            event_log_service_client::EventLogServiceClient, follow_request::From,
        },
        tenancy::v1::{Business, Customer, Employee},
    },
};
use tonic::Streaming;

use crate::stage::{LINDE, Stage, WILLOW, assert_refused};

fn follow() -> FollowRequest {
    FollowRequest { follower: "test".to_owned(), from: Some(From::After(0)), log: String::new() }
}

pub async fn followed(stage: &Stage) -> Streaming<FollowResponse> {
    let mut client: EventLogServiceClient<PeerChannel> = EventLogServiceClient::new(stage.channel.clone());
    client.follow(stage.service("scheduling", follow())).await.unwrap().into_inner()
}

pub async fn next(stream: &mut Streaming<FollowResponse>) -> Event {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(20), stream.message());
        let response = message.await.expect("an event comes").unwrap().expect("the log stays open");
        if let Some(event) = response.event {
            return event;
        }
    }
}

#[tokio::test]
async fn each_change_is_announced_with_its_full_state_in_order() {
    let stage = Stage::open().await;
    let mut stream = followed(&stage).await;
    let Some(Payload::Business(willow)) = next(&mut stream).await.payload else { panic!("a business first") };
    let expected = Business {
        id: WILLOW.to_string(),
        name: "Willow & Co".to_owned(),
        address: String::new(),
        phone: "+442079460018".to_owned(),
        time_zone: "Europe/London".to_owned(),
        version: 1,
        ..Business::default()
    };
    assert_eq!(willow, expected);
    let linde = next(&mut stream).await;
    assert_eq!(
        (linde.business_id.as_str(), linde.aggregate_id.as_str()),
        (&*LINDE.to_string(), &*LINDE.to_string())
    );

    let ana: Employee = stage.employee(WILLOW, "Ana").await;
    let mia: Customer = stage.customer(WILLOW, "Mia", "+442079460018").await;
    let event = next(&mut stream).await;
    assert_eq!((event.business_id, event.aggregate_id), (WILLOW.to_string(), ana.id.clone()));
    assert_eq!(event.version, 1);
    assert_eq!(event.occurred_at, Some(proto::time::to_proto(stage.host.clock.now())));
    assert_eq!(event.payload, Some(Payload::Employee(ana)));
    let event = next(&mut stream).await;
    assert_eq!((event.business_id, event.aggregate_id), (WILLOW.to_string(), mia.id.clone()));
    assert_eq!(event.payload, Some(Payload::Customer(mia)));
}

#[tokio::test]
async fn a_refused_change_is_not_announced() {
    let stage = Stage::open().await;
    let mut stream = followed(&stage).await;
    next(&mut stream).await;
    next(&mut stream).await;
    stage.try_customer(WILLOW, "Ana", "anonymous", "").await.unwrap_err();
    let mia = stage.customer(WILLOW, "Mia", "").await;
    assert_eq!(next(&mut stream).await.aggregate_id, mia.id);
}

#[tokio::test]
async fn a_secret_is_never_announced() {
    let stage = Stage::open().await;
    stage.voice_connection(WILLOW, "Main line", "hunter2hunter2").await;
    assert_eq!(stage.count("SELECT count(*) FROM outbox").await, 2);
}

#[tokio::test]
async fn people_and_agents_do_not_read_the_log() {
    let stage = Stage::open().await;
    let mut client: EventLogServiceClient<PeerChannel> = EventLogServiceClient::new(stage.channel.clone());
    assert_refused(client.follow(stage.owner_of(WILLOW, follow())).await, Reason::RoleTooLow);
    let agent = testkit::as_agent(&stage.host, uuid::Uuid::from_u128(5), WILLOW, follow());
    assert_refused(client.follow(agent).await, Reason::RoleTooLow);
}
