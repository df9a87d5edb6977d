//! What a change of several records found, kept so that it can be taken back.

use engine::{
    appointment::Appointment,
    hours::{DayHours, WeeklyPattern},
    id::{EmployeeId, ResourceId, ServiceId, SubjectId},
    item::Wish,
    service::Price,
    span::Span,
    visit::{Occupied, PlacedItem},
    waitlist::Entry,
    working::OpeningException,
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::time_off::TimeOff;

/// For how long a change can be taken back.
pub const UNDOABLE_FOR: SignedDuration = SignedDuration::from_mins(10);

/// What was changed at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Undoable {
    /// Visits.
    pub visits: Vec<VisitChange>,
    /// Waitlist entries that ended with a visit.
    pub entries: Vec<EntryChange>,
    /// Waitlist entries that were added.
    #[serde(default)]
    pub joined: Vec<EntryChange>,
    /// A proposal.
    pub proposal: Option<ProposalChange>,
    /// Time off.
    pub time_off: Option<TimeOffChange>,
    /// When the salon is open, or an employee works.
    #[serde(default)]
    pub working_time: Option<WorkingTimeChange>,
}

/// Hours or a closure that were changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkingTimeChange {
    /// What they were.
    pub before: WorkingTime,
    /// What they became.
    pub after: WorkingTime,
}

/// What one record of the working time says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkingTime {
    /// The salon's IANA zone and its week; `None` before it had any.
    Opening(Option<(String, WeeklyPattern)>),
    /// Dates with other opening hours; `None` where there are none.
    Exception(Uuid, Option<OpeningException>),
    /// An employee's week from a date on; `None` where there is none.
    Week(Uuid, Option<Date>, Option<WeeklyPattern>),
    /// An employee's hours on a date; `None` where the week counts.
    Day(Uuid, Date, Option<DayHours>),
}

/// A visit that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitChange {
    /// Which.
    pub visit: Uuid,
    /// Its version after the change.
    pub version: i64,
    /// What it was.
    pub before: Before,
}

/// What a visit was before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Before {
    /// Not booked.
    Unbooked,
    /// Not cancelled.
    Standing,
    /// Somewhere else, or something else.
    At(PlaceBefore),
    /// Where it is, with other notes and wishes.
    Described(DescriptionBefore),
}

/// What was said of a visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescriptionBefore {
    notes: String,
    wishes: Vec<Wish>,
}

/// Where a visit was, and what it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceBefore {
    starts_at: Timestamp,
    ends_at: Timestamp,
    squeezed_in: bool,
    planned_at: Option<Timestamp>,
    items: Vec<ItemBefore>,
    rows: Vec<RowBefore>,
    /// None of changes that were kept before services could change.
    #[serde(default)]
    price_minor: Option<i32>,
    #[serde(default)]
    notes: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ItemBefore {
    guest: u8,
    service: Uuid,
    employee: Uuid,
    starts_at: Timestamp,
    ends_at: Timestamp,
    resources: Vec<Uuid>,
    price_minor: i32,
    extra_minutes: i16,
    #[serde(default)]
    wish: Wish,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct RowBefore {
    subject: Uuid,
    during: (Timestamp, Timestamp),
    service: (Timestamp, Timestamp),
}

/// A waitlist entry that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryChange {
    /// Which.
    pub entry: Uuid,
    /// Its version after the change.
    pub version: i64,
}

/// A proposal that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalChange {
    /// Which.
    pub id: Uuid,
    /// How.
    pub act: ProposalAct,
}

/// What was done with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProposalAct {
    /// It was made.
    Added,
    /// These lines of it were applied.
    Applied(Vec<Uuid>),
    /// It was put aside, at this version.
    Dismissed(i64),
}

/// Time off that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeOffChange {
    /// Which.
    pub id: Uuid,
    /// Its version after the change.
    pub version: i64,
    /// Whether it was reported, not decided on.
    pub reported: bool,
}

impl VisitChange {
    /// A visit that is now booked.
    #[must_use]
    pub fn booked(booked: &Appointment) -> Self {
        Self { visit: booked.id.0, version: booked.version, before: Before::Unbooked }
    }

    /// A visit that is now cancelled.
    #[must_use]
    pub fn cancelled(cancelled: &Appointment) -> Self {
        Self { visit: cancelled.id.0, version: cancelled.version, before: Before::Standing }
    }

