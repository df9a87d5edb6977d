//! The branch's own data.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

/// Employees: id, first name, last name, and whether they left.
pub(super) const STAFF: [(&str, &str, &str, bool); 3] = [
    ("staff-mia", "Mia", "Larsen", false),
    ("staff-tom", "Tom", "Reed", false),
    ("staff-ann", "Ann", "Gone", true),
];
/// Services: id and name.
pub(super) const SERVICES: [(&str, &str); 2] = [("service-cut", "Cut"), ("service-colour", "Full colour")];

/// What is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Whose.
    pub staff: String,
    /// Of which service.
    pub service: String,
    /// When it starts.
    pub starts: Timestamp,
    /// When it ends.
    pub ends: Timestamp,
    /// What is noted.
    pub note: String,
}

/// An appointment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointment {
    /// Its id.
    pub id: String,
    /// What it is.
    pub entry: Entry,
    /// Its version.
    pub version: i64,
    /// `ACTIVE` or `CANCELED`.
    pub activation: &'static str,
    /// Whether it was deleted.
    pub deleted: bool,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// All appointments.
#[derive(Debug, Default)]
pub struct Book {
    pub(super) appointments: BTreeMap<String, Appointment>,
    entered: usize,
}

impl Appointment {
    /// Whether it is neither cancelled nor deleted.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.activation == "ACTIVE" && !self.deleted
    }

    /// As the API gives it: its day, and times of that day, in UTC.
    pub(super) fn json(&self, with_notes: bool) -> Value {
        let (starts, ends) =
            (TimeZone::UTC.to_datetime(self.entry.starts), TimeZone::UTC.to_datetime(self.entry.ends));
        let service = SERVICES.iter().find(|(id, _)| *id == self.entry.service).map_or("", |(_, name)| name);
        let mut json = json!({
            "appointmentId": self.id,
            "version": self.version,
            "appointmentDate": starts.date().to_string(),
            "startTime": starts.strftime("%H:%M:%S.000").to_string(),
            "endTime": ends.strftime("%H:%M:%S.000").to_string(),
            "staffId": self.entry.staff,
            "serviceId": self.entry.service,
            "serviceName": service,
            "clientId": super::CLIENT,
            "state": "BOOKED",
            "activationState": self.activation,
            "deleted": self.deleted,
            "createdAt": self.updated_at,
            "updatedAt": self.updated_at,
        });
        if with_notes {
            json["notes"] = Value::from(self.entry.note.clone());
        }
        json
    }
}

impl Book {
    /// The appointments that are there, by id.
    #[must_use]
    pub fn standing(&self) -> Vec<&Appointment> {
        self.appointments.values().filter(|appointment| appointment.stands()).collect()
    }

    /// Enters one, and says its id.
    pub fn enter(&mut self, entry: Entry, now: Timestamp) -> String {
        self.entered += 1;
        let id = format!("appointment-{:05}", self.entered);
        let appointment = Appointment {
            id: id.clone(),
            entry,
            version: 1,
            activation: "ACTIVE",
            deleted: false,
            updated_at: now,
        };
        self.appointments.insert(id.clone(), appointment);
        id
    }

    /// Enters one under an id that one which was deleted had.
    pub fn enter_again(&mut self, id: &str, entry: Entry, now: Timestamp) {
        if let Some(appointment) = self.appointments.get_mut(id).filter(|found| !found.stands()) {
            appointment.version += 1;
            (appointment.entry, appointment.updated_at) = (entry, now);
            (appointment.activation, appointment.deleted) = ("ACTIVE", false);
        }
    }

    /// Changes one; says whether it is there.
    pub fn change(&mut self, id: &str, now: Timestamp, change: impl FnOnce(&mut Appointment)) -> bool {
        let Some(appointment) = self.appointments.get_mut(id).filter(|found| found.stands()) else {
            return false;
        };
        change(appointment);
        appointment.version += 1;
        appointment.updated_at = now;
        true
    }
}
