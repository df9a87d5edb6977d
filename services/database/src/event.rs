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

/// An event as the log keeps it, with the current trace.
#[must_use]
pub(crate) fn columns(event: NewEvent) -> Named {
    let business = event.business;
    let wire = Event {
        event_id: event.event_id.to_string(),
        position: 0,
        business_id: business.map(|id| id.to_string()).unwrap_or_default(),
        aggregate_id: event.aggregate_id.to_string(),
        version: event.version,
        occurred_at: Some(proto::time::to_proto(event.occurred_at)),
        traceparent: current_traceparent().unwrap_or_default(),
        actor: event.actor,
        payload: Some(event.payload),
    };
    named! {
        event_id: event.event_id,
        business_id: business.map_or(INSTALLATION, |business| business.0),
        aggregate_id: event.aggregate_id,
        version: event.version,
        occurred_at: to_db(event.occurred_at),
        event: wire.encode_to_vec(),
    }
}

/// Appends an event in the transaction of its change, with the current trace.
pub async fn push(tx: &impl ConnectionTrait, event: NewEvent) -> Result<(), DbErr> {
    tx.execute_raw(statement(PUSH, columns(event))).await.map(drop)
}
