//! Customers who wait for a time.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

use super::{
    dates::DateRange,
    day::Day,
    id::{CustomerId, VisitId, WaitlistEntryId},
    item::Item,
    placement::Placer,
    slots::SLOT_MINUTES,
    span::Span,
    visit::{Occupied, Placement},
};

/// Longest from the first date to the last: as long as a search looks.
const LONGEST: SignedDuration = SignedDuration::from_hours(61 * 24);
const DAY_MINUTES: u16 = 1440;

/// What is wrong with a request to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// Longer than 62 dates.
    #[error("must lie at most 61 days after first_date")]
    TooLong,
    /// The dates are over.
    #[error("lies in the past")]
    Past,
}

/// Minutes that are none of a day's, or run backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a multiple of 5, after from_minute and at most 1440")]
pub struct MinutesError;

/// Minutes of the local day within which a visit may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Minutes {
    from: u16,
    to: u16,
}

impl Minutes {
    /// All of the day.
    pub const ALL: Self = Self { from: 0, to: DAY_MINUTES };

    /// From one minute up to, and without, another.
    ///
    /// # Errors
    /// [`MinutesError`].
    pub fn new(from: u16, to: u16) -> Result<Self, MinutesError> {
        let on_grid = from.is_multiple_of(SLOT_MINUTES) && to.is_multiple_of(SLOT_MINUTES);
        if on_grid && from < to && to <= DAY_MINUTES { Ok(Self { from, to }) } else { Err(MinutesError) }
    }

    /// The first.
    #[must_use]
    pub fn from(self) -> u16 {
        self.from
    }

    /// The first after them.
    #[must_use]
    pub fn to(self) -> u16 {
        self.to
    }
}

/// Who ended the waiting, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// When.
    pub at: Timestamp,
    /// Who, as the audit trail names them.
    pub by: String,
}

/// Where an entry stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The customer is waiting.
    Waiting,
    /// They got this visit.
    Booked(VisitId, End),
    /// They wait no longer, and why, or empty.
    Left(String, End),
}

/// The entry no longer waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this entry is closed: a visit was booked, or the customer left the waitlist")]
pub struct WrongState;

/// A customer who waits for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: WaitlistEntryId,
    /// Who.
    pub customer: CustomerId,
    /// For what.
    pub items: Vec<Item>,
    /// On which dates.
    pub dates: DateRange,
    /// When of the day it may start.
    pub minutes: Minutes,
    /// What staff should know, or empty.
    pub note: String,
    /// Since when.
    pub joined_at: Timestamp,
    /// Where it stands.
    pub state: State,
    /// Grows by one with each change.
    pub version: i64,
}

/// Checks the dates a customer may wait for.
///
/// # Errors
/// What is wrong with the last date, seen from `today`.
pub fn may_wait(dates: DateRange, today: Date) -> Result<DateRange, WaitError> {
    if dates.last().duration_since(dates.first()) > LONGEST {
        return Err(WaitError::TooLong);
    }
    if dates.last() < today { Err(WaitError::Past) } else { Ok(dates) }
}

impl Entry {
    /// When the visit may start, as spans of time in `zone`, in order.
    pub fn starts<'a>(&'a self, zone: &'a TimeZone) -> impl Iterator<Item = Span> + 'a {
        let dates = self.dates.first().series(jiff::Span::new().days(1));
        let dates = dates.take_while(|date| *date <= self.dates.last());
        dates.filter_map(|date| Day::of(date, zone).between(self.minutes.from, self.minutes.to))
    }

    /// The parts of that which lie in `bookable`.
    #[must_use]
    pub fn starts_within(&self, bookable: Span, zone: &TimeZone) -> Vec<Span> {
        self.starts(zone).filter_map(|starts| starts.intersection(bookable)).collect()
    }

    /// Checks that the entry is still waiting.
    ///
    /// # Errors
    /// [`WrongState`] once it was booked or left.
    pub fn waits(&self) -> Result<(), WrongState> {
        if self.state == State::Waiting { Ok(()) } else { Err(WrongState) }
    }

    /// They got a visit.
    ///
    /// # Errors
    /// Once they got one, or left.
    pub fn book(self, visit: VisitId, end: End) -> Result<Self, WrongState> {
        self.end(State::Booked(visit, end))
    }

    /// They wait no longer.
    ///
    /// # Errors
    /// Once they got a visit, or left.
    pub fn leave(self, reason: String, end: End) -> Result<Self, WrongState> {
        self.end(State::Left(reason, end))
    }

