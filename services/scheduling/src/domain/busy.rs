//! Busy facts from outside calendars and booking systems.

use caller::Role;
use engine::{
    dates::YEARS,
    day::Day,
    id::{EmployeeId, FactId},
    span::Span,
};
use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, date},
    tz::TimeZone,
};

use super::{id::SourceId, person::may_act_for};

/// Most that is held of a fact at once: a year and a day.
pub const MAX_LENGTH: SignedDuration = SignedDuration::from_hours(366 * 24);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The kind of system that reports busy time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A calendar of the employee.
    Calendar,
    /// The salon's booking system.
    Provider,
}

impl Origin {
    /// Whether a member with `role` reads what an entry is called: what is in an employee's own calendar is
    /// between them and managers, as the calendar's events are. `is_own` says whether the employee is the member.
    #[must_use]
    pub fn names_entries_to(self, role: Role, is_own: bool) -> bool {
        match self {
            Self::Calendar => may_act_for(role, is_own),
            Self::Provider => true,
        }
    }
}

/// Where facts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// What kind of system it is.
    pub origin: Origin,
    /// The calendar, or the connection to the booking system.
    pub id: SourceId,
}

/// What a source says about one of its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The entry's stable id there.
    pub external_id: String,
    /// Whose time it takes.
    pub employee: EmployeeId,
    /// What it is called there, or empty.
    pub title: String,
    /// When; `None` once it is gone, or where it takes no time.
    pub span: Option<Span>,
}

/// A time that ends before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ends before it begins")]
pub struct Backwards;

/// How much of an entry's time is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// All that can be booked; `None` for what takes no time.
    Whole(Option<Span>),
    /// The part that matters now of what is longer than [`MAX_LENGTH`]: its end is held later on.
    Until(Span),
    /// Nothing: it lies wholly outside [`YEARS`], where nothing is booked.
    Outside,
}

impl Held {
    /// What is held of an entry at `now`.
    ///
    /// # Errors
    /// When it ends before it begins.
    pub fn of(starts_at: Timestamp, ends_at: Timestamp, now: Timestamp) -> Result<Self, Backwards> {
        if ends_at < starts_at {
            return Err(Backwards);
        }
        let (first, end) = bounds();
        let (from, to) = (starts_at.max(first), ends_at.min(end));
        if from > to || (from == to && starts_at < ends_at) {
            return Ok(Self::Outside);
        }
        if to.duration_since(from) <= MAX_LENGTH {
            return Ok(Self::Whole(Span::new(from, to)));
        }
        // From a midnight on, so that telling the same twice a day changes nothing.
        let yesterday = midnight(TimeZone::UTC.to_datetime(now).date()) - DAY;
        let from = yesterday.clamp(from, to - MAX_LENGTH);
        Ok(match Span::new(from, from + MAX_LENGTH) {
            Some(span) if span.ends_at() < to => Self::Until(span),
            last => Self::Whole(last),
        })
    }
}

/// The first instant of [`YEARS`], and the first one after them.
fn bounds() -> (Timestamp, Timestamp) {
    (midnight(date(*YEARS.start(), 1, 1)), midnight(date(*YEARS.end() + 1, 1, 1)))
}

fn midnight(date: Date) -> Timestamp {
    TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).expect("UTC has every instant near ours")
}

/// A fact as it is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its id here.
    pub id: FactId,
    /// Where it comes from.
    pub source: Source,
    /// What is said there.
    pub report: Report,
}

/// What a report means for what is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing new, and nothing at all for an entry that was never known.
    None,
    /// Only the title differs.
    Retitled(Fact),
    /// Occupies other time than before, or another employee's; `before` becomes free.
    Moved {
        /// The time it took, if any.
        before: Option<Span>,
        /// The fact as it is now.
        fact: Fact,
    },
}

impl Change {
    /// Compares a report with the fact known under its id. A fact that is new takes `new_id`.
    #[must_use]
    pub fn of(known: Option<&Fact>, report: &Report, source: Source, new_id: FactId) -> Self {
        let id = known.map_or(new_id, |fact| fact.id);
        let fact = Fact { id, source, report: report.clone() };
        match known {
            None if report.span.is_none() => Self::None,
            None => Self::Moved { before: None, fact },
            Some(known) if *known == fact => Self::None,
            Some(known) if known.report.span.is_none() && report.span.is_none() => Self::None,
            Some(known) if known.report.employee == report.employee && known.report.span == report.span => {
                Self::Retitled(fact)
            }
            Some(known) => Self::Moved { before: known.report.span, fact },
        }
    }

    /// The time this changes something in.
    #[must_use]
    pub fn touches(&self) -> Vec<Span> {
        match self {
            Self::None | Self::Retitled(_) => vec![],
            Self::Moved { before, fact } => before.iter().chain(&fact.report.span).copied().collect(),
        }
    }
}

