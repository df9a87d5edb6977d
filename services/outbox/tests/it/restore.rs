//! A log whose database was restored.

use caller::{BusinessId, InstallationScope};
use database::named;
use outbox::{renew, require_own};
use sea_orm::DbErr;
use uuid::Uuid;

use crate::fixture::{Producer, consumer, producer};

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));
const A: Uuid = Uuid::from_u128(0xa);
const B: Uuid = Uuid::from_u128(0xb);

impl Producer {
    /// Moves the newest event to a position that a server with more transactions gave.
    async fn move_ahead(&self) {
        let tx = self.database.installation_tx::<DbErr>(&InstallationScope::worker("test"));
        let ahead = 1_i64 << 60;
        tx.execute("UPDATE outbox_horizon SET position = :ahead", named! { ahead }).await.unwrap();
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_renewed_log_is_read_from_its_beginning_whatever_was_read_before() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, following) = consumer.follow(&producer, Some(B), 0);
    producer.changed(BUSINESS, B, 1).await;
    producer.changed(BUSINESS, A, 3).await;
    assert_eq!(events.recv().await, Some((A, 3)));
    consumer.settled(&producer).await;
    following.abort();

    renew(&producer.database).await.unwrap();
    // The restored record is older than what the follower had, and what was parked is sound.
    producer.changed(BUSINESS, A, 2).await;
    producer.employee_changed(BUSINESS, B, 1).await;
    let (mut events, following) = consumer.follow(&producer, None, 0);
    assert_eq!(events.recv().await, Some((A, 2)));
    assert_eq!(events.recv().await, Some((B, 1)));
    consumer.settled(&producer).await;
    following.abort();

    // The same log again: nothing is news.
    let (mut events, _following) = consumer.follow(&producer, None, 0);
    producer.changed(BUSINESS, A, 3).await;
    assert_eq!(events.recv().await, Some((A, 3)));
    assert_eq!(consumer.effects(A).await, 3);
}

#[tokio::test]
async fn two_replicas_that_meet_a_renewed_log_apply_its_events_once() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    let (mut events, following) = consumer.follow(&producer, None, 0);
    producer.changed(BUSINESS, A, 1).await;
    assert_eq!(events.recv().await, Some((A, 1)));
    consumer.settled(&producer).await;
    following.abort();
    renew(&producer.database).await.unwrap();
    for version in 1..=20 {
        producer.changed(BUSINESS, A, version).await;
    }
    let (_one, _following) = consumer.follow(&producer, None, 0);
    let (_other, _following) = consumer.follow(&producer, None, 0);
    consumer.settled(&producer).await;
    assert_eq!(consumer.effects(A).await, 21);
}

#[tokio::test]
async fn a_log_of_another_server_is_refused_until_it_is_renewed() {
    let consumer = consumer().await;
    let producer = producer(&consumer.host).await;
    producer.changed(BUSINESS, A, 1).await;
    require_own(&producer.database).await.unwrap();
    producer.move_ahead().await;
    let refused = require_own(&producer.database).await.unwrap_err().to_string();
    assert!(refused.contains("--after-restore"), "{refused}");
    renew(&producer.database).await.unwrap();
    require_own(&producer.database).await.unwrap();
}
