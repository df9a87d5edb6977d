//! When a business takes bookings.

use core::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};

use serde::{Deserialize, Serialize};

use super::{refusal::Refusal, slots::SLOT_MINUTES, span::Span};

const HOURS_PER_DAY: i64 = 24;
const INCREMENTS: [i32; 6] = [5, 10, 15, 20, 30, 60];
/// A month: of notice before a visit, to book or to cancel it.
const NOTICE_MINUTES: RangeInclusive<i32> = 0..=43_200;
const HORIZON_DAYS: RangeInclusive<i32> = 1..=730;
/// How far back what has happened already may be entered.
pub const HISTORY: SignedDuration = SignedDuration::from_hours(366 * HOURS_PER_DAY);

/// Who books decides how early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Booker {
    /// A customer, or the voice agent for one: within lead time and horizon.
    Customer,
    /// The front desk, which needs no notice: it books from the current five-minute slot on.
    Desk,
    /// The installation itself, which also enters what has happened already.
    Installation,
}

/// A business's booking policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Offers start at multiples of these minutes on the wall clock.
    pub increment_minutes: u16,
    /// Notice a business wants of customers.
    pub lead: SignedDuration,
    /// How far ahead it books.
    pub horizon: SignedDuration,
    /// Notice it wants of a cancellation; zero, where it wants none.
    pub cancellation: SignedDuration,
}

/// What is wrong with a policy, by the field's name in the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}")]
pub struct PolicyError {
    /// The field.
    pub field: &'static str,
    /// Continues the sentence that the field begins.
    pub problem: &'static str,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            increment_minutes: 15,
            lead: SignedDuration::ZERO,
            horizon: SignedDuration::from_hours(180 * HOURS_PER_DAY),
            cancellation: SignedDuration::ZERO,
        }
    }
}

impl Policy {
    /// A policy of an increment, lead time and notice of cancellations in minutes, and a horizon
    /// in days.
    ///
    /// # Errors
    /// Names the field that is out of bounds.
    pub fn new(increment: i32, lead: i32, horizon: i32, cancellation: i32) -> Result<Self, PolicyError> {
        let error = |field, problem| Err(PolicyError { field, problem });
        let Some(increment_minutes) =
            INCREMENTS.contains(&increment).then(|| u16::try_from(increment).ok()).flatten()
        else {
            return error("increment_minutes", "must be 5, 10, 15, 20, 30 or 60");
        };
        for (field, minutes) in [("lead_minutes", lead), ("cancellation_window_minutes", cancellation)] {
            if !NOTICE_MINUTES.contains(&minutes) {
                return error(field, "must be 0 to 43200");
            }
        }
        if !HORIZON_DAYS.contains(&horizon) {
            return error("horizon_days", "must be 1 to 730");
        }
        Ok(Self {
            increment_minutes,
            lead: SignedDuration::from_mins(lead.into()),
            horizon: SignedDuration::from_hours(i64::from(horizon) * HOURS_PER_DAY),
            cancellation: SignedDuration::from_mins(cancellation.into()),
        })
    }

    /// The same policy, if customers can book under it.
    ///
    /// # Errors
    /// Names the notice that is as long as the horizon. A policy that was set before this rule is still read.
    pub fn with_bookable_time(self) -> Result<Self, PolicyError> {
        match self.lead < self.horizon {
            true => Ok(self),
            false => Err(PolicyError { field: "lead_minutes", problem: "must be less than the horizon" }),
        }
    }

    /// The horizon in days.
    #[must_use]
    pub fn horizon_days(&self) -> i64 {
        self.horizon.as_hours() / HOURS_PER_DAY
    }

    /// The last instant at which a customer may cancel a visit that starts at `start`; `None` if there
    /// is no limit.
    #[must_use]
    pub fn cancellable_until(&self, start: Timestamp) -> Option<Timestamp> {
        (!self.cancellation.is_zero()).then(|| start - self.cancellation)
    }

    /// The first instant at which a visit may start.
    #[must_use]
    pub fn earliest(&self, booker: Booker, now: Timestamp) -> Timestamp {
        match booker {
            Booker::Customer => now + self.lead,
            Booker::Desk => now - SignedDuration::from_mins(SLOT_MINUTES.into()),
            Booker::Installation => now - HISTORY,
        }
    }

    /// The first instant beyond the booking horizon.
    #[must_use]
    pub fn end(&self, now: Timestamp) -> Timestamp {
        now + self.horizon
    }

    /// The part of `starts` in which a visit may start, if there is any.
    #[must_use]
    pub fn bookable(&self, starts: Span, booker: Booker, now: Timestamp) -> Option<Span> {
        Span::new(self.earliest(booker, now), self.end(now))?.intersection(starts)
    }

    /// Whether a visit may start at `start`.
    ///
    /// # Errors
    /// TOO_SOON or TOO_FAR.
    pub fn admit(&self, start: Timestamp, booker: Booker, now: Timestamp) -> Result<(), Refusal> {
        if start < self.earliest(booker, now) {
            return Err(Refusal::TooSoon);
        }
        if start >= self.end(now) {
            return Err(Refusal::TooFar);
        }
        Ok(())
    }

