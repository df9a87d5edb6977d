//! Events in calendars outside.

use core::fmt;

use jiff::{SignedDuration, Timestamp};
use proto::time::YEAR_ONE;
use uuid::Uuid;

use super::{AppointmentId, CalendarId, EmployeeId};

/// From a start to a later end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    starts: Timestamp,
    ends: Timestamp,
}

impl Span {
    /// A span; `None` when it doesn't end after it starts.
    #[must_use]
    pub fn new(starts: Timestamp, ends: Timestamp) -> Option<Self> {
        (starts < ends).then_some(Self { starts, ends })
    }

    /// Its start.
    #[must_use]
    pub fn starts(self) -> Timestamp {
        self.starts
    }

    /// Its end.
    #[must_use]
    pub fn ends(self) -> Timestamp {
        self.ends
    }

    /// Without what lies before the year 1, where neither a message nor Postgres reaches; what
    /// lies there as a whole becomes the first second after it.
    #[must_use]
    pub fn from_year_one(self) -> Self {
        let (starts, ends) =
            (self.starts.max(YEAR_ONE), self.ends.max(YEAR_ONE + SignedDuration::from_secs(1)));
        Self { starts, ends }
    }

    /// From the earlier start to the later end.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self { starts: self.starts.min(other.starts), ends: self.ends.max(other.ends) }
    }
}

/// What an event is known by in its calendar.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub String);

/// One version of an event; only the calendar's keeper can read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Etag(pub String);

/// Namespace of the ids of our own events.
const OURS: Uuid = Uuid::from_u128(0x7f3c_1f0a_93d4_5c0e_a1d6_0d2c_5b8e_4a11);

impl EventId {
    /// The id of one part of an appointment in one calendar: always the same, so that
    /// writing twice is writing once. Digits and a to f only: Google takes no hyphen.
    #[must_use]
    pub fn of_part(
        calendar: CalendarId,
        appointment: AppointmentId,
        employee: EmployeeId,
        part: i32,
    ) -> Self {
        let name = format!("{calendar}/{appointment}/{employee}/{part}");
        Self(Uuid::new_v5(&OURS, name.as_bytes()).simple().to_string())
    }
}

/// Between an object's id and the instance of it.
const INSTANCE: char = '#';

impl EventId {
    /// The id of the instance of a series that its rule puts at `at`.
    #[must_use]
    pub fn instance(&self, at: Timestamp) -> Self {
        Self(format!("{self}{INSTANCE}{}", super::ical::utc(at)))
    }

    /// Bytes of an id at most: an object's name and which instance of it.
    pub const LONGEST: usize = Self::LONGEST_NAME + 20;

    /// Whether a row can have it.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.0.len() <= Self::LONGEST && !self.0.contains('\0')
    }

    /// Longest name of an object that scheduling takes, with room for an instance.
    const LONGEST_NAME: usize = 900;

    /// The id of an object that its calendar knows by this name. One that could be taken for an instance of another
    /// object is hashed.
    #[must_use]
    pub fn of_object(name: &str) -> Self {
        let usable = name.len() <= Self::LONGEST_NAME && !name.contains(INSTANCE);
        if usable { Self(name.to_owned()) } else { Self::hashed(name) }
    }

    /// An id of always the same length, which another text has not.
    #[must_use]
    pub fn hashed(text: &str) -> Self {
        Self(Uuid::new_v5(&OURS, text.as_bytes()).simple().to_string())
    }

    /// The id that an event of ours has if this is its name where it is published: some systems add their domain.
    #[must_use]
    pub fn published_of(&self) -> Option<Self> {
        Self::of_ours(self.0.split_once('@').map_or(self.0.as_str(), |(name, _)| name))
    }

    /// The id that is written so, if an event of ours may have it.
    #[must_use]
    pub fn of_ours(name: &str) -> Option<Self> {
        let may_be = name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        may_be.then(|| Self(name.to_owned()))
    }

    /// The object that this names an instance of, if it does.
    #[must_use]
    pub fn object(&self) -> Option<Self> {
        self.0.rsplit_once(INSTANCE).map(|(object, _)| Self(object.to_owned()))
    }

    /// Whether this is the object's id, or one of an instance of it.
    #[must_use]
    pub fn is_of(&self, object: &Self) -> bool {
        let rest = self.0.strip_prefix(&object.0);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(INSTANCE))
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An event in a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id there.
    pub id: EventId,
    /// What it says.
    pub title: String,
    /// When it is.
    pub span: Span,
    /// The private marker of our own events: the appointment it was written for.
    pub appointment: Option<AppointmentId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_ends_after_it_starts() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert!(Span::new(at(1), at(2)).is_some());
        assert!(Span::new(at(1), at(1)).is_none());
        assert!(Span::new(at(2), at(1)).is_none());
    }

    #[test]
    fn an_instance_belongs_to_its_own_object() {
        let object = EventId("a.ics".to_owned());
        assert!(object.is_of(&object) && object.instance(YEAR_ONE).is_of(&object));
        assert_eq!((object.instance(YEAR_ONE).object(), object.object()), (Some(object.clone()), None));
        assert!(!EventId("a.icse".to_owned()).is_of(&object));
        assert!(!object.is_of(&object.instance(YEAR_ONE)));
    }

    #[test]
    fn the_name_of_an_object_is_its_id_unless_it_is_too_long_or_looks_like_an_instance() {
        assert_eq!(EventId::of_object("a@example.com"), EventId("a@example.com".to_owned()));
        for name in ["x".repeat(2_000), "a#20260601T080000Z".to_owned()] {
            let id = EventId::of_object(&name);
            assert!(id.0.len() < 50 && id == EventId::of_object(&name), "{id}");
            assert!(!id.is_of(&EventId("a".to_owned())));
        }
    }

    #[test]
    fn our_event_is_known_by_its_published_name() {
        let own = EventId::hashed("ours");
        for name in [own.0.clone(), format!("{own}@google.com")] {
            assert_eq!(EventId(name).published_of(), Some(own.clone()));
        }
        for name in ["dentist@example.com".to_owned(), format!("x{own}"), own.0.to_uppercase()] {
            assert_eq!(EventId(name).published_of(), None);
        }
    }

    #[test]
    fn what_lies_before_the_year_1_is_cut_off() {
        let second = SignedDuration::from_secs(1);
        let ancient = Span::new(Timestamp::MIN, YEAR_ONE - second).unwrap();
        assert_eq!(ancient.from_year_one(), Span::new(YEAR_ONE, YEAR_ONE + second).unwrap());
        let across = Span::new(Timestamp::MIN, Timestamp::MAX).unwrap();
        assert_eq!(across.from_year_one(), Span::new(YEAR_ONE, Timestamp::MAX).unwrap());
    }

    #[test]
    fn a_part_has_one_id_that_no_other_part_has_and_that_google_takes() {
        let id = |calendar, appointment, employee, part| {
            let [calendar, appointment, employee] = [calendar, appointment, employee].map(Uuid::from_u128);
            EventId::of_part(CalendarId(calendar), AppointmentId(appointment), EmployeeId(employee), part)
        };
        let one = id(1, 2, 3, 0);
        assert_eq!(one, id(1, 2, 3, 0));
        let others = [id(9, 2, 3, 0), id(1, 9, 3, 0), id(1, 2, 9, 0), id(1, 2, 3, 1), id(2, 1, 3, 0)];
        assert!(!others.contains(&one));
        assert!(one.0.len() >= 5 && one.0.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'v')));
    }
}
