//! Runs of tools in calls of a salon that worked before it came here, many in a statement.

use database::{constraint, named};
use jiff::Timestamp;
use sea_orm::JsonValue;
use serde_json::json;
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{
        AppointmentId, ConnectionId,
        tool_call::{Answer, ToolCall},
    },
    error::Error,
};

const ADD_DELIVERIES: &str = "INSERT INTO delivery (business_id, id, connection_id, event_key, call_id, body, received_at)
    SELECT :business_id, d.id, d.connection_id, d.event_key, d.call_id, '', d.at
    FROM jsonb_to_recordset(:rows) AS d (id uuid, connection_id uuid, event_key text, call_id uuid, at timestamptz)";
const ADD_RUNS: &str = "INSERT INTO tool_call (business_id, id, call_id, delivery_id, name, arguments, started_at,
        running_since, result, ok, latency_ms, appointment_id)
    SELECT :business_id, r.run_id, r.call_id, r.id, r.name, r.arguments, r.at, :now, r.result, r.ok, r.latency_ms,
        r.appointment_id
    FROM jsonb_to_recordset(:rows) AS r (run_id uuid, call_id uuid, id uuid, name text, arguments text,
        at timestamptz, result text, ok boolean, latency_ms integer, appointment_id uuid)";

/// A run that was answered, and the delivery that asked for it.
#[derive(Debug)]
pub struct PastRow {
    /// The connection that the delivery came in on.
    pub connection: ConnectionId,
    /// Unique within the connection.
    pub event_key: String,
    /// When it came in.
    pub at: Timestamp,
    /// The run.
    pub run: ToolCall,
    /// How it was answered.
    pub answer: Answer,
    /// The visit that it is about, if it is about one.
    pub appointment: Option<AppointmentId>,
}

impl Tx {
    /// Adds runs, each with its delivery.
    ///
    /// # Errors
    /// [`Error::EventKeyTaken`] where a delivery was seen before.
    pub async fn add_past_runs(&self, rows: &[PastRow]) -> Result<(), Error> {
        let rows: JsonValue = rows.iter().map(|row| self.row(row)).collect::<Vec<_>>().into();
        let values = named! { business_id: self.business.0, rows };
        let added = self.try_execute(ADD_DELIVERIES, values.clone()).await;
        added.map_err(|error| match constraint(&error).as_deref() {
            Some("delivery_once") => Error::EventKeyTaken,
            _ => Error::from(error),
        })?;
        self.execute(ADD_RUNS, values.and(named! { now: self.at() })).await.map(drop)
    }

    fn row(&self, PastRow { connection, event_key, at, run, answer, appointment }: &PastRow) -> JsonValue {
        json!({
            "id": self.new_id::<Uuid>(), "connection_id": connection.0, "event_key": event_key,
            "call_id": run.call.0, "at": at, "run_id": run.id.0, "name": run.name, "arguments": run.arguments,
            "result": answer.result, "ok": answer.ok, "latency_ms": answer.latency_ms,
            "appointment_id": appointment.map(|visit| visit.0),
        })
    }
}
