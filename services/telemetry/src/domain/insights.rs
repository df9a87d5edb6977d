//! Figures of a span of dates, from what quarters of an hour and days add up to.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{
    ServiceId,
    counted::{Kind, Part, Tally},
    latency::Latencies,
    missed::Missed,
    outcome::Outcome,
    span::{Dates, Hour},
};

/// Services that an answer names.
const MOST_SERVICES: usize = 100;

/// The figures of a span.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// All calls together.
    pub all: Part,
    /// What is counted by key.
    pub keyed: Keyed,
}

/// What is counted by key, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keyed {
    /// Ended calls by outcome.
    pub outcomes: BTreeMap<Outcome, i64>,
    /// Ended calls by why they led to no booking.
    pub missed: BTreeMap<Missed, i64>,
    /// Ended calls with a tool that failed.
    pub failed: i64,
    /// Value of the agent's visits by currency.
    pub value: BTreeMap<String, i64>,
    /// Ended calls from which a person booked a visit.
    pub team_booked: i64,
    /// Value of those visits by currency.
    pub team_value: BTreeMap<String, i64>,
    /// Look-ups by how long they took.
    pub latencies: Latencies,
    /// By service.
    pub services: BTreeMap<ServiceId, Demand>,
}

/// How often a service was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Demand {
    /// Calls in which it was looked for or booked.
    pub asked: i64,
    /// Calls in which it was booked, or from which a person booked it.
    pub booked: i64,
    /// Ended calls in which it was looked for, with nothing booked.
    pub missed: i64,
}

impl From<Tally> for Keyed {
    /// A key that this version can't read is left out: another version counted it.
    fn from(tally: Tally) -> Self {
        let mut keyed = Self::default();
        for ((kind, key), amount) in tally.into_iter().filter(|(_, amount)| *amount != 0) {
            match kind {
                Kind::Outcome => add(&mut keyed.outcomes, Outcome::parse(&key), amount),
                Kind::Missed => add(&mut keyed.missed, Missed::parse(&key), amount),
                Kind::Failed => keyed.failed += amount,
                Kind::Value => add(&mut keyed.value, Some(key), amount),
                Kind::TeamBooked => keyed.team_booked += amount,
                Kind::TeamValue => add(&mut keyed.team_value, Some(key), amount),
                Kind::Latency => add(&mut keyed.latencies, key.parse().ok(), amount),
                Kind::Asked | Kind::BookedService | Kind::MissedService => {
                    let Ok(service) = key.parse() else { continue };
                    let demand: &mut Demand = keyed.services.entry(service).or_default();
                    match kind {
                        Kind::Asked => demand.asked += amount,
                        Kind::BookedService => demand.booked += amount,
                        _ => demand.missed += amount,
                    }
                }
            }
        }
        keyed
    }
}

fn add<K: Ord>(figures: &mut BTreeMap<K, i64>, key: Option<K>, amount: i64) {
    if let Some(key) = key {
        *figures.entry(key).or_default() += amount;
    }
}

impl Keyed {
    /// The services, the most asked for first.
    #[must_use]
    pub fn most_asked(&self) -> Vec<(ServiceId, Demand)> {
        let mut services: Vec<_> = self.services.iter().map(|(id, demand)| (*id, *demand)).collect();
        services.sort_by_key(|(id, demand)| (core::cmp::Reverse(demand.asked), *id));
        services.truncate(MOST_SERVICES);
        services
    }

    /// What services that were looked for in vain cost, by currency. `prices` are list prices.
    #[must_use]
    pub fn lost(&self, prices: &BTreeMap<ServiceId, ListPrice>) -> BTreeMap<String, i64> {
        let mut lost = BTreeMap::new();
        for (service, demand) in self.services.iter().filter(|(_, demand)| demand.missed > 0) {
            if let Some(price) = prices.get(service) {
                *lost.entry(price.currency.clone()).or_default() += demand.missed * price.minor;
            }
        }
        lost
    }
}

/// What a service costs, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPrice {
    /// What it is called.
    pub name: String,
    /// In minor units of `currency`.
    pub minor: i64,
    /// ISO 4217.
    pub currency: String,
}

/// What local hours add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// Every date of the span.
    pub days: BTreeMap<Date, Part>,
    /// Each hour of the day, on all dates together.
    pub hours: [Part; 24],
}

impl Clock {
    /// What `parts` add up to, each under the place of its hour in `hours`.
    #[must_use]
    pub fn of(dates: Dates, hours: &[Hour], parts: &[(usize, Part)]) -> Self {
        let mut clock = Self {
            days: dates.each().map(|date| (date, Part::default())).collect(),
            hours: [Part::default(); 24],
        };
        for (place, part) in parts {
            let Some(hour) = hours.get(*place) else { continue };
            clock.days.entry(hour.date).or_default().add(*part, 1);
            if let Some(of_day) = usize::try_from(hour.hour).ok().and_then(|hour| clock.hours.get_mut(hour)) {
                of_day.add(*part, 1);
            }
        }
        clock
    }

    /// All hours together.
    #[must_use]
    pub fn all(&self) -> Part {
        let mut all = Part::default();
        for part in &self.hours {
            all.add(*part, 1);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn service(n: u128) -> ServiceId {
        ServiceId(Uuid::from_u128(n))
    }

    #[test]
    fn what_is_lost_is_what_missed_services_cost_in_each_currency() {
        let key = |n: u128| service(n).to_string();
        let tally = Tally::from([
            ((Kind::MissedService, key(1)), 2),
            ((Kind::MissedService, key(2)), 1),
            ((Kind::MissedService, key(3)), 5),
            ((Kind::Asked, key(1)), 7),
            ((Kind::Asked, "no id".to_owned()), 7),
        ]);
        let price =
            |minor, currency: &str| ListPrice { name: String::new(), minor, currency: currency.to_owned() };
        let prices = BTreeMap::from([(service(1), price(4500, "GBP")), (service(2), price(900, "EUR"))]);
        let keyed = Keyed::from(tally);
        assert_eq!(keyed.lost(&prices), BTreeMap::from([("EUR".to_owned(), 900), ("GBP".to_owned(), 9000)]));
        assert_eq!(keyed.most_asked()[0], (service(1), Demand { asked: 7, booked: 0, missed: 2 }));
    }
}
