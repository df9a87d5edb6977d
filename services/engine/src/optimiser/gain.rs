//! What a better day brings the salon.

use super::{Change, Input, Outcome, Place, Who};
use crate::{schedule::Schedule, service::Service};

/// What a better day brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gain {
    /// Minutes that can be booked again, and those of customers who are served who would not have been.
    pub minutes: i64,
    /// What they are worth at list prices, in the currency's minor unit.
    pub minor: i64,
    /// ISO 4217; empty if the salon sells nothing.
    pub currency: String,
}

impl Outcome {
    /// What the day brings. Customers who waited, or whose employee is away, count with the list prices of their
    /// visits, time that can be booked again with the mean list price of a minute of what the salon sells.
    #[must_use]
    pub fn gain(&self, input: &Input, schedule: &Schedule) -> Gain {
        let again = self.before.lost_minutes - self.after.lost_minutes;
        let is_stranded = |who| {
            let mut stranded = input.visits.iter().filter(|visit| visit.place == Place::Stranded);
            stranded.any(|visit| Who::Visit(visit.id) == who)
        };
        let is_served = |change: &&Change| matches!(change.who, Who::Waiting(_)) || is_stranded(change.who);
        let served = self.changes.iter().filter(is_served).map(|change| &change.placement);
        let (minutes, minor) = served.fold((0, 0), |(minutes, minor), placed| {
            let length = placed.ends_at.duration_since(placed.starts_at).as_mins();
            (minutes + length, minor + i64::from(placed.price.minor))
        });
        let sum = |of: fn(&Service) -> i64| schedule.services.values().map(of).sum::<i64>();
        let price = sum(|service| service.price.minor.into());
        let length = sum(|service| service.course.minutes().into());
        let first = schedule.services.values().next();
        Gain {
            minutes: again + minutes,
            minor: minor + (again * price).checked_div(length).unwrap_or(0),
            currency: first.map(|service| service.price.currency.clone()).unwrap_or_default(),
        }
    }
}
