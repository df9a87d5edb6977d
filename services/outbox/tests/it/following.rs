use caller::BusinessId;
use uuid::Uuid;

use crate::fixture::{Migrator, consumer, consumer_on, producer, producer_called, producer_on};

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));
const OTHER_BUSINESS: BusinessId = BusinessId(Uuid::from_u128(8));
const A: Uuid = Uuid::from_u128(0xa);
const B: Uuid = Uuid::from_u128(0xb);

#[tokio::test]
async fn each_event_takes_effect_once_across_restarts_of_the_follower() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, following) = consumer.follow(&producer, None, 0);
    producer.changed(BUSINESS, A, 1).await;
    assert_eq!(events.recv().await, Some((A, 1)));
    consumer.settled(&producer).await;
    following.abort();
    producer.changed(BUSINESS, A, 2).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    assert_eq!(events.recv().await, Some((A, 2)));
    producer.changed(BUSINESS, B, 1).await;
    assert_eq!(events.recv().await, Some((B, 1)));
    consumer.settled(&producer).await;
    assert_eq!((consumer.effects(A).await, consumer.effects(B).await), (2, 1));
}

#[tokio::test]
async fn two_replicas_of_a_follower_apply_an_event_once() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut one, _following) = consumer.follow(&producer, None, 0);
    let (mut other, _following) = consumer.follow(&producer, None, 0);
    for version in 1..=20 {
        producer.changed(BUSINESS, A, version).await;
    }
    let mut applied = 0;
    while applied < 20 {
        tokio::select! {
            Some(_) = one.recv() => applied += 1,
            Some(_) = other.recv() => applied += 1,
        }
    }
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 20);
}

#[tokio::test]
async fn behind_a_pooler_each_event_takes_effect_once_and_under_its_own_business() {
    let consumer =
        consumer_on(testkit::database::<Migrator>("calendar-sync").await.behind_pgbouncer(2).await).await;
    let database = testkit::database::<Migrator>("scheduling").await.behind_pgbouncer(2).await;
    let producer = producer_on(database, &consumer.host).await;
    let (_one, _following) = consumer.follow(&producer, None, 0);
    let (_other, _following) = consumer.follow(&producer, None, 0);
    let businesses: Vec<_> = (1..=8).map(|n| BusinessId(Uuid::from_u128(n))).collect();
    let changes = businesses.iter().map(|business| {
        let producer = &producer;
        async move {
            for version in 1..=10 {
                producer.changed(*business, business.0, version).await;
            }
        }
    });
    futures::future::join_all(changes).await;
    producer.untenanted_changed(A, 1).await;
    consumer.settled(&producer).await;
    for business in businesses {
        assert_eq!(consumer.businesses(business.0).await, vec![business.to_string(); 10]);
    }
    assert_eq!(consumer.businesses(A).await, [""]);
}

#[tokio::test]
async fn a_transaction_that_commits_late_is_not_skipped() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    let early = producer.change(BUSINESS, A, 1).await;
    producer.changed(BUSINESS, B, 1).await;
    early.commit().await.unwrap();
    producer.database.wake().wake();
    assert_eq!(events.recv().await, Some((A, 1)));
    assert_eq!(events.recv().await, Some((B, 1)));
}

#[tokio::test]
async fn what_was_rolled_back_never_happened() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    producer.change(BUSINESS, A, 1).await.rollback().await.unwrap();
    producer.changed(BUSINESS, B, 1).await;
    assert_eq!(events.recv().await, Some((B, 1)));
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 0);
}

#[tokio::test]
async fn an_event_that_fails_for_now_is_applied_later_and_once() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 2);
    producer.changed(BUSINESS, A, 1).await;
    assert_eq!(events.recv().await, Some((A, 1)));
    producer.changed(BUSINESS, A, 2).await;
    assert_eq!(events.recv().await, Some((A, 2)));
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 2);
}

