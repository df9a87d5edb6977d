//! What takes time around a day, row by row, and whether visits can be rearranged in it.
//!
//! Rearranging is decided as booking is, by the [`Placer`]: each visit at its exact start, by its
//! exact employees, against everything else.

use super::{
    day::Day,
    id::SubjectId,
    placement::Placer,
    plan::DayPlan,
    refusal::Refusal,
    schedule::Schedule,
    span::Span,
    timeline::Timeline,
    visit::{Occupied, Placement, VisitRequest},
};
use jiff::Timestamp;

/// Days in a row, with what takes time in them.
#[derive(Debug, Clone)]
pub struct Occupancy {
    plans: Vec<DayPlan>,
    taken: Vec<(SubjectId, Span)>,
    /// How many of `taken` the plans have.
    planned: usize,
}

/// Where a visit shall take place.
#[derive(Debug, Clone)]
pub enum Target {
    /// At this start, by those whom the request names.
    Start(VisitRequest, Timestamp),
    /// In this very time, within working time or not.
    Exactly(Placement),
}

/// A visit that shall take another place than it has, or its first.
#[derive(Debug, Clone)]
pub struct Rearrangement {
    /// What it occupies now; empty for a new or squeezed-in visit.
    pub before: Vec<Occupied>,
    /// Where it shall be.
    pub target: Target,
}

impl Rearrangement {
    /// All that it occupies now or could occupy; `None` if that is no time at all.
    #[must_use]
    pub fn reach(&self) -> Option<Span> {
        let rows = |rows: &[Occupied]| rows.iter().map(|row| row.during).reduce(Span::hull);
        let target = match &self.target {
            Target::Start(request, start) => Some(request.reach(*start, *start)),
            Target::Exactly(placement) => rows(&placement.occupied),
        };
        rows(&self.before).into_iter().chain(target).reduce(Span::hull)
    }
}

/// One of several visits does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{refusal}")]
pub struct Misfit {
    /// Its place among them.
    pub index: usize,
    /// Why.
    pub refusal: Refusal,
}

/// Whether visits that have yet to be rearranged keep their time from those before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    OneByOne,
    AtOnce,
}

impl Occupancy {
    /// `days`, which follow on each other, where `taken` takes time.
    #[must_use]
    pub fn new(schedule: &Schedule, days: Vec<Day>, taken: Vec<(SubjectId, Span)>) -> Self {
        let plans = days.into_iter().map(|day| DayPlan::new(schedule, day, &taken)).collect();
        Self { plans, planned: taken.len(), taken }
    }

    /// Takes more time.
    pub fn take(&mut self, rows: &[Occupied]) {
        self.taken.extend(rows.iter().map(|row| (row.subject, row.during)));
    }

    /// What is free for `request` where `rows` take time as well.
    #[must_use]
    pub fn line(&self, request: &VisitRequest, rows: &[Occupied]) -> Timeline {
        let mut line = Timeline::new(&self.plans, request.candidates(), request.resources());
        let bounds = self.plans.first().zip(self.plans.last());
        let whole = bounds.and_then(|(first, last)| Span::new(first.day.starts_at(), last.day.ends_at()));
        let more = rows.iter().map(|row| (row.subject, row.during));
        let later = self.taken[self.planned..].iter().copied().chain(more);
        for (subject, span) in later.filter(|(_, span)| whole.is_some_and(|whole| whole.overlaps(*span))) {
            line.take(subject, span);
        }
        line
    }

    /// Whether nothing takes any of the time of `rows`.
    #[must_use]
    pub fn is_free(&self, rows: &[Occupied]) -> bool {
        let meets = |row: &Occupied| {
            self.taken.iter().any(|(subject, span)| *subject == row.subject && span.overlaps(row.during))
        };
        !rows.iter().any(meets)
    }

    /// Places visits whose present time is not among what is taken: one after the other in this
    /// order, each while those behind it are where they are, so that the same comes of doing it one
    /// by one; or else, where they swap or follow on each other, all at once.
    ///
    /// # Errors
    /// The first that does not fit, and why.
    pub fn rearrange(&self, visits: &[Rearrangement]) -> Result<Vec<Placement>, Misfit> {
        let one_by_one = self.rearrange_in(Manner::OneByOne, visits);
        one_by_one.or_else(|_| self.rearrange_in(Manner::AtOnce, visits))
    }

    fn rearrange_in(&self, manner: Manner, visits: &[Rearrangement]) -> Result<Vec<Placement>, Misfit> {
        let mut occupancy = self.clone();
        let mut placements = Vec::with_capacity(visits.len());
        for (index, visit) in visits.iter().enumerate() {
            let behind = match manner {
                Manner::OneByOne => &visits[index + 1..],
                Manner::AtOnce => &[],
            };
            let behind: Vec<_> = behind.iter().flat_map(|other| &other.before).copied().collect();
            let placed = occupancy.place(&visit.target, &behind);
            let placement = placed.map_err(|refusal| Misfit { index, refusal })?;
            occupancy.take(&placement.occupied);
            placements.push(placement);
        }
        Ok(placements)
    }

    /// A visit where `rows` take time as well.
    ///
    /// # Errors
    /// NOT_WORKING where it would not fit even if nothing were taken, else SLOT_TAKEN.
    pub fn place(&self, target: &Target, rows: &[Occupied]) -> Result<Placement, Refusal> {
        match target {
            Target::Start(request, start) => Placer::new(&self.line(request, rows), request).at(*start),
            Target::Exactly(placement) => {
                let meets = |row: &Occupied| {
                    rows.iter().any(|other| other.subject == row.subject && other.during.overlaps(row.during))
                };
                let is_free = self.is_free(&placement.occupied) && !placement.occupied.iter().any(meets);
                if is_free { Ok(placement.clone()) } else { Err(Refusal::SlotTaken) }
            }
        }
    }
}
