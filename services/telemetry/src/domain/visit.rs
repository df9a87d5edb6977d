//! The visits that were booked in a call, as scheduling's log tells of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{AppointmentId, ServiceId};

/// Visits kept of a call: more no caller books.
const MOST_VISITS: usize = 50;

/// A visit as it was last told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Grows with each change.
    pub version: i64,
    /// What it was booked for, in minor units of `currency`.
    pub price: i64,
    /// ISO 4217.
    pub currency: String,
    /// Its services.
    pub services: BTreeSet<ServiceId>,
    /// It was cancelled.
    pub cancelled: bool,
}

/// Visits by their appointments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Visits(BTreeMap<AppointmentId, Visit>);

impl Visits {
    /// With what is told of a visit, unless more was known already.
    #[must_use]
    pub fn with(mut self, id: AppointmentId, told: Visit) -> Self {
        match self.0.get(&id) {
            Some(known) if known.version >= told.version => {}
            None if self.0.len() >= MOST_VISITS => {}
            Some(_) | None => drop(self.0.insert(id, told)),
        }
        self
    }

    /// The services of all of them.
    #[must_use]
    pub fn services(&self) -> BTreeSet<ServiceId> {
        self.0.values().flat_map(|visit| visit.services.iter().copied()).collect()
    }

    /// What those were booked for that are not cancelled, by currency.
    #[must_use]
    pub fn value(&self) -> BTreeMap<String, i64> {
        let mut value = BTreeMap::new();
        for visit in self.0.values().filter(|visit| !visit.cancelled && !visit.currency.is_empty()) {
            *value.entry(visit.currency.clone()).or_default() += visit.price;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn visit(version: i64, price: i64, currency: &str, cancelled: bool) -> Visit {
        let services = BTreeSet::from([ServiceId(Uuid::from_u128(7))]);
        Visit { version, price, currency: currency.to_owned(), services, cancelled }
    }

    #[test]
    fn the_latest_version_counts_whichever_comes_first() {
        let id = AppointmentId(Uuid::from_u128(1));
        let (booked, cancelled) = (visit(1, 4500, "GBP", false), visit(2, 4500, "GBP", true));
        let one = Visits::default().with(id, booked.clone()).with(id, cancelled.clone());
        let other = Visits::default().with(id, cancelled).with(id, booked);
        assert_eq!(one, other);
        assert_eq!((one.value(), one.services().len()), (BTreeMap::new(), 1));
    }

    #[test]
    fn currencies_are_never_added() {
        let of = |n: u128| AppointmentId(Uuid::from_u128(n));
        let visits = Visits::default()
            .with(of(1), visit(1, 4500, "GBP", false))
            .with(of(2), visit(1, 500, "GBP", false))
            .with(of(3), visit(1, 900, "EUR", false));
        assert_eq!(visits.value(), BTreeMap::from([("EUR".to_owned(), 900), ("GBP".to_owned(), 5000)]));
        let kept = serde_json::to_value(&visits).unwrap();
        assert_eq!(serde_json::from_value::<Visits>(kept).unwrap(), visits);
    }
}
