use caller::{BusinessId, Worker};
use outbox::{caught_up, head};
use proto::frontdesk::events::v1::{
    FollowRequest, event_log_service_client::EventLogServiceClient, follow_request::From as Begin,
};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use tonic::Code;
use uuid::Uuid;

use crate::fixture::{Producer, consumer, producer};

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));
const A: Uuid = Uuid::from_u128(0xa);

async fn rows(producer: &Producer, business: Option<BusinessId>) -> i64 {
    let tx = match business {
        Some(business) => producer.database.begin(&Worker::new("test", business)).await.unwrap(),
        None => producer.database.begin_untenanted().await.unwrap(),
    };
    let count = Statement::from_string(DbBackend::Postgres, "SELECT count(*) AS n FROM outbox");
    tx.query_one_raw(count).await.unwrap().unwrap().try_get("", "n").unwrap()
}

#[tokio::test]
async fn a_business_sees_its_own_events_alone() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    producer.changed(BUSINESS, A, 1).await;
    assert_eq!(rows(&producer, Some(BUSINESS)).await, 1);
    assert_eq!(rows(&producer, Some(BusinessId(Uuid::from_u128(8)))).await, 0);
    assert_eq!(rows(&producer, None).await, 0);
    producer.untenanted_changed(A, 1).await;
    assert_eq!(rows(&producer, None).await, 1, "the installation's own");
    assert_eq!(rows(&producer, Some(BUSINESS)).await, 1);
}

#[tokio::test]
async fn people_may_not_read_the_log() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let mut client = EventLogServiceClient::new(producer.source.channel());
    let request = testkit::as_user(&producer.host, caller::Role::Admin, BUSINESS, FollowRequest::default());
    assert_eq!(client.follow(request).await.unwrap_err().code(), Code::PermissionDenied);
}

#[tokio::test]
async fn a_reader_from_now_on_sees_nothing_older() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    producer.changed(BUSINESS, A, 1).await;
    producer.settled().await;
    let message = FollowRequest {
        follower: "socket".to_owned(),
        from: Some(Begin::Now(true)),
        ..FollowRequest::default()
    };
    let mut client = EventLogServiceClient::new(producer.source.channel());
    let request = producer.source.as_service_stream(None, message);
    let mut stream = client.follow(request).await.unwrap().into_inner();
    let hello = stream.message().await.unwrap().unwrap();
    assert!(hello.event.is_none() && hello.position >= head(&producer.database).await.unwrap());
    producer.changed(BUSINESS, A, 2).await;
    assert_eq!(stream.message().await.unwrap().unwrap().event.unwrap().version, 2);
}

#[tokio::test]
async fn a_follower_knows_how_far_it_is() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    producer.changed(BUSINESS, A, 1).await;
    assert_eq!(events.recv().await, Some((A, 1)));
    consumer.settled(&producer).await;
    let target = head(&producer.database).await.unwrap();
    assert!(
        target > 0 && !caught_up(&consumer.database, "recorder", "scheduling", target + 1).await.unwrap()
    );
    assert!(caught_up(&consumer.database, "recorder", "scheduling", target).await.unwrap());
}

#[tokio::test]
async fn a_log_is_followed_only_by_the_services_that_its_rule_names() {
    let (calendar_sync, scheduling) = (consumer().await, testkit::host("scheduling").0);
    let producer = producer(&calendar_sync.host).await;
    let mut client = EventLogServiceClient::new(producer.source.channel());
    for (service, let_in) in [
        ("bff", true),
        ("calendar-sync", true),
        ("auth", false),
        ("tenancy", false),
        ("scheduling", false),
        ("telemetry", true),
        ("local", false),
    ] {
        let request = testkit::as_service(service, &scheduling, None, FollowRequest::default());
        let answer = client.follow(request).await.map(drop).map_err(|status| status.code());
        assert_eq!(answer, if let_in { Ok(()) } else { Err(Code::PermissionDenied) }, "{service}");
    }
}