    /// They wait again, in their former place: the visit they got, or their leaving, is taken back.
    ///
    /// # Errors
    /// If they wait.
    pub fn wait_again(self) -> Result<Self, WrongState> {
        match self.state {
            State::Booked(..) | State::Left(..) => {
                Ok(Self { state: State::Waiting, version: self.version + 1, ..self })
            }
            State::Waiting => Err(WrongState),
        }
    }

    fn end(self, state: State) -> Result<Self, WrongState> {
        self.waits()?;
        Ok(Self { state, version: self.version + 1, ..self })
    }
}

/// The first visit that starts within one of `starts`.
#[must_use]
pub fn first_offer(placer: &Placer<'_>, starts: &[Span]) -> Option<Placement> {
    starts.iter().find_map(|starts| placer.offers(*starts).next())
}

/// Whether a visit that starts within one of `starts` would take time that was `freed`.
#[must_use]
pub fn could_use(placer: &Placer<'_>, starts: &[Span], freed: &[Occupied]) -> bool {
    let takes = |needed: &Occupied| {
        freed.iter().any(|free| free.subject == needed.subject && free.during.overlaps(needed.during))
    };
    let mut offers = starts.iter().flat_map(|starts| placer.offers(*starts));
    offers.any(|offer| offer.occupied.iter().any(takes))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use uuid::Uuid;

    use super::*;

    fn entry(minutes: Minutes, last: Date) -> Entry {
        Entry {
            id: WaitlistEntryId(Uuid::from_u128(1)),
            customer: CustomerId(Uuid::from_u128(2)),
            items: vec![],
            dates: DateRange::new(date(2026, 3, 28), last).unwrap(),
            minutes,
            note: String::new(),
            joined_at: Timestamp::UNIX_EPOCH,
            state: State::Waiting,
            version: 1,
        }
    }

    fn end() -> End {
        End { at: Timestamp::UNIX_EPOCH, by: "user:1".to_owned() }
    }

    #[test]
    fn minutes_lie_on_the_grid_of_one_day() {
        assert!(Minutes::new(540, 720).is_ok());
        assert!(Minutes::new(0, 1440).is_ok());
        for (from, to) in [(540, 540), (720, 540), (542, 720), (540, 721), (1440, 1445)] {
            assert_eq!(Minutes::new(from, to), Err(MinutesError), "{from} to {to}");
        }
    }

    #[test]
    fn dates_are_62_at_most_and_not_all_past() {
        let dates = |last| DateRange::new(date(2026, 6, 1), last).unwrap();
        let today = date(2026, 6, 2);
        assert!(may_wait(dates(date(2026, 8, 1)), today).is_ok());
        assert_eq!(may_wait(dates(date(2026, 8, 2)), today), Err(WaitError::TooLong));
        assert!(may_wait(dates(today), today).is_ok());
        assert_eq!(may_wait(dates(date(2026, 6, 1)), today), Err(WaitError::Past));
    }

    #[test]
    fn starts_are_by_the_wall_clock_of_each_date() {
        let zone = TimeZone::get("Europe/London").unwrap();
        // The clocks go forward on the 29th, from 1 to 2.
        let starts = |from, to| -> Vec<String> {
            let entry = entry(Minutes::new(from, to).unwrap(), date(2026, 3, 30));
            entry
                .starts(&zone)
                .map(|span| format!("{} {}", span.starts_at(), span.length().as_mins()))
                .collect()
        };
        assert_eq!(
            starts(540, 720),
            ["2026-03-28T09:00:00Z 180", "2026-03-29T08:00:00Z 180", "2026-03-30T08:00:00Z 180"]
        );
        assert_eq!(starts(65, 115), ["2026-03-28T01:05:00Z 50", "2026-03-30T00:05:00Z 50"]);
        assert_eq!(starts(0, 1440)[1], "2026-03-29T00:00:00Z 1380");
    }

    #[test]
    fn a_booked_or_left_entry_no_longer_waits() {
        let waiting = || entry(Minutes::ALL, date(2026, 3, 28));
        let visit = VisitId(Uuid::from_u128(3));
        let booked = waiting().book(visit, end()).unwrap();
        assert_eq!((&booked.state, booked.version), (&State::Booked(visit, end()), 2));
        let left = waiting().leave("ill".to_owned(), end()).unwrap();
        assert_eq!(left.state, State::Left("ill".to_owned(), end()));
        for ended in [booked, left] {
            assert_eq!(ended.waits(), Err(WrongState));
            assert_eq!(ended.clone().book(visit, end()), Err(WrongState));
            assert_eq!(ended.clone().leave(String::new(), end()), Err(WrongState));
            assert_eq!(ended.wait_again(), Ok(Entry { version: 3, ..waiting() }));
        }
        assert_eq!(waiting().wait_again(), Err(WrongState));
    }
}
