//! Busy facts of outside calendars and booking systems.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{EmployeeId, FactId},
    span::Span,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        busy::{Fact, Origin, Report, Source},
        id::SourceId,
    },
};

/// Imports of one source take turns.
const TAKE_SOURCE: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('source:' || :business_id::uuid || :source_id::uuid, 0))";
/// What is held of facts that a source reports.
pub const KNOWN_FACTS: &str =
    "SELECT id, origin, source_id, external_id, employee_id, title, starts_at, ends_at
    FROM busy_fact WHERE business_id = :business_id AND source_id = :source_id
        AND external_id = ANY(:external_ids::text[])";
const SAVE: &str = "INSERT INTO busy_fact
        (business_id, id, source_id, external_id, employee_id, title, starts_at, ends_at, origin)
    VALUES (:business_id, :id, :source_id, :external_id, :employee_id, :title, :starts_at, :ends_at, :origin)
    ON CONFLICT (business_id, id) DO UPDATE SET employee_id = excluded.employee_id, title = excluded.title,
        starts_at = excluded.starts_at, ends_at = excluded.ends_at, origin = excluded.origin";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    origin: String,
    source_id: Uuid,
    external_id: String,
    employee_id: Uuid,
    title: String,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Fact {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let span = row.starts_at.zip(row.ends_at);
        let span = span.and_then(|(from, to)| Span::new(from_db(from), from_db(to)));
        Ok(Self {
            id: FactId(row.id),
            source: source(&row.origin, row.source_id)?,
            report: Report {
                external_id: row.external_id,
                employee: EmployeeId(row.employee_id),
                title: row.title,
                span,
            },
        })
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Calendar => "CALENDAR",
        Origin::Provider => "PROVIDER",
    }
}

/// A source as it is stored.
pub(crate) fn source(origin: &str, id: Uuid) -> Result<Source, Error> {
    let origin = match origin {
        "CALENDAR" => Origin::Calendar,
        "PROVIDER" => Origin::Provider,
        _ => return Err(Error::Stored("origin")),
    };
    Ok(Source { origin, id: SourceId(id) })
}

impl Tx {
    /// Takes the turn to import what a source reports.
    pub(crate) async fn take_source(&self, source: Source) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, source_id: source.id.0 };
        self.execute(TAKE_SOURCE, values).await.map(drop)
    }

    /// What is held of the facts of a source that have these ids there.
    pub(crate) async fn known_facts(&self, source: Source, ids: Vec<String>) -> Result<Vec<Fact>, Error> {
        let values = named! { business_id: self.business.0, source_id: source.id.0, external_ids: ids };
        self.all::<Row, _>(KNOWN_FACTS, values).await
    }

    /// Saves a fact as it is now.
    pub(crate) async fn save_fact(&self, fact: &Fact) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: fact.id.0,
            source_id: fact.source.id.0,
            external_id: fact.report.external_id.as_str(),
            employee_id: fact.report.employee.0,
            title: fact.report.title.as_str(),
            starts_at: fact.report.span.map(|span| to_db(span.starts_at())),
            ends_at: fact.report.span.map(|span| to_db(span.ends_at())),
            origin: origin_name(fact.source.origin),
        };
        self.execute(SAVE, values).await.map(drop)
    }
}
