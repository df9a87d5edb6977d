//! Imports what outside calendars and booking systems report. Bookings stay: a fact over one takes the time around
//! it and becomes a conflict. Holds give way: their time is not promised to a customer yet.

use std::collections::HashMap;

use engine::{id::VisitId, refusal::Refusal, span::Span};
use jiff::tz::TimeZone;
use proto::frontdesk::scheduling::internal::v1::busy_service_methods::IMPORT_BUSY;

use crate::{
    Error,
    domain::busy::{Change, Fact, Report, Source, by_day},
    store::{BusyTime, Tx, days_of},
};

/// What a source reports.
#[derive(Debug)]
pub struct ImportBusy {
    /// The source.
    pub source: Source,
    /// Its facts, each by its id there.
    pub reports: Vec<Report>,
}

impl ImportBusy {
    /// Imports the facts; how many of them lie over a booking.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: Tx) -> Result<i64, Error> {
        let Self { source, reports } = self;
        let schedule = tx.settled_schedule().await?;
        tx.take_source(source).await?;
        let changes = tx.changes(source, &reports).await?;
        let touched: Vec<_> = changes.iter().flat_map(Change::touches).collect();
        tx.take_days(&days_of(&touched, &schedule.zone)).await?;
        tx.save_changes(&changes).await?;
        tx.occupy_facts(&moved(&changes), &schedule.zone).await?;
        let ids = reports.into_iter().map(|report| report.external_id).collect();
        let conflicts = tx.facts_in_conflict(source.id, ids).await?;
        tx.audit(&IMPORT_BUSY, source.id).await?;
        tx.commit().await?;
        Ok(conflicts)
    }
}

impl Tx {
    async fn changes(&self, source: Source, reports: &[Report]) -> Result<Vec<Change>, Error> {
        let ids = reports.iter().map(|report| report.external_id.clone()).collect();
        let known = self.known_facts(source, ids).await?;
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
