//! What Square answers.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    domain::{
        event::{Event, EventId, Span},
        mark::{mark_of, title_of},
        profile::{records, text_at},
        provider::listed,
    },
    outside::provider::{ListedRecord, TheirAppointment},
};

/// Minutes of a day.
const DAY: i64 = 1_440;

#[derive(Debug, Deserialize)]
pub(super) struct LocationAnswer {
    pub(super) location: Location,
}

#[derive(Debug, Deserialize)]
pub(super) struct Location {
    #[serde(default)]
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct TeamMembers {
    /// Read one by one, as items and bookings are: one that makes no sense does not stop the others.
    #[serde(default)]
    pub(super) team_members: Vec<Value>,
    pub(super) cursor: Option<String>,
}

pub(super) fn team_member(wire: &Value) -> ListedRecord {
    let name = |pointer| text_at(wire, pointer).unwrap_or_default();
    listed(text_at(wire, "/id"), &format!("{} {}", name("/given_name"), name("/family_name")))
}

#[derive(Debug, Deserialize)]
pub(super) struct Items {
    #[serde(default)]
    pub(super) items: Vec<Value>,
    pub(super) cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CatalogObject {
    pub(super) object: Variation,
}

#[derive(Debug, Deserialize)]
pub(super) struct Variation {
    pub(super) id: String,
    #[serde(default)]
    pub(super) version: i64,
}

/// An item's variations, which are what is booked: under the item's name, where there is one alone.
pub(super) fn variations(item: &Value) -> Vec<ListedRecord> {
    if item["is_deleted"] == true {
        return vec![];
    }
    let name = text_at(item, "/item_data/name").unwrap_or_default();
    let variations = records(item, "/item_data/variations");
    let named = variations.iter().map(|variation| {
        let own = text_at(variation, "/item_variation_data/name").unwrap_or_default();
        let name = if variations.len() == 1 { name.clone() } else { format!("{name} – {own}") };
        listed(text_at(variation, "/id"), &name)
    });
    named.collect()
}

#[derive(Debug, Deserialize)]
pub(super) struct Bookings {
    #[serde(default)]
    pub(super) bookings: Vec<Value>,
    pub(super) cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BookingAnswer {
    pub(super) booking: Booking,
}

#[derive(Debug, Deserialize)]
pub(super) struct Booking {
    pub(super) id: String,
    pub(super) version: i64,
    #[serde(default)]
    status: String,
    start_at: Timestamp,
    updated_at: Option<Timestamp>,
    #[serde(default)]
    seller_note: String,
    #[serde(default)]
    appointment_segments: Vec<Segment>,
}

#[derive(Debug, Deserialize)]
struct Segment {
    #[serde(default)]
    duration_minutes: i64,
    #[serde(default)]
    intermission_minutes: i64,
    #[serde(default)]
    team_member_id: String,
}

impl Booking {
    /// Whether it was neither cancelled nor declined.
    pub(super) fn stands(&self) -> bool {
        !matches!(self.status.as_str(), "CANCELLED_BY_CUSTOMER" | "CANCELLED_BY_SELLER" | "DECLINED")
    }

    /// Whether all of it is done by others than an employee: Square may still list one under them that went to another.
    fn is_of_others(&self, employee: &str) -> bool {
        let mut segments = self.appointment_segments.iter();
        !self.appointment_segments.is_empty() && segments.all(|segment| segment.team_member_id != employee)
    }

