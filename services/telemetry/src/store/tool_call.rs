//! Runs of tools.

use database::{from_db, named, to_db};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{DeliveryId, Tx};
use crate::{
    domain::{
        AppointmentId, CallId, ConnectionId, ToolCallId,
        tool_call::{Answer, Progress, ToolCall},
    },
    error::Error,
};

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    call_id: Uuid,
    name: String,
    arguments: String,
    started_at: DateTimeUtc,
    running_since: DateTimeUtc,
    result: Option<String>,
    ok: Option<bool>,
    latency_ms: Option<i32>,
}

impl From<Row> for ToolCall {
    fn from(row: Row) -> Self {
        let progress = match (row.result, row.ok, row.latency_ms) {
            (Some(result), Some(ok), Some(latency_ms)) => {
                Progress::Answered(Answer { result, ok, latency_ms })
            }
            _ => Progress::Running { since: from_db(row.running_since) },
        };
        Self {
            id: ToolCallId(row.id),
            call: CallId(row.call_id),
            name: row.name,
            arguments: row.arguments,
            started: from_db(row.started_at),
            progress,
        }
    }
}

/// Every column of [`Row`].
const SELECT: &str =
    "SELECT t.id, t.call_id, t.name, t.arguments, t.started_at, t.running_since, t.result, t.ok,
    t.latency_ms FROM tool_call t";

pub(super) fn of_delivery_sql() -> String {
    format!("{SELECT} WHERE t.business_id = :business_id AND t.delivery_id = :delivery_id FOR UPDATE")
}

/// More runs than a call can have; a bound all the same.
pub(super) fn of_call_sql() -> String {
    format!(
        "{SELECT} WHERE t.business_id = :business_id AND t.call_id = :call_id
         ORDER BY t.started_at, t.id LIMIT 1000"
    )
}

/// The runs of one tool: a caller who agrees was asked a moment ago.
pub(super) fn of_tool_sql() -> String {
    format!(
        "{SELECT} WHERE t.business_id = :business_id AND t.call_id = :call_id AND t.name = :name
         ORDER BY t.started_at DESC, t.id DESC LIMIT 20"
    )
}

impl Tx {
    /// Adds a run that a delivery asked for.
    pub async fn add_tool_call(&self, tool_call: &ToolCall, delivery: DeliveryId) -> Result<(), Error> {
        let sql = "INSERT INTO tool_call
                   (business_id, id, call_id, delivery_id, name, arguments, started_at, running_since)
                   VALUES (:business_id, :id, :call_id, :delivery_id, :name, :arguments, :started_at, :now)";
        let values = named! {
            business_id: self.business.0,
            id: tool_call.id.0,
            call_id: tool_call.call.0,
            delivery_id: delivery.0,
            name: tool_call.name.as_str(),
            arguments: tool_call.arguments.as_str(),
            started_at: to_db(tool_call.started),
            now: self.at(),
        };
        self.execute(sql, values).await.map(drop)
    }

    /// The run a delivery opened, locked.
    ///
    /// # Errors
    /// When the delivery opened none.
    pub async fn tool_call_of(&self, delivery: DeliveryId) -> Result<ToolCall, Error> {
        let values = named! { business_id: self.business.0, delivery_id: delivery.0 };
        self.one::<Row, _>(&of_delivery_sql(), values).await?.ok_or(Error::EventKeyTaken)
    }

    /// A run in a call of a connection.
    ///
    /// # Errors
    /// When there is none.
    pub async fn tool_call(&self, id: ToolCallId, connection: ConnectionId) -> Result<ToolCall, Error> {
        let sql = format!(
            "{SELECT} JOIN call c ON c.business_id = t.business_id AND c.id = t.call_id
             WHERE t.business_id = :business_id AND t.id = :id AND c.connection_id = :connection_id"
        );
        let values = named! { business_id: self.business.0, id: id.0, connection_id: connection.0 };
        self.one::<Row, _>(&sql, values).await?.ok_or(Error::NotFound("tool call"))
    }

    /// The runs in a call, in order.
    pub async fn tool_calls(&self, call: CallId) -> Result<Vec<ToolCall>, Error> {
        let values = named! { business_id: self.business.0, call_id: call.0 };
        self.all::<Row, _>(&of_call_sql(), values).await
    }

    /// The latest runs of one tool in a call, the latest first.
    pub async fn tool_calls_of(&self, call: CallId, name: &str) -> Result<Vec<ToolCall>, Error> {
        let values = named! { business_id: self.business.0, call_id: call.0, name };
        self.all::<Row, _>(&of_tool_sql(), values).await
    }

    /// Marks a run as begun anew.
    pub async fn restart_tool_call(&self, id: ToolCallId) -> Result<(), Error> {
        let sql = "UPDATE tool_call SET running_since = :now WHERE business_id = :business_id AND id = :id";
        let values = named! { business_id: self.business.0, id: id.0, now: self.at() };
        self.execute(sql, values).await.map(drop)
    }

    /// Keeps the first answer of a run; says whether this was it.
    pub async fn answer_tool_call(
        &self,
        id: ToolCallId,
        answer: Answer,
        appointment: Option<AppointmentId>,
    ) -> Result<bool, Error> {
        let sql = "UPDATE tool_call
                   SET result = :result, ok = :ok, latency_ms = :latency_ms, appointment_id = :appointment_id
                   WHERE business_id = :business_id AND id = :id AND result IS NULL";
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            result: answer.result,
            ok: answer.ok,
            latency_ms: answer.latency_ms,
            appointment_id: appointment.map(|id| id.0),
        };
        Ok(self.execute(sql, values).await? == 1)
    }
}
