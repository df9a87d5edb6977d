//! A better day: what it is worked out from, and the proposal it becomes.

use std::{collections::BTreeMap, slice};

use engine::{
    appointment::Appointment,
    dates::DateRange,
    day::Day,
    explanation::{Record, Taken},
    id::{ProposalId, VisitId, WaitlistEntryId},
    optimiser::{Facts, Input, Outcome, Run, may_optimise},
    proposal::{Cause, MAX_LINES},
    schedule::Schedule,
    span::Span,
    waitlist::Entry,
};
use jiff::civil::Date;

use crate::{Error, domain::hypothesis::Hypothesis, store::Tx};

/// Of the waitlist's entries, how many are considered: those that have waited longest.
const MOST_WAITING: usize = 20;

/// A request to optimise a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayWish {
    /// The local date.
    pub date: Date,
    /// By how many minutes customers agreed to be moved.
    pub agreed: Vec<(VisitId, u16)>,
    /// Whether those who wait are served where there is time.
    pub with_waitlist: bool,
}

/// A day that may be made better, and whom it is about.
#[derive(Debug, Clone)]
pub struct OptimisableDay {
    /// All that the answer depends on.
    pub input: Input,
    day: Day,
    visits: BTreeMap<VisitId, Appointment>,
    entries: BTreeMap<WaitlistEntryId, Entry>,
}

impl Tx {
    /// Reads the day as it is now, without locks: applying a line checks it again.
    ///
    /// # Errors
    /// A date that is over or too far ahead, or an agreed shift for a visit that can't be moved.
    pub async fn optimisable(&self, wish: &DayWish) -> Result<OptimisableDay, Error> {
        let schedule = self.load_schedule().await?;
        let date = may_optimise(wish.date, &schedule, self.now());
        let date = date.map_err(|error| Error::invalid("date", error))?;
        let day = Day::of(date, &schedule.zone);
        let taken = self.taken_under(slice::from_ref(&day), &Hypothesis::default()).await?;
        let mut ids: Vec<_> = taken.iter().filter_map(visit_of).collect();
        ids.sort_unstable();
        ids.dedup();
        let visits = self.affected(&ids).await?;
        let others = taken.iter().filter(|taken| visit_of(taken).is_none_or(|id| !visits.contains_key(&id)));
        let others = others.map(|taken| (taken.subject, taken.span));
        let over = self.facts_over(&ids).await?;
        let waiting = if wish.with_waitlist { self.longest_waiting(date).await? } else { vec![] };
        let facts = Facts {
            taken: others.chain(over.iter().map(|fact| (fact.subject, fact.span))).collect(),
            visits: visits
                .values()
                .map(|visit| {
                    let rows = visit.rows.iter().map(|row| (row.subject, row.during)).collect();
                    (visit.appointment.clone(), rows)
                })
                .collect(),
            agreed: wish.agreed.iter().copied().collect(),
            waiting: waiting.clone(),
        };
        let mut input = Input::new(&schedule, &day, facts, self.now());
        self.admit_waiting_on(&schedule, &day, &mut input).await?;
        let stays = |(visit, _): &(VisitId, u16)| !input.visits.iter().any(|movable| movable.id == *visit);
        if let Some(index) = wish.agreed.iter().position(stays) {
            let field = format!("agreed[{index}].appointment_id");
            return Err(Error::invalid(field, "names no visit of that date that may be moved"));
        }
        let visits = visits.into_iter().map(|(id, visit)| (id, visit.appointment)).collect();
        let entries = waiting.into_iter().map(|entry| (entry.id, entry)).collect();
        Ok(OptimisableDay { input, day, visits, entries })
    }

    /// Leaves who waits those starts before which they have had what their visit needs.
    async fn admit_waiting_on(&self, schedule: &Schedule, day: &Day, input: &mut Input) -> Result<(), Error> {
        let Some(starts) = Span::new(day.starts_at(), day.ends_at()) else { return Ok(()) };
        let needs: Vec<_> = input.waiting.iter().flat_map(|waiting| schedule.needs(&waiting.items)).collect();
        let histories = self.histories(&needs, starts, self.now()).await?;
        for waiting in &mut input.waiting {
            if let Some(admitted) = histories.admitted(&schedule.needs(&waiting.items)) {
                waiting.keep(&admitted);
            }
        }
        Ok(())
    }

    async fn longest_waiting(&self, date: Date) -> Result<Vec<Entry>, Error> {
        let Ok(dates) = DateRange::new(date, date) else { return Ok(vec![]) };
        let waiting = self.waiting_for(dates).await?.into_iter().take(MOST_WAITING);
        Ok(waiting.map(|stored| stored.entry).collect())
    }

    /// Saves an optimised day as a proposal, together with its input; `None` if no visit changes.
    ///
    /// # Errors
    /// More changes than a proposal has lines.
    pub async fn propose_better(
        &self,
        better: &OptimisableDay,
        run: Run,
        outcome: &Outcome,
    ) -> Result<Option<ProposalId>, Error> {
        let changes = outcome.proposed(&better.input, &better.visits, &better.entries);
        if changes.is_empty() {
            return Ok(None);
        }
        if changes.len() > MAX_LINES {
            return Err(Error::invalid("date", "would change more visits than a proposal has lines"));
        }
        let cause = Cause::Optimisation(outcome.optimisation(&better.input, run));
        let proposal = self.new_proposal(&better.day, cause, changes);
        self.add_proposal(&proposal).await?;
        self.keep_optimisation_input(proposal.id, &better.input).await?;
        Ok(Some(proposal.id))
    }
}

fn visit_of(taken: &Taken) -> Option<VisitId> {
    match taken.record {
        Record::Appointment(visit) => Some(visit),
        Record::Hold(_) | Record::Busy(_) | Record::Block(_) | Record::Hypothesis => None,
    }
}
