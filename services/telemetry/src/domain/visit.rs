//! The visits that were booked in a call, or by the team from it, as scheduling's log tells of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{AppointmentId, ServiceId};

/// Visits kept of a call: more than a series has.
const MOST_VISITS: usize = 100;

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
    /// A person booked it from the call, rather than the agent in it. Only its booking says so. Visits from before it was
    /// kept are the agent's.
    #[serde(default)]
    pub by_team: bool,
    /// Its booking was told: until then it is unknown who made it, and it is worth nothing to either. Visits from before it
    /// was kept count as told.
    #[serde(default = "told")]
    pub booking_told: bool,
}

fn told() -> bool {
    true
}

impl Visit {
    /// Whether it counts as booked. The agent's booking does whatever becomes of the visit; a person's is taken back by
    /// cancelling the visit, so that one counts until then.
    fn is_booking(&self) -> bool {
        !(self.by_team && self.cancelled)
    }
}

/// Visits by their appointments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Visits(BTreeMap<AppointmentId, Visit>);

impl Visits {
    /// With what is told of a visit, unless more was known already.
    #[must_use]
    pub fn with(mut self, id: AppointmentId, told: Visit) -> Self {
        let room = self.0.len() < MOST_VISITS;
        match self.0.get_mut(&id) {
            Some(known) => {
                let by_team = known.by_team || told.by_team;
                let booking_told = known.booking_told || told.booking_told;
                if known.version < told.version {
                    *known = told;
                }
                known.by_team = by_team;
                known.booking_told = booking_told;
            }
            None if room => drop(self.0.insert(id, told)),
            None => {}
        }
        self
    }

    /// The services that were booked.
    #[must_use]
    pub fn services(&self) -> BTreeSet<ServiceId> {
        let booked = self.0.values().filter(|visit| visit.is_booking());
        booked.flat_map(|visit| visit.services.iter().copied()).collect()
    }

    /// Whether a person booked a visit from the call that is not cancelled.
    #[must_use]
    pub fn has_booking_of_team(&self) -> bool {
        self.0.values().any(|visit| visit.by_team && visit.is_booking())
    }

    /// The visits that people booked from the call, cancelled ones with them.
    #[must_use]
    pub fn of_team(&self) -> Vec<AppointmentId> {
        self.0.iter().filter(|(_, visit)| visit.by_team).map(|(id, _)| *id).collect()
    }

    /// What those of the agent were booked for that are not cancelled, by currency.
    #[must_use]
    pub fn value(&self) -> BTreeMap<String, i64> {
        self.value_of(|visit| visit.booking_told && !visit.by_team)
    }

    /// What those of the team were booked for that are not cancelled, by currency.
    #[must_use]
    pub fn team_value(&self) -> BTreeMap<String, i64> {
        self.value_of(|visit| visit.by_team)
    }

    fn value_of(&self, counts: impl Fn(&Visit) -> bool) -> BTreeMap<String, i64> {
        let mut value = BTreeMap::new();
        let worth = |visit: &&Visit| !visit.cancelled && !visit.currency.is_empty();
        for visit in self.0.values().filter(worth).filter(|visit| counts(visit)) {
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
        let booking_told = version == 1;
        Visit {
            version,
            price,
            currency: currency.to_owned(),
            services,
            cancelled,
            by_team: false,
            booking_told,
        }
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

    #[test]
    fn a_visit_of_the_team_counts_by_itself_until_it_is_cancelled_and_again_once_it_is_restored() {
        let of = |n: u128| AppointmentId(Uuid::from_u128(n));
        let booked = Visit { by_team: true, ..visit(1, 4500, "GBP", false) };
        let agents = Visits::default().with(of(1), visit(1, 900, "GBP", false));
        let both = agents.clone().with(of(2), booked.clone());
        let worth = |minor: i64| BTreeMap::from([("GBP".to_owned(), minor)]);
        assert_eq!((both.value(), both.team_value()), (worth(900), worth(4500)));
        assert_eq!((both.of_team(), both.has_booking_of_team()), (vec![of(2)], true));

        let alone = Visits::default().with(of(2), booked.clone());
        let cancelled = alone.clone().with(of(2), visit(2, 4500, "GBP", true));
        assert_eq!((cancelled.has_booking_of_team(), cancelled.services().len()), (false, 0));
        assert_eq!((cancelled.team_value(), cancelled.of_team()), (BTreeMap::new(), vec![of(2)]));
        let restored = cancelled.with(of(2), visit(3, 4500, "GBP", false));
        assert_eq!((restored.has_booking_of_team(), restored.team_value()), (true, worth(4500)));
    }

    #[test]
    fn who_booked_a_visit_is_known_whenever_its_booking_is_told() {
        let id = AppointmentId(Uuid::from_u128(1));
        let booked = Visit { by_team: true, ..visit(1, 4500, "GBP", false) };
        let moved = visit(2, 4500, "GBP", false);
        let one = Visits::default().with(id, booked.clone()).with(id, moved.clone());
        assert_eq!(one, Visits::default().with(id, moved).with(id, booked));
        assert!(one.has_booking_of_team());
    }

    #[test]
    fn a_visit_whose_booking_is_not_told_yet_is_worth_nothing_to_the_agent_or_the_team() {
        let id = AppointmentId(Uuid::from_u128(1));
        let moved = Visits::default().with(id, visit(2, 4500, "GBP", false));
        assert_eq!((moved.value(), moved.team_value()), (BTreeMap::new(), BTreeMap::new()));
        let booked = moved.with(id, visit(1, 4500, "GBP", false));
        assert_eq!(booked.value(), BTreeMap::from([("GBP".to_owned(), 4500)]));
    }

    #[test]
    fn a_visit_that_was_kept_before_is_the_agent_s() {
        let id = Uuid::from_u128(1);
        let kept = serde_json::json!({
            id.to_string(): { "version": 1, "price": 900, "currency": "GBP", "services": [], "cancelled": false }
        });
        let visits: Visits = serde_json::from_value(kept).unwrap();
        assert_eq!((visits.of_team(), visits.value().len()), (vec![], 1));
    }
}
