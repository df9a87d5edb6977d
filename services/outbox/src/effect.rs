//! What events do here, once each.

use core::slice;

use boot::telemetry::set_parent;
use caller::{BusinessId, Worker};
use database::{INSTALLATION, Named, named, statement, to_db, turn_to};
use prost::Message;
use proto::frontdesk::events::v1::{Event, event::Payload};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use tonic::async_trait;
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::Follower;

/// Taken before anything else of a transaction: a second replica waits here for the first one's
/// commit, and then finds nothing new.
const SAVE: &str = "INSERT INTO outbox_position AS known (follower, source, position)
    VALUES (:follower, :source, :position)
    ON CONFLICT (follower, source) DO UPDATE SET position = EXCLUDED.position
    WHERE known.position < EXCLUDED.position";
/// Whether an earlier event of the record is parked, and if not, whether this version is news;
/// then it is remembered. A parked event whose record type is unknown holds back every record
/// with its id in its business.
const ADMIT: &str = "WITH parked AS (
        SELECT FROM outbox_parked
        WHERE follower = :follower AND source = :source AND record_type IN (:record_type, '')
            AND business_id = :business_id AND aggregate_id = :aggregate_id LIMIT 1
    ), news AS (
        INSERT INTO outbox_seen AS seen (business_id, follower, source, record_type, aggregate_id, version)
        SELECT :business_id, :follower, :source, :record_type, :aggregate_id, :version
        WHERE NOT EXISTS (SELECT FROM parked)
        ON CONFLICT (business_id, follower, source, record_type, aggregate_id)
        DO UPDATE SET version = EXCLUDED.version
        WHERE seen.version < EXCLUDED.version
        RETURNING version
    )
    SELECT EXISTS (SELECT FROM parked) AS parked, EXISTS (SELECT FROM news) AS news";

/// Why an event did not take effect.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// It never will: its aggregate is parked, everything else goes on.
    #[error("poison: {0}")]
    Poison(String),
    /// It may later: the log waits.
    #[error("{0}")]
    Retry(String),
}

impl From<DbErr> for FollowError {
    fn from(error: DbErr) -> Self {
        Self::Retry(error.to_string())
    }
}

/// What an event does here.
#[async_trait]
pub trait Apply: Send + Sync + 'static {
    /// Applies one event inside the transaction that also saves the position;
    /// `app.business_id` is the event's business.
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError>;
}

impl Follower {
    /// Applies what was read: together, which costs one transaction; where that fails, each by itself,
    /// so that nothing waits for another event's trouble.
    pub(crate) async fn take(&self, apply: &impl Apply, events: &[Event]) -> Result<(), FollowError> {
        match events {
            [] => Ok(()),
            [event] => self.take_one(apply, event).await,
            _ => match self.apply_together(apply, events).await {
                Ok(()) => {
                    events.iter().for_each(|event| self.record_lag(event));
                    Ok(())
                }
                Err(error) => {
                    tracing::debug!(follower = self.name, %error, "taking events one by one");
                    for event in events {
                        self.take_one(apply, event).await?;
                    }
                    Ok(())
                }
            },
        }
    }

    /// Applies one event, or parks it.
    async fn take_one(&self, apply: &impl Apply, event: &Event) -> Result<(), FollowError> {
        match self.apply_together(apply, slice::from_ref(event)).await {
            Err(FollowError::Poison(reason)) => {
                self.park(event, &reason).instrument(self.span(event)).await?;
            }
            other => other?,
        }
        self.record_lag(event);
        Ok(())
    }

