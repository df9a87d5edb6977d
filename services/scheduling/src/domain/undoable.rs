//! What a change of several records found, kept so that it can be taken back.

use engine::{
    appointment::Appointment,
    id::{EmployeeId, ResourceId, ServiceId, SubjectId},
    item::Wish,
    span::Span,
    visit::{Occupied, PlacedItem},
    waitlist::Entry,
};
use jiff::{SignedDuration, Timestamp};
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
    /// A proposal.
    pub proposal: Option<ProposalChange>,
    /// Time off.
    pub time_off: Option<TimeOffChange>,
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
    /// Somewhere else.
    At(PlaceBefore),
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

/// A waitlist entry that ended with a visit.
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

    /// A visit that is about to leave where it is, where it takes `rows`.
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
        if let (Some(occurrence), Some(planned_at)) = (&mut occasion.occurrence, self.planned_at) {
            occurrence.planned_at = planned_at;
        }
        Appointment {
            occasion,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            squeezed_in: self.squeezed_in,
            items: self.items.iter().map(item).collect(),
            version: visit.version + 1,
            ..visit
        }
    }
}

impl EntryChange {
    /// An entry that has ended.
    #[must_use]
    pub fn of(ended: &Entry) -> Self {
        Self { entry: ended.id.0, version: ended.version }
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
