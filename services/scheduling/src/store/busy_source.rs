//! As of when the busy times of outside calendars and booking systems are known.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::id::EmployeeId;
use jiff::{SignedDuration, Timestamp};
use sea_orm::FromQueryResult;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        busy_source::{BusySource, Failure, Kind, Reading, SourceReport},
        id::SourceId,
    },
};

/// What takes time of the business's employees from outside.
pub const BUSY_SOURCES: &str = "SELECT id, employee_id, kind, name, read_every_seconds, read_at,
        failing_since, reason
    FROM busy_source WHERE business_id = :business_id AND NOT is_gone ORDER BY employee_id, id";
/// Reports may overtake each other.
const SAVE: &str = "INSERT INTO busy_source (business_id, id, employee_id, kind, name, read_every_seconds, read_at,
        failing_since, reason, is_gone, reported_at)
    SELECT :business_id, s.id, s.employee_id, s.kind, s.name, s.read_every_seconds, s.read_at, s.failing_since, s.reason,
        s.is_gone, :reported_at
    FROM jsonb_to_recordset(:sources) AS s (id uuid, employee_id uuid, kind text, name text,
        read_every_seconds integer, read_at timestamptz, failing_since timestamptz, reason text, is_gone boolean)
    ORDER BY s.id
    ON CONFLICT (business_id, id) DO UPDATE SET employee_id = excluded.employee_id, kind = excluded.kind,
        name = excluded.name, read_every_seconds = excluded.read_every_seconds, read_at = excluded.read_at, failing_since = excluded.failing_since,
        reason = excluded.reason, is_gone = excluded.is_gone, reported_at = excluded.reported_at
    WHERE busy_source.reported_at <= excluded.reported_at";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    employee_id: Uuid,
    kind: String,
    name: String,
    read_every_seconds: i32,
    read_at: Option<DateTime<Utc>>,
    failing_since: Option<DateTime<Utc>>,
    reason: Option<String>,
}

impl TryFrom<Row> for BusySource {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let failure = row.failing_since.zip(row.reason);
        let failure = failure.map(|(since, reason)| Failure { since: from_db(since), reason });
        Ok(Self {
            id: SourceId(row.id),
            employee: EmployeeId(row.employee_id),
            kind: Kind::parse(&row.kind).ok_or(Error::Stored("busy source"))?,
            name: row.name,
            reading: Reading {
                every: SignedDuration::from_secs(row.read_every_seconds.into()),
                read_at: row.read_at.map(from_db),
                failure,
            },
        })
    }
}

impl Tx {
    /// What takes time of the business's employees from outside, by employee.
    pub(crate) async fn busy_sources(&self) -> Result<Vec<BusySource>, Error> {
        self.all::<Row, _>(BUSY_SOURCES, named! { business_id: self.business.0 }).await
    }

    /// Saves how some sources were read at `reported_at`, where no later report came.
    pub(crate) async fn save_sources(
        &self,
        reports: &[SourceReport],
        reported_at: Timestamp,
    ) -> Result<(), Error> {
        let sources: Value = reports.iter().map(row).collect();
        let values = named! { business_id: self.business.0, reported_at: to_db(reported_at), sources };
        self.execute(SAVE, values).await.map(drop)
    }
}

fn row(SourceReport { source, is_gone }: &SourceReport) -> Value {
    let failure = source.reading.failure.as_ref();
    json!({
        "id": source.id.0,
        "employee_id": source.employee.0,
        "kind": source.kind.name(),
        "name": source.name,
        "read_every_seconds": source.reading.every.as_secs(),
        "read_at": source.reading.read_at,
        "failing_since": failure.map(|failure| failure.since),
        "reason": failure.map(|failure| failure.reason.as_str()),
        "is_gone": is_gone,
    })
}
