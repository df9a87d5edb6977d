//! As of when the busy times of outside calendars and booking systems are known.

use std::collections::BTreeMap;

use caller::{BusinessId, InstallationScope};
use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::id::EmployeeId;
use jiff::{SignedDuration, Timestamp};
use proto::frontdesk::events::v1::{BusySourceChanged, event::Payload};
use sea_orm::FromQueryResult;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    Error,
    domain::{
        busy_source::{BusySource, Failure, Freshness, Kind, Reading, SourceReport},
        id::SourceId,
    },
};

/// What takes time of the business's employees from outside.
pub const BUSY_SOURCES: &str = "SELECT id, employee_id, kind, name, read_every_seconds, read_at,
        failing_since, reason
    FROM busy_source WHERE business_id = :business_id AND NOT is_gone ORDER BY employee_id, id";
/// Reports may overtake each other.
const SAVE: &str = "INSERT INTO busy_source (business_id, id, employee_id, kind, name, read_every_seconds, read_at,
        failing_since, reason, is_gone, fresh_until, reported_at)
    SELECT :business_id, s.id, s.employee_id, s.kind, s.name, s.read_every_seconds, s.read_at, s.failing_since, s.reason,
        s.is_gone, s.fresh_until, :reported_at
    FROM jsonb_to_recordset(:sources) AS s (id uuid, employee_id uuid, kind text, name text,
        read_every_seconds integer, read_at timestamptz, failing_since timestamptz, reason text, is_gone boolean,
        fresh_until timestamptz)
    ORDER BY s.id
    ON CONFLICT (business_id, id) DO UPDATE SET employee_id = excluded.employee_id, kind = excluded.kind,
        name = excluded.name, read_every_seconds = excluded.read_every_seconds, read_at = excluded.read_at, failing_since = excluded.failing_since,
        reason = excluded.reason, is_gone = excluded.is_gone, fresh_until = excluded.fresh_until,
        reported_at = excluded.reported_at
    WHERE busy_source.reported_at <= excluded.reported_at
    RETURNING id, told";
/// Those that pages take for current, though they were not read in time, of every business.
pub const LAPSED_SOURCES: &str =
    "SELECT business_id, id, read_every_seconds, read_at, failing_since, reason, is_gone
    FROM busy_source WHERE told = 'FRESH' AND fresh_until < :now
    ORDER BY fresh_until LIMIT 500 FOR UPDATE SKIP LOCKED";
/// A replica of the release before saves that a source was read, and not until when it is current.
const RENEW: &str = "UPDATE busy_source b SET fresh_until = r.fresh_until
    FROM jsonb_to_recordset(:renewed) AS r (business_id uuid, id uuid, fresh_until timestamptz)
    WHERE b.business_id = r.business_id AND b.id = r.id";
const TELL: &str = "UPDATE busy_source b SET told = t.told, version = b.version + 1
    FROM jsonb_to_recordset(:told) AS t (id uuid, told text)
    WHERE b.business_id = :business_id AND b.id = t.id
    RETURNING b.id, b.version";

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
        Ok(Self {
            id: SourceId(row.id),
            employee: EmployeeId(row.employee_id),
            kind: Kind::parse(&row.kind).ok_or(Error::Stored("busy source"))?,
            name: row.name,
            reading: reading(row.read_every_seconds, row.read_at, row.failing_since.zip(row.reason)),
        })
    }
}

#[derive(FromQueryResult)]
struct SavedRow {
    id: Uuid,
    told: Option<String>,
}

#[derive(FromQueryResult)]
struct LapsedRow {
    business_id: Uuid,
    id: Uuid,
    read_every_seconds: i32,
    read_at: Option<DateTime<Utc>>,
    failing_since: Option<DateTime<Utc>>,
    reason: Option<String>,
    is_gone: bool,
}

#[derive(FromQueryResult)]
struct ToldRow {
    id: Uuid,
    version: i64,
}

impl LapsedRow {
    /// What pages are to be told, or until when it is current after all.
    fn judged(self, now: Timestamp) -> Result<ChangedSource, Value> {
        let (business, id) = (self.business_id, SourceId(self.id));
        if self.is_gone {
            return Ok(ChangedSource { id, freshness: None });
        }
        let reading = reading(self.read_every_seconds, self.read_at, self.failing_since.zip(self.reason));
        match reading.freshness(now) {
            Freshness::Fresh => {
                Err(json!({ "business_id": business, "id": id.0, "fresh_until": reading.fresh_until() }))
            }
            freshness => Ok(ChangedSource { id, freshness: Some(freshness.name()) }),
        }
    }
}

