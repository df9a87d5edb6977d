//! What Square answers.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    domain::{
        event::{Event, EventId, Span},
        mark::{mark_of, title_of},
        provider::Named,
    },
    outside::provider::TheirAppointment,
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
    #[serde(default)]
    pub(super) team_members: Vec<TeamMember>,
    pub(super) cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TeamMember {
    id: String,
    #[serde(default)]
    given_name: String,
    #[serde(default)]
    family_name: String,
}

impl From<TeamMember> for Named<String> {
    fn from(member: TeamMember) -> Self {
        let name = format!("{} {}", member.given_name, member.family_name);
        Self { id: member.id, name: name.trim().to_owned() }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Items {
    #[serde(default)]
    pub(super) items: Vec<Item>,
    pub(super) cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Item {
    #[serde(default)]
    is_deleted: bool,
    item_data: ItemData,
}

#[derive(Debug, Deserialize)]
struct ItemData {
    #[serde(default)]
    name: String,
    #[serde(default)]
    variations: Vec<Variation>,
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
    #[serde(default)]
    item_variation_data: VariationData,
}

#[derive(Debug, Default, Deserialize)]
struct VariationData {
    #[serde(default)]
    name: String,
}

/// An item's variations, which are what is booked: under the item's name, where there is one alone.
pub(super) fn variations(item: Item) -> Vec<Named<String>> {
    if item.is_deleted {
        return vec![];
    }
    let ItemData { name, variations } = item.item_data;
    let is_alone = variations.len() == 1;
    let named = variations.into_iter().map(|Variation { id, item_variation_data, .. }| Named {
        id,
        name: if is_alone { name.clone() } else { format!("{name} – {}", item_variation_data.name) },
    });
    named.collect()
}

#[derive(Debug, Deserialize)]
pub(super) struct Bookings {
    /// Read one by one: one that makes no sense does not stop the others.
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
mod tests {
    use serde_json::json;

    use super::*;

    /// A booking as an employee's for whom alone it is listed.
    fn alone(booking: Value, employee: &str, now: Timestamp) -> TheirAppointment {
        of_each(vec![booking], &[employee], now).remove(0).remove(0)
    }

    #[test]
    fn a_booking_that_is_listed_under_an_employee_and_went_to_another_takes_none_of_their_time() {
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let booking = |members: &[&str]| {
            let segment = |member| json!({ "team_member_id": member, "duration_minutes": 30 });
            let segments: Vec<Value> = members.iter().map(segment).collect();
            json!({ "id": "B", "version": 0, "start_at": now, "appointment_segments": segments })
        };
        let read = |members: &[&str]| alone(booking(members), "M", now);
        assert!(matches!(read(&["T"]), TheirAppointment::Deleted { .. }));
        assert!(matches!(read(&["T", "M"]), TheirAppointment::Standing { .. }));
        assert!(matches!(read(&[]), TheirAppointment::Unreadable { .. }));
    }

    #[test]
    fn of_all_bookings_each_employee_has_their_own_and_what_may_be_anyones() {
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let segment = |member: &str| json!({ "team_member_id": member, "duration_minutes": 30 });
        let booking = |id: &str, segments: Value| json!({ "id": id, "version": 0, "start_at": now, "appointment_segments": segments });
        let garbled = |id: &str, segments: Value| json!({ "id": id, "start_at": "soon", "appointment_segments": segments });
        let listed = vec![
            booking("mias", json!([segment("M")])),
            booking("toms", json!([segment("T")])),
            booking("both", json!([segment("M"), segment("T")])),
            garbled("toms-garbled", json!([segment("T")])),
            garbled("garbled", json!([{ "duration_minutes": 30 }])),
            booking("no-segments", json!([])),
        ];
        let found = of_each(listed, &["M", "T", "A"], now);
        let ids = |n: usize| found[n].iter().map(|their| their.id().0.as_str()).collect::<Vec<_>>();
        assert_eq!(ids(0), ["mias", "both", "garbled", "no-segments"]);
        assert_eq!(ids(1), ["toms", "both", "toms-garbled", "garbled", "no-segments"]);
        assert_eq!(ids(2), ["garbled", "no-segments"]);
        let is_unreadable = |their: &TheirAppointment| matches!(their, TheirAppointment::Unreadable { .. });
        assert!(found[2].iter().all(is_unreadable));
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
                let read = alone(booking.clone(), "M", now);
                let is_unreadable = matches!(read, TheirAppointment::Unreadable { .. });
                assert!(is_unreadable, "{name} {minutes}: {read:?}");
                let free: Availability = serde_json::from_value(booking).unwrap();
                let most = if minutes > 0 { DAY } else { 0 };
                assert_eq!(free.lasts(), SignedDuration::from_mins(most), "{name} {minutes}");
            }
        }
    }
}
