//! Readings of booking systems.

use database::{constraint, from_db, named};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{ConnectionId, provider::Counts},
    error::Error,
};

const ADD: &str =
    "INSERT INTO provider_run (business_id, id, connection_id, dry_run, state, started_at, step_count)
    VALUES (:business_id, :id, :connection_id, :dry_run, 'RUNNING', :now, :step_count)";
const STEP: &str = "UPDATE provider_run SET steps_done = :steps_done
    WHERE business_id = :business_id AND id = :id AND state = 'RUNNING'";
const END: &str =
    "UPDATE provider_run SET state = :state, finished_at = :now, fault = :fault, counts = :counts,
        steps_done = CASE WHEN :fault::text IS NULL THEN step_count ELSE steps_done END
    WHERE business_id = :business_id AND id = :id";
/// A run whose process died is told to have failed.
const ABANDONED: &str =
    "UPDATE provider_run SET state = 'FAILED', finished_at = :now, fault = 'it was cut off: try again'
    WHERE business_id = :business_id AND connection_id = :connection_id AND state = 'RUNNING'
    AND started_at < :now::timestamptz - interval '10 minutes'";
const SELECT: &str =
    "SELECT id, dry_run, state, started_at, finished_at, steps_done, step_count, fault, counts
    FROM provider_run";

typed_id::typed_id! {
    /// A run.
    RunId,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It has not yet.
    Running,
    /// At this time.
    Done(Timestamp),
    /// At this time, for this reason.
    Failed(Timestamp, String),
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// Only to say what would change.
    pub dry: bool,
    /// When it began.
    pub started_at: Timestamp,
    /// How it ended.
    pub ending: Ending,
    /// Steps done, of how many.
    pub steps: (i32, i32),
    /// What it counted.
    pub counts: Counts,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    dry_run: bool,
    state: String,
    started_at: DateTimeUtc,
    finished_at: Option<DateTimeUtc>,
    steps_done: i32,
    step_count: i32,
    fault: Option<String>,
    counts: JsonValue,
}

impl From<Row> for Run {
    fn from(row: Row) -> Self {
        let ended = row.finished_at.map(from_db);
        let ending = match (row.state.as_str(), ended) {
            ("FAILED", Some(at)) => Ending::Failed(at, row.fault.unwrap_or_default()),
            (_, Some(at)) => Ending::Done(at),
            (_, None) => Ending::Running,
        };
        let count = |name: &str| {
            row.counts
                .get(name)
                .and_then(JsonValue::as_i64)
                .and_then(|count| i32::try_from(count).ok())
                .unwrap_or(0)
        };
        Self {
            id: RunId(row.id),
            dry: row.dry_run,
            started_at: from_db(row.started_at),
            ending,
            steps: (row.steps_done, row.step_count),
            counts: Counts {
                employees: count("employees"),
                services: count("services"),
                appointments: count("appointments"),
                added: count("added"),
                changed: count("changed"),
                removed: count("removed"),
            },
        }
    }
}

impl Tx {
    /// Begins a run.
    ///
    /// # Errors
    /// [`Error::Running`] while another one of the connection is under way.
    pub async fn add_run(
        &self,
        connection: ConnectionId,
        id: RunId,
        dry: bool,
        steps: i32,
    ) -> Result<(), Error> {
        let of = named! { business_id: self.business.0, connection_id: connection.0, now: self.at() };
        self.execute(ABANDONED, of.clone()).await?;
        let values = of.and(named! { id: id.0, dry_run: dry, step_count: steps });
        self.try_execute(ADD, values).await.map(drop).map_err(|error| match constraint(&error).as_deref() {
            Some("provider_run_once") => Error::Running,
            _ => error.into(),
        })
    }

    /// Keeps how far a run is.
    pub async fn step_run(&self, id: RunId, done: i32) -> Result<(), Error> {
        self.execute(STEP, named! { business_id: self.business.0, id: id.0, steps_done: done })
            .await
            .map(drop)
    }

    /// Keeps how a run ended.
    pub async fn end_run(&self, id: RunId, counts: Counts, fault: Option<&str>) -> Result<Run, Error> {
        let counts = json!({
            "employees": counts.employees,
            "services": counts.services,
            "appointments": counts.appointments,
            "added": counts.added,
            "changed": counts.changed,
            "removed": counts.removed,
        });
        let state = if fault.is_some() { "FAILED" } else { "DONE" };
        let key = named! { business_id: self.business.0, id: id.0 };
        let ending = named! { state, fault: fault.map(str::to_owned), counts, now: self.at() };
        self.execute(END, key.clone().and(ending)).await?;
        let sql = format!("{SELECT} WHERE business_id = :business_id AND id = :id");
        let run = self.row::<Row>(&sql, key).await?;
        run.map(Into::into).ok_or(Error::NotFound("run"))
    }

    /// The newest runs of a connection.
    pub async fn runs(&self, connection: ConnectionId) -> Result<Vec<Run>, Error> {
        let sql = format!(
            "{SELECT} WHERE business_id = :business_id AND connection_id = :connection_id
             ORDER BY started_at DESC, id DESC LIMIT 20"
        );
        let values = named! { business_id: self.business.0, connection_id: connection.0 };
        let rows = self.rows::<Row>(&sql, values).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }
}
