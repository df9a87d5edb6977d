//! Busy facts of outside calendars and booking systems.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{EmployeeId, FactId, VisitId},
    refusal::Refusal,
    span::Span,
};
use jiff::tz::TimeZone;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Tx,
    ledger::{BusyTime, days_of},
};
use crate::{
    Error,
    domain::{
        busy::{Change, Fact, Origin, Report, Source, by_day},
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
        starts_at = excluded.starts_at, ends_at = excluded.ends_at";

/// What came of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imported {
    /// How many of its facts lie over a booking.
    pub conflicts: i64,
}

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
    /// Imports what a source reports. Bookings stay: a fact over one takes the time around it and
    /// becomes a conflict. Holds give way: their time is not promised to a customer yet.
    pub async fn import_busy(&self, source: Source, reports: &[Report]) -> Result<Imported, Error> {
        let schedule = self.settled_schedule().await?;
        self.execute(TAKE_SOURCE, named! { business_id: self.business.0, source_id: source.id.0 }).await?;
        let changes = self.changes(source, reports).await?;
        let touched: Vec<_> = changes.iter().flat_map(Change::touches).collect();
        self.take_days(&days_of(&touched, &schedule.zone)).await?;
        self.save_changes(&changes).await?;
        self.occupy_facts(&moved(&changes), &schedule.zone).await?;
        let ids = reports.iter().map(|report| report.external_id.clone()).collect();
        Ok(Imported { conflicts: self.facts_in_conflict(source.id, ids).await? })
    }

    async fn changes(&self, source: Source, reports: &[Report]) -> Result<Vec<Change>, Error> {
        let ids: Vec<_> = reports.iter().map(|report| report.external_id.clone()).collect();
        let values = named! { business_id: self.business.0, source_id: source.id.0, external_ids: ids };
        let known: Vec<Fact> = self.all::<Row, _>(KNOWN_FACTS, values).await?;
        let known: HashMap<_, _> =
            known.iter().map(|fact| (fact.report.external_id.as_str(), fact)).collect();
        let change = |report: &Report| {
            let known = known.get(report.external_id.as_str()).copied();
            Change::of(known, report, source, self.new_id())
        };
        Ok(reports.iter().map(change).collect())
    }

    /// Saves facts as they are now, and frees what the moved ones took.
    async fn save_changes(&self, changes: &[Change]) -> Result<(), Error> {
        let ids: Vec<_> = moved(changes).iter().map(|fact| fact.id).collect();
        self.close_facts(&ids).await?;
        self.settle_conflicts_of_facts(&ids).await?;
        for change in changes {
            match change {
                Change::None => {}
                Change::Retitled(fact) | Change::Moved { fact, .. } => self.save_fact(fact).await?,
            }
        }
        Ok(())
    }

    async fn save_fact(&self, fact: &Fact) -> Result<(), Error> {
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

    /// Takes the time of all facts at once; where the ledger refuses, of one by one.
    async fn occupy_facts(&self, facts: &[&Fact], zone: &TimeZone) -> Result<(), Error> {
        let whole = |fact: &&Fact| fact.report.span.map(|span| times(fact, &[span], zone));
        let all: Vec<_> = facts.iter().filter_map(whole).flatten().collect();
        if self.try_occupy(&all).await? {
            return Ok(());
        }
        for fact in facts {
            self.occupy_fact(fact, zone).await?;
        }
        Ok(())
    }

    async fn occupy_fact(&self, fact: &Fact, zone: &TimeZone) -> Result<(), Error> {
        let Some(span) = fact.report.span else { return Ok(()) };
        if self.try_occupy(&times(fact, &[span], zone)).await? {
            return Ok(());
        }
        let (bookings, holds): (Vec<_>, Vec<_>) =
            self.colliding(fact.report.employee, span).await?.into_iter().partition(|row| row.is_booking);
        self.displace_holds(&visits(holds.iter().map(|hold| hold.visit))).await?;
        let taken: Vec<_> = bookings.iter().map(|booking| booking.span).collect();
        self.occupy_busy(&times(fact, &span.without(&taken), zone)).await?;
        for visit in visits(bookings.iter().map(|booking| booking.visit)) {
            self.add_conflict(fact, span, visit).await?;
        }
        Ok(())
    }

    /// Whether the ledger took all of it; if not, it has taken nothing.
    async fn try_occupy(&self, times: &[BusyTime]) -> Result<bool, Error> {
        let savepoint = self.savepoint().await?;
        match self.occupy_busy(times).await {
            Ok(()) => {
                savepoint.commit().await?;
                Ok(true)
            }
            Err(Error::Refused(Refusal::SlotTaken)) => {
                savepoint.rollback().await?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

fn moved(changes: &[Change]) -> Vec<&Fact> {
    let mut facts = vec![];
    for change in changes {
        match change {
            Change::Moved { fact, .. } => facts.push(fact),
            Change::None | Change::Retitled(_) => {}
        }
    }
    facts
}

fn times(fact: &Fact, spans: &[Span], zone: &TimeZone) -> Vec<BusyTime> {
    let pieces = spans.iter().flat_map(|span| by_day(*span, zone));
    pieces.map(|span| BusyTime { fact: fact.id, employee: fact.report.employee, span }).collect()
}

/// Each visit once.
fn visits(ids: impl Iterator<Item = VisitId>) -> Vec<VisitId> {
    let mut visits: Vec<_> = ids.collect();
    visits.sort_unstable();
    visits.dedup();
    visits
}
