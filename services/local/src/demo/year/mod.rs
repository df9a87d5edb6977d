//! A year of history for the demo salon, made from a seed: the same seed makes the same world.

mod agenda;
mod calls;
mod clientele;
mod dice;
mod fill;
mod ids;
mod script;
mod shelf;
mod visits;
mod wire;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use self::{
    calls::{Call, Subject},
    clientele::Client,
    shelf::Movement,
    visits::{Visit, Year},
};
use super::stock::GOODS;

pub use self::fill::{Filled, ahead, fill, open};

/// Which of its visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Days {
    /// Of the days before today, latest first.
    BeforeToday,
    /// Of today and later.
    FromToday,
}

/// The salon as it is at an instant.
#[derive(Debug)]
pub struct World {
    now: Timestamp,
    year: Year,
    clients: Vec<Client>,
    /// In the order in which customers had them in mind; also those that are booked later.
    visits: Vec<Visit>,
    calls: Vec<Call>,
    /// Which call is about what.
    calls_about: HashMap<Subject, usize>,
    /// By item.
    movements: Vec<Vec<Movement>>,
}

impl World {
    /// The salon whose demo was first started on `anchor`, at `now`.
    ///
    /// # Errors
    /// When the days lie outside the calendar.
    pub fn new(seed: u64, zone: TimeZone, anchor: Date, now: Timestamp) -> anyhow::Result<Self> {
        let today = zone.to_datetime(now).date();
        let year = Year::new(zone, anchor, today)?;
        let clients = clientele::clients(seed);
        let visits = visits::visits(seed, &year, &clients);
        let calls = calls::calls(seed, &year, &clients, &visits, now);
        let calls_about = calls.iter().enumerate().map(|(n, call)| (call.subject, n)).collect();
        let movements = GOODS.iter().map(|good| shelf::movements(seed, &year, good, now)).collect();
        Ok(Self { now, year, clients, visits, calls, calls_about, movements })
    }

    /// The visits that are booked by now, with their places.
    fn booked(&self) -> impl Iterator<Item = (usize, &Visit)> {
        self.visits.iter().enumerate().filter(|(_, visit)| visit.booked_at <= self.now)
    }
}
