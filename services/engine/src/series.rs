//! Visits that repeat, at the same local time on dates that a rule gives.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, Time},
    tz::{AmbiguousOffset, TimeZone},
};

use super::{
    appointment::{Appointment, Consent, RearrangeError},
    id::{EmployeeId, SeriesId, VisitId},
    item::Item,
    occurrence::Occurrence,
};

/// Most visits of one series.
pub const MAX_OCCURRENCES: u8 = 52;
/// Fewest: one alone does not repeat.
pub const MIN_OCCURRENCES: u8 = 2;
/// Most weeks or months from one visit to the next.
pub const MAX_EVERY: u8 = 12;

const DAYS_PER_WEEK: i32 = 7;

/// What a series repeats by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cadence {
    /// The same day of the week.
    Weekly,
    /// The same day of the month; the last, where a month is shorter.
    Monthly,
    /// The same day of the same week of the month; a fifth is the last.
    MonthlyByWeekday,
}

/// How a visit repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recurrence {
    /// What by.
    pub cadence: Cadence,
    /// Weeks or months from one visit to the next, 1 to 12.
    pub every: u8,
    /// Visits in all, 2 to 52.
    pub count: u8,
}

/// Visits that repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    /// Its id.
    pub id: SeriesId,
    /// How.
    pub recurrence: Recurrence,
    /// When it was booked.
    pub booked_at: Timestamp,
}

/// When one visit of a series shall take place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// Which one, from 1.
    pub number: u8,
    /// Its local date.
    pub date: Date,
    /// Its start; `None` if the clocks skip its time of day on that date.
    pub starts_at: Option<Timestamp>,
}

/// One visit of a series, and where it shall be.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Which visit of the series.
    pub number: u8,
    /// What it is.
    pub items: Vec<Item>,
    /// Its start; `None` if the clocks skip it.
    pub starts_at: Option<Timestamp>,
}

impl Planned {
    /// The visit of `items`.
    #[must_use]
    pub fn of(&self, items: &[Item]) -> Wanted {
        Wanted { number: self.number, items: items.to_vec(), starts_at: self.starts_at }
    }
}

/// One visit that is not where the recurrence has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Which one, from 1.
    pub number: u8,
    /// Where it starts instead; `None` leaves it out.
    pub starts_at: Option<Timestamp>,
}

/// What is wrong with changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The change at this place is of a visit that is not one of the series, or was changed before.
    #[error("must be another visit of the series, from 1")]
    Number(usize),
    /// The change at this place brings a visit to before or behind its neighbours.
    #[error("must lie between the visits before and after it")]
    Order(usize),
    /// Nothing is left.
    #[error("must leave one visit at least")]
    Nothing,
}

impl Recurrence {
    /// The dates, the first of them `first`. Each is counted from the first: a short month does not
    /// move those after it.
    fn dates(self, first: Date) -> impl Iterator<Item = Date> {
        let date = move |number: u8| {
            let periods = i32::from(number) * i32::from(self.every);
            match self.cadence {
                Cadence::Weekly => first.checked_add((periods * DAYS_PER_WEEK).days()),
                Cadence::Monthly => first.checked_add(periods.months()),
                Cadence::MonthlyByWeekday => same_week(first, periods),
            }
        };
        // Dates end in the year 9999.
        (0..self.count).map_while(move |number| date(number).ok())
    }

    /// When each visit takes place when the first starts at `first`.
    #[must_use]
    pub fn planned(self, first: Timestamp, zone: &TimeZone) -> Vec<Planned> {
        let local = zone.to_datetime(first);
        let planned = |(number, date): (u8, Date)| Planned {
            number,
            date,
            starts_at: if number == 1 { Some(first) } else { instant(date, local.time(), zone) },
        };
        (1..).zip(self.dates(local.date())).map(planned).collect()
    }
}

/// The date `months` later on the same weekday of the same week of the month as `first`.
fn same_week(first: Date, months: i32) -> Result<Date, jiff::Error> {
    let month = first.first_of_month().checked_add(months.months())?;
    let nth = (first.day() - 1) / 7 + 1;
    month.nth_weekday_of_month(nth, first.weekday()).or_else(|error| match nth {
        5 => month.nth_weekday_of_month(-1, first.weekday()),
        _ => Err(error),
    })
}

/// When the wall clock shows `time` on `date`, for the first time; never, where it is put forward
/// over it.
fn instant(date: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    let shown = zone.to_ambiguous_timestamp(date.to_datetime(time));
    match shown.offset() {
        AmbiguousOffset::Gap { .. } => None,
        AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => shown.compatible().ok(),
    }
}

