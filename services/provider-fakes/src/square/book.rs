//! The seller's own data.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Team members: id, given name, family name, and whether they are active.
pub(super) const TEAM: [(&str, &str, &str, bool); 3] =
    [("TM-MIA", "Mia", "Larsen", true), ("TM-TOM", "Tom", "Reed", true), ("TM-ANN", "Ann", "Gone", false)];
/// Variations of services: the item's name, the variation's id and name, its version and its minutes.
pub(super) const VARIATIONS: [(&str, &str, &str, i64, i64); 3] = [
    ("Cut", super::CUT, "Regular", 1_700_000_000_001, 30),
    ("Colour", "VARIATION-ROOTS", "Roots", 1_700_000_000_002, 60),
    ("Colour", "VARIATION-FULL", "Full", 1_700_000_000_003, 120),
];

/// A stretch of a booking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// How long it takes.
    pub duration_minutes: i64,
    /// What is done.
    pub service_variation_id: String,
    /// In which version.
    pub service_variation_version: i64,
    /// Who does it.
    pub team_member_id: String,
}

/// A booking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Booking {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: i64,
    /// `ACCEPTED` or `CANCELLED_BY_SELLER`.
    pub status: &'static str,
    /// When it starts.
    pub start_at: Timestamp,
    /// Where.
    pub location_id: String,
    /// What the seller notes.
    pub seller_note: String,
    /// What it is made of.
    pub appointment_segments: Vec<Segment>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// All bookings.
#[derive(Debug, Default)]
pub struct Book {
    pub(super) bookings: BTreeMap<String, Booking>,
    /// What was made with each idempotency key.
    pub(super) keys: BTreeMap<String, (Value, String)>,
    pub(super) changes: usize,
    pub(super) last: String,
}

impl Booking {
    /// Whether it was not cancelled.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.status == "ACCEPTED"
    }

    /// When it ends.
    #[must_use]
    pub fn ends(&self) -> Timestamp {
        let minutes: i64 = self.appointment_segments.iter().map(|segment| segment.duration_minutes).sum();
        self.start_at + SignedDuration::from_mins(minutes)
    }

    pub(super) fn json(&self) -> Value {
        json!(self)
    }
}

impl Book {
    /// The bookings that were not cancelled, by id.
    #[must_use]
    pub fn standing(&self) -> Vec<&Booking> {
        self.bookings.values().filter(|booking| booking.stands()).collect()
    }

    /// Makes one of half an hour with a team member, and says its id.
    pub fn enter(&mut self, member: &str, starts: Timestamp, now: Timestamp) -> String {
        let segment = Segment {
            duration_minutes: 30,
            service_variation_id: super::CUT.to_owned(),
            service_variation_version: VARIATIONS[0].3,
            team_member_id: member.to_owned(),
        };
        self.make(starts, String::new(), vec![segment], now)
    }

    pub(super) fn make(
        &mut self,
        start_at: Timestamp,
        seller_note: String,
        appointment_segments: Vec<Segment>,
        now: Timestamp,
    ) -> String {
        let id = format!("booking{:05}", self.bookings.len() + 1);
        let booking = Booking {
            id: id.clone(),
            version: 0,
            status: "ACCEPTED",
            start_at,
            location_id: super::LOCATION.to_owned(),
            seller_note,
            appointment_segments,
            created_at: now,
            updated_at: now,
        };
        self.bookings.insert(id.clone(), booking);
        self.changed(&id);
        id
    }

    /// Changes one; says whether it is there.
    pub fn change(&mut self, id: &str, now: Timestamp, change: impl FnOnce(&mut Booking)) -> bool {
        let Some(booking) = self.bookings.get_mut(id).filter(|booking| booking.stands()) else {
            return false;
        };
        change(booking);
        booking.version += 1;
        booking.updated_at = now;
        self.changed(id);
        true
    }

    /// Cancels one; says whether it was there.
    pub fn cancel(&mut self, id: &str, now: Timestamp) -> bool {
        self.change(id, now, |booking| booking.status = "CANCELLED_BY_SELLER")
    }

    fn changed(&mut self, id: &str) {
        self.changes += 1;
        id.clone_into(&mut self.last);
    }
}
