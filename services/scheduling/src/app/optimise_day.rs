//! A better day: what it is worked out from, and the proposal it becomes.

use core::time::Duration;
use std::{collections::BTreeMap, slice, sync::Arc, time::Instant};

use engine::{
    appointment::Appointment,
    dates::DateRange,
    day::Day,
    explanation::{Record, Taken},
    id::{ProposalId, VisitId, WaitlistEntryId},
    optimiser::{Facts, Input, Outcome, Run, may_optimise, optimise},
    proposal::{Cause, MAX_LINES, Optimisation},
    schedule::Schedule,
    span::Span,
    waitlist::Entry,
};
use jiff::civil::Date;
use proto::frontdesk::scheduling::v1::proposal_service_methods::OPTIMISE_DAY;

use super::take_turn::Turn;
use crate::{Error, domain::hypothesis::Hypothesis, store::Tx};

/// Of the waitlist's entries, how many are considered: those that have waited longest.
const MOST_WAITING: usize = 20;

/// Longest that one day is worked on.
const MOST_TIME: Duration = Duration::from_secs(1);

/// A request to optimise a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayRequest {
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
    schedule: Arc<Schedule>,
    day: Day,
    visits: BTreeMap<VisitId, Appointment>,
    entries: BTreeMap<WaitlistEntryId, Entry>,
}

/// A day to make better.
#[derive(Debug)]
pub struct OptimiseDay {
    /// Which, and what may change.
    pub request: DayRequest,
    /// What the search is reproduced by.
    pub seed: u64,
}

impl OptimiseDay {
    /// Reads the day, and searches on a blocking thread for one second at most. No connection is held while it
    /// searches.
    ///
    /// # Errors
    /// A date that is over or too far ahead, or an agreed shift for a visit that can't be moved.
    pub async fn run(self, tx: Tx, turn: Turn) -> Result<BetterDay, Error> {
        let day = tx.optimisable(&self.request).await?;
        tx.commit().await?;
        let run = Run::of(&day.input, self.seed);
        let search = move || {
            let until = Instant::now() + MOST_TIME;
            let outcome = optimise(&day.input, run, || Instant::now() >= until);
            drop(turn);
            BetterDay { day, run, outcome }
        };
        tokio::task::spawn_blocking(search).await.map_err(Error::Optimiser)
    }
}

/// A better day, and how it was found.
#[derive(Debug)]
pub struct BetterDay {
    /// The day as it was.
    pub day: OptimisableDay,
    /// How the search ran.
    pub run: Run,
    /// What it found.
    pub outcome: Outcome,
}

impl BetterDay {
    /// How it was found, and what it brings.
    #[must_use]
    pub fn optimisation(&self) -> Optimisation {
        let Self { day, run, outcome } = self;
        outcome.optimisation(&day.input, *run, outcome.gain(&day.input, &day.schedule))
    }

    /// Saves the day as a proposal, together with its input; `None` if no change is worth it. Visits without a place
    /// are open lines of the inbox without a proposal.
    ///
    /// # Errors
    /// More changes than a proposal has lines.
    pub async fn propose(&self, tx: &Tx) -> Result<Option<ProposalId>, Error> {
        let Self { day, outcome, .. } = self;
        if outcome.changes.is_empty() {
            return Ok(None);
        }
        let changes = outcome.proposed(&day.input, &day.visits, &day.entries);
        if changes.len() > MAX_LINES {
            return Err(Error::invalid("date", "would change more visits than a proposal has lines"));
        }
        let cause = Cause::Optimisation(self.optimisation());
        let proposal = tx.new_proposal(&day.day, cause, changes);
        tx.add_proposal(&proposal).await?;
        tx.keep_optimisation_input(proposal.id, &day.input).await?;
        tx.audit(&OPTIMISE_DAY, proposal.id).await?;
        Ok(Some(proposal.id))
    }
}

impl Tx {
    /// Reads the day as it is now, without locks: applying a line checks it again.
    async fn optimisable(&self, request: &DayRequest) -> Result<OptimisableDay, Error> {
        let schedule = self.load_schedule().await?;
        let date = may_optimise(request.date, &schedule, self.now());
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
        let waiting = if request.with_waitlist { self.longest_waiting(date).await? } else { vec![] };
        let facts = Facts {
            taken: others.chain(over.iter().map(|fact| (fact.subject, fact.span))).collect(),
            visits: visits
                .values()
                .map(|visit| {
                    let rows = visit.rows.iter().map(|row| (row.subject, row.during)).collect();
                    (visit.appointment.clone(), rows)
                })
                .collect(),
            agreed: request.agreed.iter().copied().collect(),
            waiting: waiting.clone(),
        };
        let mut input = Input::new(&schedule, &day, facts, self.now());
        self.admit_waiting_on(&schedule, &day, &mut input).await?;
        let stays = |(visit, _): &(VisitId, u16)| !input.visits.iter().any(|movable| movable.id == *visit);
        if let Some(index) = request.agreed.iter().position(stays) {
            let field = format!("agreed[{index}].appointment_id");
            return Err(Error::invalid(field, "names no visit of that date that may be moved"));
        }
        let visits = visits.into_iter().map(|(id, visit)| (id, visit.appointment)).collect();
        let entries = waiting.into_iter().map(|entry| (entry.id, entry)).collect();
        Ok(OptimisableDay { input, schedule, day, visits, entries })
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
}

fn visit_of(taken: &Taken) -> Option<VisitId> {
    match taken.record {
        Record::Appointment(visit) => Some(visit),
        Record::Hold(_) | Record::Busy(_) | Record::Block(_) | Record::Hypothesis => None,
    }
}