/// What becomes of a plan by changes: the visits that remain, by number.
///
/// # Errors
/// Names the change that is wrong.
pub fn changed(planned: &[Planned], changes: &[Change]) -> Result<Vec<Planned>, ChangeError> {
    let mut kept: Vec<Option<Planned>> = planned.iter().copied().map(Some).collect();
    let mut seen = vec![false; planned.len()];
    for (index, change) in changes.iter().enumerate() {
        let place = usize::from(change.number).checked_sub(1).filter(|place| *place < kept.len());
        let place = place.filter(|place| !core::mem::replace(&mut seen[*place], true));
        let place = place.ok_or(ChangeError::Number(index))?;
        kept[place] = change.starts_at.map(|at| Planned { starts_at: Some(at), ..planned[place] });
    }
    let kept: Vec<_> = kept.into_iter().flatten().collect();
    let backwards = kept.windows(2).find(|pair| {
        let starts = pair[0].starts_at.zip(pair[1].starts_at);
        starts.is_some_and(|(earlier, later)| earlier >= later)
    });
    if let Some(pair) = backwards {
        let is_one = |change: &Change| pair.iter().any(|planned| planned.number == change.number);
        return Err(ChangeError::Order(changes.iter().position(is_one).unwrap_or(0)));
    }
    if kept.is_empty() { Err(ChangeError::Nothing) } else { Ok(kept) }
}

/// How the rest of a series is moved: by a number of days, to another time of day.
#[derive(Debug, Clone, Copy)]
pub struct Shift<'a> {
    from: Timestamp,
    to: Timestamp,
    zone: &'a TimeZone,
}

impl<'a> Shift<'a> {
    /// As a visit is moved that the series had at `from`, and that now starts at `to`.
    #[must_use]
    pub fn new(from: Timestamp, to: Timestamp, zone: &'a TimeZone) -> Self {
        Self { from, to, zone }
    }

    /// Where the visit of the series at `planned` moves to; `None` if the clocks skip that time.
    #[must_use]
    pub fn apply(&self, planned: Timestamp) -> Option<Timestamp> {
        if planned == self.from {
            return Some(self.to);
        }
        let date = |at| self.zone.to_datetime(at).date();
        let days = date(self.from).until(date(self.to)).ok()?;
        instant(date(planned).checked_add(days).ok()?, self.zone.to_datetime(self.to).time(), self.zone)
    }
}

/// How the visits of a series change together.
#[derive(Debug, Clone, Copy)]
pub struct Rearrangement<'a> {
    /// Where they go; `None` if each keeps its start.
    pub shift: Option<Shift<'a>>,
    /// Who does each service; `None` for who does it now.
    pub employees: Option<&'a [Option<EmployeeId>]>,
    /// Extra minutes of each service; `None` for the present ones.
    pub extra_minutes: Option<&'a [i16]>,
    /// Whether the customer agreed to another employee than the only one they asked for.
    pub consent: Consent,
}

impl Rearrangement<'_> {
    /// What is wanted of a visit that changes along; nothing of one that belongs to no series.
    ///
    /// # Errors
    /// As [`Appointment::resized`].
    pub fn of(&self, visit: &Appointment) -> Option<Result<Wanted, RearrangeError>> {
        let Occurrence { number, planned_at, .. } = visit.occasion.occurrence?;
        let starts_at = self.shift.map_or(Some(visit.starts_at), |shift| shift.apply(planned_at));
        let items = match self.extra_minutes {
            Some(extra) => visit.resized(self.employees, extra, self.consent),
            None => visit.rearranged_with(self.employees, self.consent),
        };
        Some(items.map(|items| Wanted { number, items, starts_at }))
    }

    /// Whether a visit changes along: one that was moved by itself keeps its start.
    #[must_use]
    pub fn takes(&self, visit: &Appointment, from: VisitId) -> bool {
        self.shift.is_none() || visit.id == from || visit.is_as_planned()
    }
}

impl Appointment {
    /// Whether it is one of the rest of a series from visit `number` on, and has yet to begin.
    #[must_use]
    pub fn is_in_remainder(&self, number: u8) -> bool {
        self.state.is_ahead()
            && self.occasion.occurrence.is_some_and(|occurrence| occurrence.number >= number)
    }

    /// Whether it stands where its series has it.
    #[must_use]
    pub fn is_as_planned(&self) -> bool {
        self.occasion.occurrence.is_some_and(|occurrence| occurrence.planned_at == self.starts_at)
    }

    /// The visit with its series having it where it starts.
    #[must_use]
    pub fn planned_here(mut self) -> Self {
        if let Some(occurrence) = &mut self.occasion.occurrence {
            occurrence.planned_at = self.starts_at;
        }
        self
    }
}

#[cfg(test)]
mod tests;
