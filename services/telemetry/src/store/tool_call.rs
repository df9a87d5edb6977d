//! Runs of tools.

use database::{from_db, to_db};
use jiff::Timestamp;
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
    format!("{SELECT} WHERE t.business_id = $1 AND t.delivery_id = $2 FOR UPDATE")
}

/// More runs than a call can have; a bound all the same.
pub(super) fn of_call_sql() -> String {
    format!("{SELECT} WHERE t.business_id = $1 AND t.call_id = $2 ORDER BY t.started_at, t.id LIMIT 1000")
}

impl Tx {
    /// Opens the record of a run.
    pub async fn open_tool_call(&self, tool_call: &ToolCall, delivery: DeliveryId) -> Result<(), Error> {
        let sql = "INSERT INTO tool_call
                   (business_id, id, call_id, delivery_id, name, arguments, started_at, running_since)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let values = [
            self.business.0.into(),
            tool_call.id.0.into(),
            tool_call.call.0.into(),
            delivery.0.into(),
            tool_call.name.clone().into(),
            tool_call.arguments.clone().into(),
            to_db(tool_call.started).into(),
            self.at(),
        ];
        self.execute(sql, values).await?;
        Ok(())
    }

    /// The run a delivery opened, locked.
    ///
    /// # Errors
    /// When the delivery opened none.
    pub async fn tool_call_of(&self, delivery: DeliveryId) -> Result<ToolCall, Error> {
        let found =
            self.one::<Row, _>(&of_delivery_sql(), [self.business.0.into(), delivery.0.into()]).await?;
        found.ok_or(Error::EventKeyTaken)
    }

    /// A run in a call of a connection.
    ///
    /// # Errors
    /// When there is none.
    pub async fn tool_call(&self, id: ToolCallId, connection: ConnectionId) -> Result<ToolCall, Error> {
        let sql = format!(
            "{SELECT} JOIN call c ON c.business_id = t.business_id AND c.id = t.call_id
             WHERE t.business_id = $1 AND t.id = $2 AND c.connection_id = $3"
        );
        let values = [self.business.0.into(), id.0.into(), connection.0.into()];
        self.one::<Row, _>(&sql, values).await?.ok_or(Error::NotFound("tool call"))
    }

    /// The runs in a call, in order.
    pub async fn tool_calls(&self, call: CallId) -> Result<Vec<ToolCall>, Error> {
        let values = [self.business.0.into(), call.0.into()];
        let rows = self.rows::<Row>(&of_call_sql(), values).await?;
        Ok(rows.into_iter().map(ToolCall::from).collect())
    }

    /// Marks a run as begun anew.
    pub async fn take_over(&self, id: ToolCallId, now: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE tool_call SET running_since = $3 WHERE business_id = $1 AND id = $2";
        let values = [self.business.0.into(), id.0.into(), to_db(now).into()];
        self.execute(sql, values).await?;
        Ok(())
    }

    /// Records the first answer of a run; says whether this was it.
    pub async fn answer(
        &self,
        id: ToolCallId,
        answer: Answer,
        appointment: Option<AppointmentId>,
    ) -> Result<bool, Error> {
        let sql = "UPDATE tool_call SET result = $3, ok = $4, latency_ms = $5, appointment_id = $6
                   WHERE business_id = $1 AND id = $2 AND result IS NULL";
        let values = [
            self.business.0.into(),
            id.0.into(),
            answer.result.into(),
            answer.ok.into(),
            answer.latency_ms.into(),
            appointment.map(|id| id.0).into(),
        ];
        Ok(self.execute(sql, values).await? == 1)
    }
}
