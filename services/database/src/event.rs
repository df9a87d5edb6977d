//! What is appended to the log of changes.

use boot::telemetry::current_traceparent;
use caller::BusinessId;
use jiff::Timestamp;
use prost::Message;
use proto::frontdesk::events::v1::{Event, event::Payload};
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use crate::{INSTALLATION, Named, named, statement, time::to_db};

/// A change about to be committed.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// Unique id.
    pub event_id: Uuid,
    /// The business it belongs to; `None` for the installation.
    pub business: Option<BusinessId>,
    /// What changed.
    pub aggregate_id: Uuid,
    /// Its version after the change, growing by one.
    pub version: i64,
    /// When.
    pub occurred_at: Timestamp,
    /// Who made it, as the audit trail names them; empty where that is not known.
    pub actor: String,
    /// Full state after the change.
    pub payload: Payload,
}

/// Appends an event; its parameters are [`columns`].
pub(crate) const PUSH: &str =
    "INSERT INTO outbox (event_id, business_id, aggregate_id, version, occurred_at, event)
    VALUES (:event_id, :business_id, :aggregate_id, :version, :occurred_at, :event)";

/// Appends events of one business, in their order; its parameters are [`all_columns`].
pub(crate) const PUSH_ALL: &str =
    "INSERT INTO outbox (event_id, business_id, aggregate_id, version, occurred_at, event)
    SELECT e.event_id, :business_id::uuid, e.aggregate_id, e.version, e.occurred_at, e.event
    FROM unnest(:event_ids::uuid[], :aggregate_ids::uuid[], :versions::bigint[], :times::timestamptz[],
        :events::bytea[])
        WITH ORDINALITY AS e (event_id, aggregate_id, version, occurred_at, event, place)
    ORDER BY e.place";

/// An event as the log keeps it, with the current trace.
#[must_use]
pub(crate) fn columns(event: NewEvent) -> Named {
    named! {
        event_id: event.event_id,
        business_id: log_of(event.business),
        aggregate_id: event.aggregate_id,
        version: event.version,
        occurred_at: to_db(event.occurred_at),
        event: event.encoded(),
    }
}

/// Events of a business as the log keeps them, with the current trace.
#[must_use]
pub(crate) fn all_columns(business: Option<BusinessId>, events: Vec<NewEvent>) -> Named {
    named! {
        business_id: log_of(business),
        event_ids: events.iter().map(|event| event.event_id).collect::<Vec<_>>(),
        aggregate_ids: events.iter().map(|event| event.aggregate_id).collect::<Vec<_>>(),
        versions: events.iter().map(|event| event.version).collect::<Vec<_>>(),
        times: events.iter().map(|event| to_db(event.occurred_at)).collect::<Vec<_>>(),
        events: events.into_iter().map(NewEvent::encoded).collect::<Vec<_>>(),
    }
}

/// Whose log events of a business are in.
fn log_of(business: Option<BusinessId>) -> Uuid {
    business.map_or(INSTALLATION, |business| business.0)
}

impl NewEvent {
    fn encoded(self) -> Vec<u8> {
        let wire = Event {
            event_id: self.event_id.to_string(),
            position: 0,
            business_id: self.business.map(|id| id.to_string()).unwrap_or_default(),
            aggregate_id: self.aggregate_id.to_string(),
            version: self.version,
            occurred_at: Some(proto::time::to_proto(self.occurred_at)),
            traceparent: current_traceparent().unwrap_or_default(),
            actor: self.actor,
            payload: Some(self.payload),
        };
        wire.encode_to_vec()
    }
}

/// Appends an event in the transaction of its change, with the current trace.
pub async fn push(tx: &impl ConnectionTrait, event: NewEvent) -> Result<(), DbErr> {
    tx.execute_raw(statement(PUSH, columns(event))).await.map(drop)
}
