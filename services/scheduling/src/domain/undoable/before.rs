//! What a visit was before a change.

use engine::{
    appointment::Appointment,
    id::{EmployeeId, ResourceId, ServiceId, SubjectId},
    item::Wish,
    service::Price,
    span::Span,
    visit::{Occupied, PlacedItem},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

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

/// What was said of a visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescriptionBefore {
    notes: String,
    wishes: Vec<Wish>,
}

impl PlaceBefore {
    pub(super) fn of(visit: &Appointment, rows: &[Occupied]) -> Self {
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
    pub(super) fn of(visit: &Appointment) -> Self {
        let wishes = visit.items.iter().map(|item| item.wish).collect();
        Self { notes: visit.occasion.notes.clone(), wishes }
    }

    /// The visit, as it was described.
    #[must_use]
    pub fn restore(&self, visit: Appointment) -> Appointment {
        visit.described(&self.wishes).with_notes(Some(&self.notes))
    }
}
