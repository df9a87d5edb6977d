//! The system's own data. Every change takes the next number, so that a reader at a number has missed nothing.

use std::collections::BTreeMap;

use jiff::{
    Timestamp,
    civil::{Date, Time, Weekday},
    tz::TimeZone,
};
use serde::{Deserialize, Serialize};

/// Who works there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Its id there.
    pub id: String,
    /// Their name.
    pub name: String,
}

/// What they do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Treatment {
    /// Its id there.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// An appointment as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Booking {
    /// Whose.
    pub employee_id: String,
    /// Of which service; none where it is not known there.
    #[serde(default)]
    pub service_id: Option<String>,
    /// What it says.
    pub title: String,
    /// When it starts.
    pub starts_at: Timestamp,
    /// When it ends.
    pub ends_at: Timestamp,
    /// What its sender knows it by.
    #[serde(default)]
    pub reference: Option<String>,
}

/// An appointment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Appointment {
    /// Its id there.
    pub id: String,
    /// What it is.
    #[serde(flatten)]
    pub booking: Booking,
    /// Its version.
    pub version: String,
    /// When it was changed.
    pub changed_at: Timestamp,
    /// By whom.
    pub changed_by: String,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The number of the change.
    pub change: u64,
}

/// The book.
#[derive(Debug, Clone)]
pub struct Book {
    /// Whose account it is.
    pub account: String,
    /// What opens it.
    pub token: String,
    /// Whose clock its days go by.
    pub zone: TimeZone,
    /// Who works there.
    pub people: Vec<Person>,
    /// What they do.
    pub treatments: Vec<Treatment>,
    appointments: BTreeMap<String, Appointment>,
    /// Those that went to another person, as deleted for the one before.
    left: Vec<Appointment>,
    change: u64,
    /// Readers from before are told to read anew.
    floor: u64,
}

/// Why a change was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unchanged {
    /// It has another version; the present one, if it is there.
    Version(Option<String>),
    /// It has an unknown employee, or ends before it starts.
    Invalid(&'static str),
}

/// Open from.
const OPENS: Time = Time::constant(9, 0, 0, 0);
/// Open until.
const CLOSES: Time = Time::constant(18, 0, 0, 0);

impl Book {
    /// A book without appointments.
    #[must_use]
    pub fn new(account: &str, token: &str, zone: TimeZone, people: &[&str], treatments: &[&str]) -> Self {
        let id = |kind: char, n: usize| format!("{kind}{}", n + 1);
        let person = |(n, name): (usize, &&str)| Person { id: id('P', n), name: (*name).to_owned() };
        let treatment = |(n, name): (usize, &&str)| Treatment { id: id('T', n), name: (*name).to_owned() };
        Self {
            account: account.to_owned(),
            token: token.to_owned(),
            zone,
            people: people.iter().enumerate().map(person).collect(),
            treatments: treatments.iter().enumerate().map(treatment).collect(),
            appointments: BTreeMap::new(),
            left: vec![],
            change: 0,
            floor: 0,
        }
    }

    /// The appointments that are there, by start.
    #[must_use]
    pub fn appointments(&self) -> Vec<&Appointment> {
        let mut there: Vec<&Appointment> =
            self.appointments.values().filter(|appointment| !appointment.deleted).collect();
        there.sort_by_key(|appointment| (appointment.booking.starts_at, appointment.id.clone()));
        there
    }

    /// Changes of a person's appointments, or of everyone's, after a number, at most `limit`; `None` when that is not
    /// known.
    #[must_use]
    pub fn changes(
        &self,
        person: Option<&str>,
        after: Option<u64>,
        limit: usize,
    ) -> Option<(Vec<&Appointment>, u64, bool)> {
        if after.is_some_and(|after| after < self.floor || after > self.change) {
            return None;
        }
        let mut found: Vec<&Appointment> = self
            .appointments
            .values()
            .chain(&self.left)
            .filter(|appointment| person.is_none_or(|person| appointment.booking.employee_id == person))
            .filter(|appointment| after.map_or(!appointment.deleted, |after| appointment.change > after))
            .collect();
        found.sort_by_key(|appointment| appointment.change);
        // One change may take from a person and give to another: a page ends with both.
        let follows =
            |n: &usize| found.get(*n).is_none_or(|next| *n == 0 || next.change > found[n - 1].change);
        let limit = (limit..).find(follows).unwrap_or(limit);
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().map_or(self.change, |last| last.change);
        Some((found, if more { last } else { self.change }, more))
    }

    /// The version of an appointment that is there.
    #[must_use]
    pub fn version(&self, id: &str) -> Option<&str> {
        let there = self.appointments.get(id).filter(|appointment| !appointment.deleted);
        there.map(|appointment| appointment.version.as_str())
    }

