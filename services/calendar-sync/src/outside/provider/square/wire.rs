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

/// A booking as an employee's; `None` for one without an id.
pub(super) fn their_appointment(wire: Value, employee: &str, now: Timestamp) -> Option<TheirAppointment> {
    let id = EventId(wire.get("id").and_then(Value::as_str)?.to_owned());
    let booking: Booking = match serde_json::from_value(wire) {
        Ok(booking) => booking,
        Err(error) => return Some(TheirAppointment::Unreadable { id, reason: error.to_string() }),
    };
    let changed_at = booking.updated_at.unwrap_or(now);
    if !booking.stands() || booking.is_of_others(employee) {
        return Some(TheirAppointment::Deleted { id, changed_at, changed_by: None });
    }
    Some(match booking.span_of(employee) {
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
    })
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
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::provider::LeftOut;

    #[test]
    fn a_booking_that_is_listed_under_an_employee_and_went_to_another_takes_none_of_their_time() {
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let booking = |members: &[&str]| {
            let segment = |member| json!({ "team_member_id": member, "duration_minutes": 30 });
            let segments: Vec<Value> = members.iter().map(segment).collect();
            json!({ "id": "B", "version": 0, "start_at": now, "appointment_segments": segments })
        };
        let read = |members: &[&str]| their_appointment(booking(members), "M", now).unwrap();
        assert!(matches!(read(&["T"]), TheirAppointment::Deleted { .. }));
        assert!(matches!(read(&["T", "M"]), TheirAppointment::Standing { .. }));
        assert!(matches!(read(&[]), TheirAppointment::Unreadable { .. }));
    }

    #[test]
    fn a_team_member_or_service_that_makes_no_sense_stops_no_other() {
        let members = json!([
            { "id": "M", "given_name": "Mia", "family_name": null },
            { "id": "T", "given_name": 7 },
            { "given_name": "Noah" },
            "Tom",
        ]);
        let read = members.as_array().unwrap().iter().map(team_member);
        let names: Vec<_> = read.map(|member| member.map(|named| named.name)).collect();
        let without_id = || Err(LeftOut::WithoutId);
        assert_eq!(names, [Ok("Mia".to_owned()), Ok("7".to_owned()), without_id(), without_id()]);

        let items = json!([
            { "item_data": { "name": "Cut", "variations": [{ "id": "C" }] } },
            { "item_data": { "name": "Colour", "variations": [
                { "id": "R", "item_variation_data": { "name": "Roots" } },
                { "item_variation_data": { "name": "Full" } },
            ] } },
            { "is_deleted": true, "item_data": { "name": "Perm", "variations": [{ "id": "P" }] } },
            { "item_data": null },
            7,
        ]);
        let read = items.as_array().unwrap().iter().flat_map(variations);
        let names: Vec<_> = read.map(|service| service.map(|named| named.name)).collect();
        assert_eq!(names, [Ok("Cut".to_owned()), Ok("Colour – Roots".to_owned()), without_id()]);
    }

    #[test]
    fn minutes_beyond_all_measure_make_one_booking_unreadable_and_a_free_start_a_day_at_most() {
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        for minutes in [i64::MAX, i64::MAX / 60, i64::MIN, -1] {
            for name in ["duration_minutes", "intermission_minutes"] {
                let lasting = json!({ "team_member_id": "M", (name): minutes });
                let booking = json!({
                    "id": "B",
                    "version": 0,
                    "start_at": now,
                    "appointment_segments": [lasting.clone(), lasting],
                });
                let read = their_appointment(booking.clone(), "M", now);
                let is_unreadable = matches!(read, Some(TheirAppointment::Unreadable { .. }));
                assert!(is_unreadable, "{name} {minutes}: {read:?}");
                let free: Availability = serde_json::from_value(booking).unwrap();
                let most = if minutes > 0 { DAY } else { 0 };
                assert_eq!(free.lasts(), SignedDuration::from_mins(most), "{name} {minutes}");
            }
        }
    }
}