/// A source that is not as pages were last told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangedSource {
    id: SourceId,
    /// How current it is; `None` for one that is gone.
    freshness: Option<&'static str>,
}

impl Store {
    /// Tells pages of sources that were not read in time, 500 at most; says how many there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn publish_lapsed_sources(&self) -> Result<usize, Error> {
        let tx = self.database.installation_tx::<Error>(&InstallationScope::worker("lapsed-sources"));
        let now = tx.now();
        let rows: Vec<LapsedRow> = tx.rows(LAPSED_SOURCES, named! { now: tx.at() }).await?;
        let mut lapsed: BTreeMap<Uuid, Vec<ChangedSource>> = BTreeMap::new();
        let mut renewed = vec![];
        for row in rows {
            let business = row.business_id;
            match row.judged(now) {
                Ok(changed) => lapsed.entry(business).or_default().push(changed),
                Err(current) => renewed.push(current),
            }
        }
        if !renewed.is_empty() {
            tx.execute(RENEW, named! { renewed: Value::from(renewed) }).await?;
        }
        let count = lapsed.values().map(Vec::len).sum();
        for (business, sources) in lapsed {
            publish(&tx, BusinessId(business), &sources).await?;
        }
        tx.commit().await?;
        Ok(count)
    }
}

impl Tx {
    /// What takes time of the business's employees from outside, by employee.
    pub(crate) async fn busy_sources(&self) -> Result<Vec<BusySource>, Error> {
        self.all::<Row, _>(BUSY_SOURCES, named! { business_id: self.business.0 }).await
    }

    /// Saves how some sources were read at `reported_at`, where no later report came; those that are not as pages were
    /// last told.
    pub(crate) async fn save_sources(
        &self,
        reports: &[SourceReport],
        reported_at: Timestamp,
    ) -> Result<Vec<ChangedSource>, Error> {
        let sources: Value = reports.iter().map(row).collect();
        let values = named! { business_id: self.business.0, reported_at: to_db(reported_at), sources };
        let saved: Vec<SavedRow> = self.rows(SAVE, values).await?;
        let changed = |SavedRow { id, told }: SavedRow| {
            let SourceReport { source, is_gone } = reports.iter().find(|report| report.source.id.0 == id)?;
            let freshness = (!is_gone).then(|| source.reading.freshness(self.now()).name());
            let changed = ChangedSource { id: source.id, freshness };
            (told.as_deref() != freshness).then_some(changed)
        };
        Ok(saved.into_iter().filter_map(changed).collect())
    }

    /// Tells pages how current some sources are.
    pub(crate) async fn publish_sources(&self, changed: &[ChangedSource]) -> Result<(), Error> {
        publish(self, self.business, changed).await
    }
}

/// One event for all of them: pages read a business's sources at once.
async fn publish(
    tx: &database::Tx<Error>,
    business: BusinessId,
    changed: &[ChangedSource],
) -> Result<(), Error> {
    if changed.is_empty() {
        return Ok(());
    }
    let told = |source: &ChangedSource| json!({ "id": source.id.0, "told": source.freshness });
    let told: Value = changed.iter().map(told).collect();
    let rows: Vec<ToldRow> = tx.rows(TELL, named! { business_id: business.0, told }).await?;
    let Some(ToldRow { id, version }) = rows.into_iter().next() else { return Ok(()) };
    let payload = Payload::BusySource(BusySourceChanged { source_id: id.to_string() });
    tx.publish_change_in(Some(business), id, version, payload).await
}

fn reading(
    every_seconds: i32,
    read_at: Option<DateTime<Utc>>,
    failure: Option<(DateTime<Utc>, String)>,
) -> Reading {
    Reading {
        every: SignedDuration::from_secs(every_seconds.into()),
        read_at: read_at.map(from_db),
        failure: failure.map(|(since, reason)| Failure { since: from_db(since), reason }),
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
        "fresh_until": source.reading.fresh_until(),
    })
}