    /// Applies events in their order, all of them or none.
    async fn apply_together(&self, apply: &impl Apply, events: &[Event]) -> Result<(), FollowError> {
        let Some(last) = events.last() else { return Ok(()) };
        let tx = self.database.begin_untenanted().await?;
        self.save(&tx, last.position).await?;
        let mut inside = None;
        for event in events {
            let business = business(event);
            if business != inside {
                self.turn(&tx, business).await?;
                inside = business;
            }
            let span = self.span(event);
            self.apply_one(apply, &tx, event).instrument(span).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn apply_one(
        &self,
        apply: &impl Apply,
        tx: &DatabaseTransaction,
        event: &Event,
    ) -> Result<(), FollowError> {
        let values = self.about(event, aggregate(event)?).and(named! { version: event.version });
        let row = tx.query_one_raw(statement(ADMIT, values)).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("outbox_seen".to_owned()))?;
        if row.try_get("", "parked")? {
            return Err(FollowError::Poison("an earlier event of this aggregate is parked".to_owned()));
        }
        if row.try_get("", "news")? {
            apply.apply(tx, event).await?;
        }
        Ok(())
    }

    /// The trace of what caused the event goes on here.
    fn span(&self, event: &Event) -> Span {
        let span = tracing::info_span!(
            "follow",
            otel.name = format!("{} follow {}", self.source.service(), self.name),
            otel.kind = "consumer",
            frontdesk.service = self.host.service,
            messaging.operation.type = "process",
            messaging.message.id = %event.event_id,
            event.position = event.position,
        );
        set_parent(&span, &event.traceparent);
        span
    }

    /// Has tenant tables hold the business of the next event, or none.
    async fn turn(&self, tx: &DatabaseTransaction, business: Option<BusinessId>) -> Result<(), DbErr> {
        turn_to(tx, business.map(|business| Worker::new(self.name, business)).as_ref()).await
    }

    async fn save(&self, tx: &DatabaseTransaction, position: i64) -> Result<(), DbErr> {
        let values = named! { follower: self.name, source: self.source.service(), position };
        tx.execute_raw(statement(SAVE, values)).await.map(drop)
    }

    async fn park(&self, event: &Event, reason: &str) -> Result<(), FollowError> {
        tracing::error!(follower = self.name, aggregate = %event.aggregate_id, reason, "event parked");
        self.measure.parked();
        let tx = self.database.begin_untenanted().await?;
        self.save(&tx, event.position).await?;
        self.turn(&tx, business(event)).await?;
        let sql = "INSERT INTO outbox_parked (follower, source, position, record_type, business_id,
                aggregate_id, reason, parked_at, event)
            VALUES (:follower, :source, :position, :record_type, :business_id, :aggregate_id, :reason,
                :parked_at, :event)
            ON CONFLICT DO NOTHING";
        let values = self.about(event, event.aggregate_id.parse().unwrap_or_default()).and(named! {
            position: event.position,
            reason,
            parked_at: to_db(self.host.clock.now()),
            event: event.encode_to_vec(),
        });
        tx.execute_raw(statement(sql, values)).await?;
        Ok(tx.commit().await?)
    }

    /// Which record the event is about, in whose log.
    fn about(&self, event: &Event, aggregate: Uuid) -> Named {
        named! {
            follower: self.name,
            source: self.source.service(),
            record_type: record_type(event),
            business_id: business(event).map_or(INSTALLATION, |business| business.0),
            aggregate_id: aggregate,
        }
    }

    fn record_lag(&self, event: &Event) {
        let Ok(Some(occurred)) = proto::time::parse("occurred_at", event.occurred_at.as_ref()) else {
            return;
        };
        let lag = self.host.clock.now().duration_since(occurred).as_secs_f64();
        self.measure.lag(lag);
    }
}

fn business(event: &Event) -> Option<BusinessId> {
    event.business_id.parse().ok()
}

/// What kind of record the event is about; empty for one that this version does not know.
fn record_type(event: &Event) -> &'static str {
    match &event.payload {
        None => "",
        Some(Payload::Business(_)) => "business",
        Some(Payload::Employee(_)) => "employee",
        Some(Payload::Customer(_)) => "customer",
        Some(Payload::FollowUp(_)) => "follow_up",
        Some(Payload::CustomerNote(_)) => "customer_note",
        Some(Payload::CustomerRecord(_)) => "customer_record",
        Some(Payload::Item(_)) => "item",
        Some(Payload::CustomersExported(_)) => "customers_exported",
        Some(Payload::AccountLeft(_)) => "account_left",
        Some(Payload::AccountBelowOwner(_)) => "account_below_owner",
        Some(Payload::Appointment(_)) => "appointment",
        Some(Payload::Conflict(_)) => "conflict",
        Some(Payload::Catalogue(_)) => "catalogue",
        Some(Payload::Block(_)) => "block",
        Some(Payload::Contact(_)) => "contact",
        Some(Payload::BusySource(_)) => "busy_source",
        Some(Payload::CustomerRenamed(_)) => "customer_renamed",
        Some(Payload::Phrase(_)) => "phrase",
        Some(Payload::Pairing(_)) => "pairing",
        Some(Payload::Waitlist(_)) => "waitlist",
        Some(Payload::WaitlistMatched(_)) => "waitlist_matched",
        Some(Payload::Call(_)) => "call",
        Some(Payload::Proposal(_)) => "proposal",
        Some(Payload::Membership(_)) => "membership",
        Some(Payload::SessionEnded(_)) => "session_ended",
    }
}

fn aggregate(event: &Event) -> Result<Uuid, FollowError> {
    event.aggregate_id.parse().map_err(|_| FollowError::Poison("aggregate_id is not a UUID".to_owned()))
}