    /// Whether the front desk may place a visit that starts at `present` at `start`. One that keeps its start
    /// needs neither notice nor to lie within the horizon: the customer expects to come then, and a late or
    /// distant visit may still get more time or another employee.
    ///
    /// # Errors
    /// As [`Self::admit`].
    pub fn admit_anew(&self, present: Timestamp, start: Timestamp, now: Timestamp) -> Result<(), Refusal> {
        if start == present { Ok(()) } else { self.admit(start, Booker::Desk, now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_within_its_bounds_is_taken_as_it_is() {
        assert_eq!(Policy::new(15, 0, 180, 0), Ok(Policy::default()));
        for (increment, lead, horizon, cancellation) in [(5, 0, 1, 0), (60, 43_200, 730, 43_200)] {
            let policy = Policy::new(increment, lead, horizon, cancellation).unwrap();
            assert_eq!((policy.lead.as_mins(), policy.horizon_days()), (lead.into(), horizon.into()));
        }
    }

    #[test]
    fn a_policy_out_of_bounds_names_its_field() {
        let field = |increment, lead, horizon, cancellation| {
            Policy::new(increment, lead, horizon, cancellation).map_err(|error| error.field)
        };
        for increment in [i32::MIN, -5, 0, 7, 45, 65_551, i32::MAX] {
            assert_eq!(field(increment, 0, 180, 0), Err("increment_minutes"), "{increment}");
        }
        for minutes in [i32::MIN, -1, 43_201, i32::MAX] {
            assert_eq!(field(15, minutes, 180, 0), Err("lead_minutes"));
            assert_eq!(field(15, 0, 180, minutes), Err("cancellation_window_minutes"));
        }
        for days in [i32::MIN, -1, 0, 731, i32::MAX] {
            assert_eq!(field(15, 0, days, 0), Err("horizon_days"));
        }
    }

    #[test]
    fn notice_as_long_as_the_horizon_leaves_customers_no_time_to_book() {
        let policy = |lead, horizon| Policy::new(15, lead, horizon, 0).unwrap().with_bookable_time();
        assert!(policy(1_439, 1).is_ok());
        for (lead, horizon) in [(1_440, 1), (43_200, 30), (43_200, 14)] {
            assert_eq!(policy(lead, horizon).map_err(|error| error.field), Err("lead_minutes"), "{lead}");
        }
        assert!(policy(43_200, 31).is_ok());
    }

    #[test]
    fn without_a_window_a_visit_can_be_cancelled_at_any_time() {
        let start: Timestamp = "2026-06-02T08:00:00Z".parse().unwrap();
        assert_eq!(Policy::default().cancellable_until(start), None);
        let day = Policy { cancellation: SignedDuration::from_hours(24), ..Policy::default() };
        assert_eq!(day.cancellable_until(start), Some("2026-06-01T08:00:00Z".parse().unwrap()));
    }

    #[test]
    fn lead_time_and_horizon_bound_a_start() {
        let policy = Policy { lead: SignedDuration::from_mins(60), ..Policy::default() };
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let after = |duration| policy.admit(now + duration, Booker::Customer, now);
        assert_eq!(after(SignedDuration::from_mins(59)), Err(Refusal::TooSoon));
        assert_eq!(after(SignedDuration::from_mins(60)), Ok(()));
        assert_eq!(after(SignedDuration::from_hours(180 * 24) - SignedDuration::from_secs(1)), Ok(()));
        assert_eq!(after(SignedDuration::from_hours(180 * 24)), Err(Refusal::TooFar));
    }

    #[test]
    fn the_front_desk_needs_no_notice() {
        let policy = Policy { lead: SignedDuration::from_mins(60), ..Policy::default() };
        let now: Timestamp = "2026-06-01T08:02:00Z".parse().unwrap();
        let at = |minutes| policy.admit(now + SignedDuration::from_mins(minutes), Booker::Desk, now);
        assert_eq!((at(-5), at(-6)), (Ok(()), Err(Refusal::TooSoon)));
        assert_eq!(at(180 * 24 * 60), Err(Refusal::TooFar));
    }

    #[test]
    fn a_visit_that_keeps_its_start_may_have_passed_or_lie_beyond_the_horizon() {
        let policy = Policy::default();
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let at = |hours| now + SignedDuration::from_hours(hours);
        let (passed, distant) = (at(-2), at(200 * 24));
        assert_eq!(policy.admit_anew(passed, passed, now), Ok(()));
        assert_eq!(policy.admit_anew(distant, distant, now), Ok(()));
        assert_eq!(policy.admit_anew(distant, at(199 * 24), now), Err(Refusal::TooFar));
        assert_eq!(policy.admit_anew(passed, at(-1), now), Err(Refusal::TooSoon));
        assert_eq!(policy.admit_anew(distant, at(1), now), Ok(()));
    }

    #[test]
    fn what_is_searched_begins_where_what_is_booked_does() {
        let policy = Policy { lead: SignedDuration::from_mins(60), ..Policy::default() };
        let now: Timestamp = "2026-06-01T08:02:00Z".parse().unwrap();
        let day =
            Span::new(now - SignedDuration::from_hours(8), now + SignedDuration::from_hours(16)).unwrap();
        for (booker, minutes) in [(Booker::Customer, 60), (Booker::Desk, -5), (Booker::Installation, -480)] {
            let bookable = policy.bookable(day, booker, now).unwrap();
            assert_eq!(bookable.starts_at(), now + SignedDuration::from_mins(minutes), "{booker:?}");
            assert_eq!(policy.admit(bookable.starts_at(), booker, now), Ok(()), "{booker:?}");
        }
    }

    #[test]
    fn the_installation_alone_enters_what_has_happened() {
        let policy = Policy::default();
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let yesterday = now - SignedDuration::from_hours(24);
        assert_eq!(policy.admit(yesterday, Booker::Customer, now), Err(Refusal::TooSoon));
        assert_eq!(policy.admit(yesterday, Booker::Installation, now), Ok(()));
        let long_ago = now - SignedDuration::from_hours(367 * 24);
        assert_eq!(policy.admit(long_ago, Booker::Installation, now), Err(Refusal::TooSoon));
    }
}