#[tokio::test]
async fn poison_parks_its_own_aggregate_and_nothing_else() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, Some(A), 0);
    producer.changed(BUSINESS, A, 1).await;
    producer.changed(BUSINESS, A, 2).await;
    producer.changed(BUSINESS, B, 1).await;
    assert_eq!(events.recv().await, Some((B, 1)));
    consumer.settled(&producer).await;
    assert_eq!((consumer.effects(A).await, consumer.effects(B).await), (0, 1));
}

/// What has been waiting is read, and takes effect, many at a time.
#[tokio::test]
async fn a_poison_event_among_many_stops_no_other() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    for version in 1..=20 {
        producer.changed(BUSINESS, B, version).await;
        producer.changed(OTHER_BUSINESS, A, version).await;
    }
    producer.settled().await;
    let (_events, _following) = consumer.follow(&producer, Some(A), 0);
    consumer.settled(&producer).await;
    assert_eq!((consumer.effects(A).await, consumer.effects(B).await), (0, 20));
}

#[tokio::test]
async fn what_takes_effect_together_does_so_under_its_own_business() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    for version in [1, 3, 5] {
        producer.changed(BUSINESS, A, version).await;
        producer.changed(OTHER_BUSINESS, A, version + 1).await;
    }
    producer.untenanted_changed(A, 7).await;
    producer.settled().await;
    let (_events, _following) = consumer.follow(&producer, None, 0);
    consumer.settled(&producer).await;
    let (one, other) = (BUSINESS.to_string(), OTHER_BUSINESS.to_string());
    let expected = [&one, &other, &one, &other, &one, &other, &String::new()];
    assert_eq!(consumer.businesses(A).await.iter().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn an_older_version_is_ignored() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    producer.changed(BUSINESS, A, 2).await;
    producer.changed(BUSINESS, A, 1).await;
    producer.changed(BUSINESS, B, 1).await;
    assert_eq!(events.recv().await, Some((A, 2)));
    assert_eq!(events.recv().await, Some((B, 1)));
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 1);
}

#[tokio::test]
async fn a_record_of_another_business_with_the_same_id_is_news() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    producer.changed(OTHER_BUSINESS, A, 7).await;
    assert_eq!(events.recv().await, Some((A, 7)));
    producer.changed(BUSINESS, A, 1).await;
    consumer.settled(&producer).await;
    assert_eq!(consumer.businesses(A).await, [BUSINESS.to_string(), OTHER_BUSINESS.to_string()]);
}

#[tokio::test]
async fn a_record_of_another_type_with_the_same_id_is_news() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    producer.changed(BUSINESS, A, 7).await;
    assert_eq!(events.recv().await, Some((A, 7)));
    producer.employee_changed(BUSINESS, A, 1).await;
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 2);
}

#[tokio::test]
async fn a_parked_record_holds_back_its_own_type_only() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (_events, _following) = consumer.follow(&producer, Some(A), 0);
    producer.changed(BUSINESS, A, 1).await;
    producer.employee_changed(BUSINESS, A, 1).await;
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 1);
}

#[tokio::test]
async fn a_record_of_another_source_with_the_same_id_is_news() {
    let consumer = consumer().await;
    let one = producer(&consumer.host).await;
    let other = producer_called("tenancy", &consumer.host).await;
    let (mut events, _following) = consumer.follow(&one, None, 0);
    one.changed(BUSINESS, A, 7).await;
    assert_eq!(events.recv().await, Some((A, 7)));
    let (_events, _following) = consumer.follow(&other, None, 0);
    other.changed(BUSINESS, A, 1).await;
    consumer.settled_with("tenancy", &other).await;
    assert_eq!(consumer.effects(A).await, 2);
}

#[tokio::test]
async fn followers_of_one_log_keep_versions_of_their_own() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut one, _following) = consumer.follow(&producer, None, 0);
    let (mut other, _following) = consumer.follow_as("second", &producer, None, 0);
    producer.changed(BUSINESS, A, 1).await;
    assert_eq!((one.recv().await, other.recv().await), (Some((A, 1)), Some((A, 1))));
}