/// Cuts a long time at each midnight: a row of the ledger spans a day at most.
#[must_use]
pub fn by_day(span: Span, zone: &TimeZone) -> Vec<Span> {
    span.cut_at(Day::covering(span, zone).iter().map(Day::starts_at))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const CALENDAR: Source = Source { origin: Origin::Calendar, id: SourceId(Uuid::from_u128(1)) };
    const ANA: EmployeeId = EmployeeId(Uuid::from_u128(2));
    const BEN: EmployeeId = EmployeeId(Uuid::from_u128(3));
    const NEW: FactId = FactId(Uuid::from_u128(4));

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn report(title: &str, hours: Option<(i8, i8)>) -> Report {
        let at = |hour: i8| at(&format!("2026-06-01T{hour:02}:00:00Z"));
        let span = hours.map(|(from, to)| Span::new(at(from), at(to)).unwrap());
        Report { external_id: "e".to_owned(), employee: ANA, title: title.to_owned(), span }
    }

    fn known(hours: Option<(i8, i8)>) -> Fact {
        let id = FactId(Uuid::from_u128(5));
        Fact { id, source: CALENDAR, report: report("Dentist", hours) }
    }

    #[test]
    fn a_repeated_report_changes_nothing() {
        let known = known(Some((9, 10)));
        let change = Change::of(Some(&known), &known.report, CALENDAR, NEW);
        assert_eq!(change, Change::None);
        let gone = Change::of(None, &report("", None), CALENDAR, NEW);
        assert_eq!(gone, Change::None);
    }

    #[test]
    fn a_moved_fact_frees_what_it_took_and_keeps_its_id() {
        let known = known(Some((9, 10)));
        let change = Change::of(Some(&known), &report("Dentist", Some((11, 12))), CALENDAR, NEW);
        assert_eq!(change.touches().len(), 2);
        assert!(
            matches!(change, Change::Moved { before, fact } if before == known.report.span && fact.id == known.id)
        );
    }

    #[test]
    fn a_fact_that_is_gone_or_goes_to_another_employee_frees_its_time() {
        let known = known(Some((9, 10)));
        let gone = Change::of(Some(&known), &report("", None), CALENDAR, NEW);
        assert_eq!(gone.touches(), [known.report.span.unwrap()]);
        let to_ben = Report { employee: BEN, ..known.report.clone() };
        let passed_on = Change::of(Some(&known), &to_ben, CALENDAR, NEW);
        assert!(matches!(passed_on, Change::Moved { before: Some(_), fact } if fact.report.employee == BEN));
    }

    #[test]
    fn a_new_title_touches_no_time() {
        let known = known(Some((9, 10)));
        let change = Change::of(Some(&known), &report("Doctor", Some((9, 10))), CALENDAR, NEW);
        assert!(matches!(change, Change::Retitled(_)));
        assert_eq!(change.touches(), []);
    }

    #[test]
    fn a_holiday_is_cut_at_local_midnights() {
        let london = TimeZone::get("Europe/London").unwrap();
        let holiday = Span::new(at("2026-03-28T12:00:00Z"), at("2026-03-30T12:00:00Z")).unwrap();
        let cuts: Vec<_> = by_day(holiday, &london).iter().map(|piece| piece.starts_at()).collect();
        assert_eq!(cuts, ["2026-03-28T12:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29T23:00:00Z"].map(at));
    }

    fn span(from: &str, to: &str) -> Span {
        Span::new(at(from), at(to)).unwrap()
    }

    #[test]
    fn a_time_is_held_within_the_years_that_are_booked() {
        let now = at("2026-06-01T10:00:00Z");
        assert_eq!(Held::of(now, now, now), Ok(Held::Whole(None)));
        assert_eq!(Held::of(now, now - SignedDuration::from_secs(1), now), Err(Backwards));
        let held = |from: &str, to: &str| Held::of(at(from), at(to), now).unwrap();
        let (first, last) = ("2000-01-01T00:00:00Z", "2200-01-01T00:00:00Z");
        let early = span(first, "2000-01-02T00:00:00Z");
        assert_eq!(held("1999-12-30T00:00:00Z", "2000-01-02T00:00:00Z"), Held::Whole(Some(early)));
        let late = span("2199-12-31T00:00:00Z", last);
        assert_eq!(held("2199-12-31T00:00:00Z", "2200-01-02T00:00:00Z"), Held::Whole(Some(late)));
        assert_eq!(held("1999-12-30T00:00:00Z", first), Held::Outside);
        assert_eq!(held(last, "2200-01-02T00:00:00Z"), Held::Outside);
        assert_eq!(held("1850-01-01T00:00:00Z", "1850-01-01T00:00:00Z"), Held::Outside);
    }

    #[test]
    fn a_long_time_is_held_from_yesterday_or_its_start_and_to_its_end_in_the_end() {
        let held =
            |now: &str| Held::of(at("2026-01-01T00:00:00Z"), at("2028-06-01T12:00:00Z"), at(now)).unwrap();
        let first = span("2026-01-01T00:00:00Z", "2027-01-02T00:00:00Z");
        assert_eq!(held("2025-03-01T00:00:00Z"), Held::Until(first));
        let later = span("2026-05-31T00:00:00Z", "2027-06-01T00:00:00Z");
        assert_eq!(held("2026-06-01T10:00:00Z"), Held::Until(later));
        assert_eq!(held("2026-06-01T23:59:59Z"), Held::Until(later), "the same all day");
        let last = span("2027-06-01T12:00:00Z", "2028-06-01T12:00:00Z");
        for after in ["2027-07-01T00:00:00Z", "2030-01-01T00:00:00Z"] {
            assert_eq!(held(after), Held::Whole(Some(last)));
        }
    }
}