    /// Puts an appointment where its version is the expected one; `None` expects that there is none.
    ///
    /// # Errors
    /// [`Unchanged`].
    pub fn put(
        &mut self,
        id: &str,
        booking: Booking,
        expected: Option<&str>,
        by: &str,
        now: Timestamp,
    ) -> Result<&Appointment, Unchanged> {
        if !self.people.iter().any(|person| person.id == booking.employee_id) {
            return Err(Unchanged::Invalid("employeeId is not an employee here"));
        }
        if booking.ends_at <= booking.starts_at {
            return Err(Unchanged::Invalid("endsAt is not after startsAt"));
        }
        if self.version(id) != expected {
            return Err(Unchanged::Version(self.version(id).map(str::to_owned)));
        }
        self.change += 1;
        let before = self.appointments.get(id);
        if let Some(before) = before.filter(|before| before.booking.employee_id != booking.employee_id) {
            let mut left = before.clone();
            // One deleted before it went on has its own time of that, which the person may not have read yet.
            if !left.deleted {
                left.deleted = true;
                left.change = self.change;
                left.changed_at = now;
                by.clone_into(&mut left.changed_by);
            }
            self.left.push(left);
        }
        let appointment = Appointment {
            id: id.to_owned(),
            booking,
            version: self.change.to_string(),
            changed_at: now,
            changed_by: by.to_owned(),
            deleted: false,
            change: self.change,
        };
        self.appointments.insert(id.to_owned(), appointment);
        Ok(&self.appointments[id])
    }

    /// Deletes an appointment where its version is the expected one.
    ///
    /// # Errors
    /// [`Unchanged`].
    pub fn delete(&mut self, id: &str, expected: &str, by: &str, now: Timestamp) -> Result<(), Unchanged> {
        if self.version(id) != Some(expected) {
            return Err(Unchanged::Version(self.version(id).map(str::to_owned)));
        }
        self.change += 1;
        if let Some(appointment) = self.appointments.get_mut(id) {
            appointment.deleted = true;
            appointment.change = self.change;
            appointment.version = self.change.to_string();
            appointment.changed_at = now;
            appointment.changed_by = by.to_owned();
        }
        Ok(())
    }

    /// Adds an appointment that ends before it starts, as software that is wrong does.
    pub fn garble(&mut self, id: &str, person: &str, now: Timestamp) {
        self.change += 1;
        let booking = Booking {
            employee_id: person.to_owned(),
            service_id: None,
            title: "Backwards".to_owned(),
            starts_at: now,
            ends_at: now - jiff::SignedDuration::from_hours(1),
            reference: None,
        };
        let appointment = Appointment {
            id: id.to_owned(),
            booking,
            version: self.change.to_string(),
            changed_at: now,
            changed_by: "a fault".to_owned(),
            deleted: false,
            change: self.change,
        };
        self.appointments.insert(id.to_owned(), appointment);
    }

    /// Forgets deletions: readers read anew.
    pub fn forget(&mut self) {
        self.appointments.retain(|_, appointment| !appointment.deleted);
        self.left.clear();
        self.change += 1;
        self.floor = self.change;
    }

    /// Minutes of a day at which a person is free: from, to.
    #[must_use]
    pub fn free(&self, person: &str, date: Date) -> Vec<(u32, u32)> {
        if date.weekday() == Weekday::Sunday || !self.people.iter().any(|known| known.id == person) {
            return vec![];
        }
        let minute =
            |time: Time| u32::from(time.hour().unsigned_abs()) * 60 + u32::from(time.minute().unsigned_abs());
        let taken = |appointment: &&Appointment| {
            let [from, to] = [appointment.booking.starts_at, appointment.booking.ends_at]
                .map(|at| self.zone.to_datetime(at));
            let from = if from.date() < date { 0 } else { minute(from.time()) };
            let whole = appointment.booking.ends_at.as_second() % 60 == 0;
            let to = if to.date() > date { 1440 } else { minute(to.time()) + u32::from(!whole) };
            (from, to)
        };
        let of_day = |appointment: &&&Appointment| {
            let [from, to] = [appointment.booking.starts_at, appointment.booking.ends_at]
                .map(|at| self.zone.to_datetime(at).date());
            appointment.booking.employee_id == person && from <= date && to >= date
        };
        let all = self.appointments();
        let mut taken: Vec<(u32, u32)> = all.iter().filter(of_day).map(taken).collect();
        taken.sort_unstable();
        let (mut free, mut from) = (vec![], minute(OPENS));
        for (begins, ends) in taken {
            if begins > from {
                free.push((from, begins.min(minute(CLOSES))));
            }
            from = from.max(ends);
        }
        if from < minute(CLOSES) {
            free.push((from, minute(CLOSES)));
        }
        free.retain(|(from, to)| from < to);
        free
    }
}

#[cfg(test)]
mod tests;