    /// From an employee's first segment to the end of the last; breaks between segments take no employee's time.
    fn span_of(&self, employee: &str) -> Option<Span> {
        let (mut at, mut span): (Timestamp, Option<Span>) = (self.start_at, None);
        for segment in &self.appointment_segments {
            let ends = at.checked_add(SignedDuration::try_from_mins(segment.duration_minutes)?).ok()?;
            if let Some(own) = Span::new(at, ends).filter(|_| segment.team_member_id == employee) {
                span = Some(span.map_or(own, |before| before.with(own)));
            }
            at = ends.checked_add(SignedDuration::try_from_mins(segment.intermission_minutes)?).ok()?;
        }
        span
    }
}

/// A booking as it is listed.
enum Listed {
    /// One that makes sense.
    Booking(Booking),
    /// One that makes none.
    Unreadable {
        id: EventId,
        reason: String,
        /// Whose it is; `None` where it does not say so.
        members: Option<Vec<String>>,
    },
}

/// What each employee has of the bookings. One employee's are listed for them alone; with several, all are listed, and
/// a booking that can't be read and does not say whose it is may be anyone's.
pub(super) fn of_each(
    bookings: Vec<Value>,
    employees: &[&str],
    now: Timestamp,
) -> Vec<Vec<TheirAppointment>> {
    let listed: Vec<Listed> = bookings.into_iter().filter_map(Listed::read).collect();
    let of = |employee: &&str| {
        let own = listed.iter().filter(|listed| employees.len() == 1 || listed.may_be_of(employee));
        own.map(|listed| listed.as_of(employee, now)).collect()
    };
    employees.iter().map(of).collect()
}

impl Listed {
    /// `None` for one without an id.
    fn read(wire: Value) -> Option<Self> {
        let id = EventId(wire.get("id").and_then(Value::as_str)?.to_owned());
        let members = members(&wire);
        Some(match serde_json::from_value(wire) {
            Ok(booking) => Self::Booking(booking),
            Err(error) => Self::Unreadable { id, reason: error.to_string(), members },
        })
    }

    fn may_be_of(&self, employee: &str) -> bool {
        match self {
            Self::Booking(booking) => !booking.is_of_others(employee),
            Self::Unreadable { members, .. } => {
                members.as_ref().is_none_or(|members| members.iter().any(|member| member == employee))
            }
        }
    }

    fn as_of(&self, employee: &str, now: Timestamp) -> TheirAppointment {
        match self {
            Self::Booking(booking) => their_appointment(booking, employee, now),
            Self::Unreadable { id, reason, .. } => {
                TheirAppointment::Unreadable { id: id.clone(), reason: reason.clone() }
            }
        }
    }
}

/// Whose a booking is, where each of its segments says so.
fn members(wire: &Value) -> Option<Vec<String>> {
    let segments = wire.get("appointment_segments")?.as_array().filter(|segments| !segments.is_empty())?;
    let member = |segment: &Value| Some(segment.get("team_member_id")?.as_str()?.to_owned());
    segments.iter().map(member).collect()
}

/// A booking as an employee's.
fn their_appointment(booking: &Booking, employee: &str, now: Timestamp) -> TheirAppointment {
    let id = EventId(booking.id.clone());
    let changed_at = booking.updated_at.unwrap_or(now);
    if !booking.stands() || booking.is_of_others(employee) {
        return TheirAppointment::Deleted { id, changed_at, changed_by: None };
    }
    match booking.span_of(employee) {
        None => TheirAppointment::Unreadable { id, reason: "takes none of the employee's time".to_owned() },
        Some(span) => {
            let (ours, appointment) = mark_of(&booking.seller_note).unzip();
            let title = if ours.is_some() { title_of(&booking.seller_note) } else { "Square booking" };
            let title = title.to_owned();
            TheirAppointment::Standing {
                event: Event { id, title, span, appointment },
                ours,
                changed_at,
                changed_by: None,
            }
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Availabilities {
    #[serde(default)]
    pub(super) availabilities: Vec<Availability>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Availability {
    pub(super) start_at: Timestamp,
    #[serde(default)]
    appointment_segments: Vec<Segment>,
}

impl Availability {
    /// How long what is booked there takes: a day at most.
    pub(super) fn lasts(&self) -> SignedDuration {
        let minutes = self.appointment_segments.iter().fold(0_i64, |sum, segment| {
            sum.saturating_add(segment.duration_minutes).saturating_add(segment.intermission_minutes)
        });
        SignedDuration::from_mins(minutes.clamp(0, DAY))
    }
}

#[cfg(test)]
mod tests;