    /// A visit about which something else is about to be said.
    #[must_use]
    pub fn described(visit: &Appointment) -> Self {
        let wishes = visit.items.iter().map(|item| item.wish).collect();
        let before = DescriptionBefore { notes: visit.occasion.notes.clone(), wishes };
        Self { visit: visit.id.0, version: visit.version + 1, before: Before::Described(before) }
    }

    /// A visit that is about to leave where or what it is, where it takes `rows`.
    #[must_use]
    pub fn moved(visit: &Appointment, rows: &[Occupied]) -> Self {
        let place = PlaceBefore::of(visit, rows);
        Self { visit: visit.id.0, version: visit.version + 1, before: Before::At(place) }
    }
}

impl PlaceBefore {
    fn of(visit: &Appointment, rows: &[Occupied]) -> Self {
        let bounds = |span: Span| (span.starts_at(), span.ends_at());
        let row = |row: &Occupied| RowBefore {
            subject: row.subject.0,
            during: bounds(row.during),
            service: bounds(row.service),
        };
        let item = |item: &PlacedItem| ItemBefore {
            guest: item.guest,
            service: item.service.0,
            employee: item.employee.0,
            starts_at: item.starts_at,
            ends_at: item.ends_at,
            resources: item.resources.iter().map(|resource| resource.0).collect(),
            price_minor: item.price_minor,
            extra_minutes: item.extra_minutes,
            wish: item.wish,
        };
        Self {
            starts_at: visit.starts_at,
            ends_at: visit.ends_at,
            squeezed_in: visit.squeezed_in,
            planned_at: visit.occasion.occurrence.map(|occurrence| occurrence.planned_at),
            items: visit.items.iter().map(item).collect(),
            rows: rows.iter().map(row).collect(),
            price_minor: Some(visit.price.minor),
            notes: Some(visit.occasion.notes.clone()),
        }
    }

    /// What the visit took; `None` if what was kept is malformed.
    #[must_use]
    pub fn rows(&self) -> Option<Vec<Occupied>> {
        let row = |row: &RowBefore| {
            let span = |(from, to)| Span::new(from, to);
            Some(Occupied {
                subject: SubjectId(row.subject),
                during: span(row.during)?,
                service: span(row.service)?,
            })
        };
        self.rows.iter().map(row).collect()
    }

    /// The visit, back here.
    #[must_use]
    pub fn restore(&self, visit: Appointment) -> Appointment {
        let item = |item: &ItemBefore| PlacedItem {
            guest: item.guest,
            service: ServiceId(item.service),
            employee: EmployeeId(item.employee),
            starts_at: item.starts_at,
            ends_at: item.ends_at,
            resources: item.resources.iter().copied().map(ResourceId).collect(),
            price_minor: item.price_minor,
            extra_minutes: item.extra_minutes,
            wish: item.wish,
        };
        let mut occasion = visit.occasion;
        if let Some(notes) = &self.notes {
            occasion.notes.clone_from(notes);
        }
        let minor = self.price_minor.unwrap_or(visit.price.minor);
        if let (Some(occurrence), Some(planned_at)) = (&mut occasion.occurrence, self.planned_at) {
            occurrence.planned_at = planned_at;
        }
        Appointment {
            occasion,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            squeezed_in: self.squeezed_in,
            items: self.items.iter().map(item).collect(),
            price: Price { minor, ..visit.price },
            version: visit.version + 1,
            ..visit
        }
    }
}

impl DescriptionBefore {
    /// The visit, as it was described.
    #[must_use]
    pub fn restore(&self, visit: Appointment) -> Appointment {
        visit.described(&self.wishes).with_notes(Some(&self.notes))
    }
}

impl EntryChange {
    /// An entry as it is after the change.
    #[must_use]
    pub fn of(changed: &Entry) -> Self {
        Self { entry: changed.id.0, version: changed.version }
    }
}

impl TimeOffChange {
    /// Time off that was decided on.
    #[must_use]
    pub fn decided(time_off: &TimeOff) -> Self {
        Self { id: time_off.id.0, version: time_off.version, reported: false }
    }

    /// Time off that counts since it was reported.
    #[must_use]
    pub fn reported(time_off: &TimeOff) -> Self {
        Self { reported: true, ..Self::decided(time_off) }
    }
}
