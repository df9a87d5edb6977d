//! Employees who are sick today or on a day soon, or late: reported, not asked for.

use engine::{day::Day, id::EmployeeId, schedule::Schedule, slots::SLOT_SECONDS, span::Span};
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::time_off::Kind;

/// How many days ahead an absence may be reported; later ones are requested as time off.
const DAYS_AHEAD: i32 = 14;

/// Why an employee is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Ill, until then, or until their work of the day ends.
    Sick(Option<Timestamp>),
    /// Late, and there from then on.
    Late(Timestamp),
}

impl Reason {
    /// What kind of time off it is.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::Sick(_) => Kind::Sick,
            Self::Late(_) => Kind::Other,
        }
    }

    fn until(self) -> Option<Timestamp> {
        match self {
            Self::Sick(until) => until,
            Self::Late(until) => Some(until),
        }
    }
}

/// Why an absence can't be reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AbsenceError {
    /// It begins neither today nor soon.
    #[error("must lie in the current local day, or one of the 14 after it")]
    Begins,
    /// It does not end on the day it begins, later than now and than it begins.
    #[error("must lie in the local day of the absence, after now and after starts_at")]
    Ends,
    /// They have no work then.
    #[error("there is no work left to be away from")]
    NotWorking,
}

/// When an employee is away who says so `now`: from `from`, on whose day it ends; or else from the five
/// minutes that are running, or from when their work of today begins if that is to come.
///
/// # Errors
/// [`AbsenceError`]
pub fn away(
    schedule: &Schedule,
    employee: EmployeeId,
    from: Option<Timestamp>,
    reason: Reason,
    now: Timestamp,
) -> Result<Span, AbsenceError> {
    let today = schedule.zone.to_datetime(now).date();
    let date = from.map_or(today, |from| schedule.zone.to_datetime(from).date());
    if date < today || date > today.saturating_add(DAYS_AHEAD.days()) {
        return Err(AbsenceError::Begins);
    }
    let day = Day::of(date, &schedule.zone);
    let whole = Span::new(day.starts_at(), day.ends_at()).ok_or(AbsenceError::NotWorking)?;
    let until = reason.until();
    if until.is_some_and(|until| {
        until <= now.max(whole.starts_at())
            || until > whole.ends_at()
            || from.is_some_and(|from| until <= from)
    }) {
        return Err(AbsenceError::Ends);
    }
    let rota = schedule.rotas.get(&employee).ok_or(AbsenceError::NotWorking)?;
    let working = rota.on(&day, &schedule.opening.on(&day));
    let slot = |slot: usize| day.starts_at() + SignedDuration::from_secs(slot as i64 * SLOT_SECONDS);
    let works: Vec<_> = (0..day.slots()).filter(|index| working.get(*index)).map(slot).collect();
    let (first, last) = works.first().zip(works.last()).ok_or(AbsenceError::NotWorking)?;
    let running =
        now - SignedDuration::new(now.as_second().rem_euclid(SLOT_SECONDS), now.subsec_nanosecond());
    let from = from.unwrap_or_else(|| running.max(*first));
    let until = until.unwrap_or_else(|| *last + SignedDuration::from_secs(SLOT_SECONDS));
    let away = Span::new(from, until).ok_or(AbsenceError::NotWorking)?;
    let misses = |at: &&Timestamp| away.starts_at() <= **at && **at < away.ends_at();
    works.iter().find(misses).map(|_| away).ok_or(AbsenceError::NotWorking)
}
