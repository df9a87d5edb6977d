//! Visits that start or end later, and those that they push.

use jiff::{SignedDuration, Timestamp};

use super::{
    appointment::{Appointment, State},
    id::SubjectId,
    occupancy::{Occupancy, Rearrangement, Target},
    overrun::OverrunError,
    policy::Booker,
    refusal::Refusal,
    rescheduling::{Displaced, Found, Search, UNPLACED_MINUTES},
    schedule::Schedule,
    slots::SLOT_MINUTES,
    span::Span,
    squeeze_in::squeeze_in,
    visit::{Occupied, Placement, VisitRequestError, after},
    window::Untimely,
};

/// No visit is pushed by more, in minutes.
const MOST_PUSHED: i64 = 24 * 60;

/// A visit that shall be later.
#[derive(Debug, Clone)]
pub struct Delay {
    /// Where it shall be.
    pub target: Target,
    /// What it takes there if it uses what it uses now.
    pub rows: Vec<Occupied>,
}

/// Why a visit can't be later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DelayError {
    /// The visit has ended or was cancelled, or would occupy an employee for longer than a day.
    #[error(transparent)]
    Overrun(#[from] OverrunError),
    /// The visit can't start at the later time, regardless of other bookings.
    #[error(transparent)]
    VisitRequest(#[from] VisitRequestError),
    /// The visit is not due yet, or its planned end is past.
    #[error(transparent)]
    Untimely(#[from] Untimely),
}

impl Appointment {
    /// The visit, which occupies `rows`, delayed by `minutes`: its start if it has not begun, else its
    /// end.
    ///
    /// # Errors
    /// [`DelayError`]
    pub fn delayed(
        &self,
        rows: &[Occupied],
        minutes: u16,
        schedule: &Schedule,
        now: Timestamp,
    ) -> Result<Delay, DelayError> {
        if let Some(window) = self.delay_window() {
            window.check(now)?;
        }
        let Ok(items) = self.rearranged(None) else {
            let placement = self.overrun(rows, after(self.ends_at, minutes))?;
            return Ok(Delay { rows: placement.occupied.clone(), target: Target::Exactly(placement) });
        };
        let start = after(self.starts_at, minutes);
        schedule.policy.admit(start, Booker::Desk, now).map_err(VisitRequestError::from)?;
        let request = schedule.request_again(&items)?;
        let target = match squeeze_in(&request, start).filter(|_| self.squeezed_in) {
            Some(beside_others) => Target::Exactly(beside_others),
            None => Target::Start(request, start),
        };
        Ok(Delay { target, rows: later(rows, minutes.into()) })
    }

    /// The visit once it is later, as `placement` has it.
    #[must_use]
    pub fn delayed_to(self, placement: &Placement) -> Self {
        match self.state {
            State::InService => self.extended_to(placement),
            _ => Self { squeezed_in: self.squeezed_in, ..self.moved_to(placement) },
        }
    }
}

/// What becomes of a day on which a visit is later.
#[derive(Debug, Clone)]
pub struct Pushed {
    /// The visit itself.
    pub first: Placement,
    /// Those that can't stay where they are, by their place among all, and where they could go.
    pub followers: Vec<(usize, Option<Found>)>,
}

impl Delay {
    /// All that it could take.
    #[must_use]
    pub fn reach(&self) -> Option<Span> {
        let rearrangement = Rearrangement { before: self.rows.clone(), target: self.target.clone() };
        rearrangement.reach()
    }

    /// What becomes of the others, which are `movable`, by start, and whose time is not among what
    /// `occupancy` has taken. Either those alone that are in the way go to where there is room, or
    /// each pushes the next until a gap takes it up: whichever costs less in all.
    ///
    /// # Errors
    /// NOT_WORKING, or SLOT_TAKEN where something else than a movable visit is in the way.
    pub fn push(
        &self,
        search: &Search<'_>,
        occupancy: &Occupancy,
        movable: &[Displaced],
    ) -> Result<Pushed, Refusal> {
        let aside = self.leaving(search, occupancy, movable, self.in_the_way(movable))?;
        let chain = self.leaving(search, occupancy, movable, self.chain(movable));
        Ok(match chain {
            Ok(chain) if chain.price() < aside.price() => chain,
            Ok(_) | Err(_) => aside,
        })
    }

    /// What happens to the day if exactly these visits leave their places. A visit that turns out to be
    /// able to stay is planned as staying from the start, so that the plan matches what is applied.
    fn leaving(
        &self,
        search: &Search<'_>,
        occupancy: &Occupancy,
        movable: &[Displaced],
        mut leaving: Vec<usize>,
    ) -> Result<Pushed, Refusal> {
        loop {
            let pushed = self.leaving_at_once(search, occupancy, movable, &leaving)?;
            let moves = |found: &Option<Found>| found.as_ref().is_none_or(|found| found.cost > 0);
            let moving = pushed.followers.iter().filter(|(_, found)| moves(found)).map(|(index, _)| *index);
            let moving: Vec<_> = moving.collect();
            if moving == leaving {
                return Ok(pushed);
            }
            leaving = moving;
        }
    }

    fn leaving_at_once(
        &self,
        search: &Search<'_>,
        occupancy: &Occupancy,
        movable: &[Displaced],
        leaving: &[usize],
    ) -> Result<Pushed, Refusal> {
        let mut occupancy = occupancy.clone();
        for (index, other) in movable.iter().enumerate() {
            if !leaving.contains(&index) {
                occupancy.take(&other.rows);
            }
        }
        let first = occupancy.place(&self.target, &[])?;
        occupancy.take(&first.occupied);
        let visits: Vec<_> = leaving.iter().map(|index| movable[*index].clone()).collect();
        let followers = leaving.iter().copied().zip(search.at_once(occupancy, &visits)).collect();
        Ok(Pushed { first, followers })
    }

    fn in_the_way(&self, movable: &[Displaced]) -> Vec<usize> {
        let is_met = |(_, other): &(usize, &Displaced)| overlap(&self.rows, &other.rows).is_some();
        movable.iter().enumerate().filter(is_met).map(|(index, _)| index).collect()
    }

    /// Those that are pushed by this one, or by one that is pushed.
    fn chain(&self, movable: &[Displaced]) -> Vec<usize> {
        let (mut ahead, mut chain) = (self.rows.clone(), vec![]);
        for (index, other) in movable.iter().enumerate() {
            let (mut rows, mut pushed) = (other.rows.clone(), 0);
            while let Some(minutes) = overlap(&ahead, &rows).filter(|_| pushed < MOST_PUSHED) {
                pushed += minutes;
                rows = later(&rows, minutes);
            }
            if pushed > 0 {
                ahead.extend(rows);
                chain.push(index);
            }
        }
        chain
    }
}

impl Pushed {
    /// What it costs all of the others, in minutes, and how many of them.
    fn price(&self) -> (i64, usize) {
        let cost = |found: &Option<Found>| found.as_ref().map_or(UNPLACED_MINUTES, |found| found.cost);
        (self.followers.iter().map(|(_, found)| cost(found)).sum(), self.followers.len())
    }
}

/// The rows delayed by a number of minutes.
#[must_use]
pub fn later(rows: &[Occupied], minutes: i64) -> Vec<Occupied> {
    let by = SignedDuration::from_mins(minutes);
    let span = |span: Span| Span::new(span.starts_at() + by, span.ends_at() + by).unwrap_or(span);
    let row = |row: &Occupied| Occupied { during: span(row.during), service: span(row.service), ..*row };
    rows.iter().map(row).collect()
}

/// The delay in minutes, in steps of five, after which `rows` no longer overlap those `ahead`; `None`
/// if they don't overlap now.
fn overlap(ahead: &[Occupied], rows: &[Occupied]) -> Option<i64> {
    let step = i64::from(SLOT_MINUTES) * 60;
    let shared = |row: &Occupied| {
        let same = |subject: SubjectId| subject == row.subject;
        let met = ahead.iter().filter(move |other| same(other.subject) && other.during.overlaps(row.during));
        met.map(|other| other.during.ends_at().duration_since(row.during.starts_at()).as_secs()).max()
    };
    let seconds = rows.iter().filter_map(shared).max()?;
    Some((seconds + step - 1).div_euclid(step) * i64::from(SLOT_MINUTES))
}
