//! How a service does over a span of time.

use std::collections::BTreeMap;

use engine::id::{EmployeeId, ServiceId};

/// How many visits had a service, and for how long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Visits with it, in any state.
    pub booked: i64,
    /// Of these, that took place,
    pub completed: i64,
    /// that were cancelled,
    pub cancelled: i64,
    /// whose customer never came.
    pub no_shows: i64,
    /// Planned minutes of visits that were not cancelled.
    pub planned_minutes: i64,
}

/// How long a service took where it was done alone, in minutes of all these visits together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Visits that say so.
    pub visits: i64,
    /// As planned.
    pub planned_minutes: i64,
    /// As it was.
    pub actual_minutes: i64,
}

/// How long customers stay away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rebooking {
    /// The median of days between a customer's visits.
    pub days: f64,
    /// Of how many pairs of visits.
    pub pairs: i64,
}

/// A service over a span of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Which.
    pub service: ServiceId,
    /// All of it.
    pub total: Tally,
    /// The booked value of visits that were not cancelled: minor units by currency.
    pub value: BTreeMap<String, i64>,
    /// How long customers stay away; `None` if no customer came twice.
    pub rebooking: Option<Rebooking>,
    /// How long the service took; `None` if no visit was measured.
    pub measured: Option<Measured>,
    /// Who did it how often, the most frequent first.
    pub employees: Vec<(EmployeeId, i64)>,
}

impl Report {
    /// A service of which nothing is known yet.
    #[must_use]
    pub fn of(service: ServiceId) -> Self {
        Self {
            service,
            total: Tally::default(),
            value: BTreeMap::new(),
            rebooking: None,
            measured: None,
            employees: vec![],
        }
    }

    /// Adds the visits of one currency, and what it was booked for in them.
    pub fn add(&mut self, tally: &Tally, currency: String, value: i64) {
        self.total.booked += tally.booked;
        self.total.completed += tally.completed;
        self.total.cancelled += tally.cancelled;
        self.total.no_shows += tally.no_shows;
        self.total.planned_minutes += tally.planned_minutes;
        *self.value.entry(currency).or_default() += value;
    }

    /// Employees with their part of all times it was done, 0 to 1.
    pub fn shares(&self) -> impl Iterator<Item = (EmployeeId, i64, f64)> {
        let all: i64 = self.employees.iter().map(|(_, visits)| visits).sum();
        self.employees.iter().map(move |(employee, visits)| (*employee, *visits, *visits as f64 / all as f64))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn report() -> Report {
        Report::of(ServiceId(Uuid::from_u128(1)))
    }

    #[test]
    fn visits_add_up_and_money_stays_apart_by_currency() {
        let tally = |booked| Tally { booked, completed: 1, planned_minutes: 30, ..Tally::default() };
        let mut report = report();
        report.add(&tally(2), "GBP".to_owned(), 4500);
        report.add(&tally(3), "EUR".to_owned(), 700);
        report.add(&tally(1), "GBP".to_owned(), 500);
        assert_eq!((report.total.booked, report.total.completed, report.total.planned_minutes), (6, 3, 90));
        assert_eq!(
            report.value.into_iter().collect::<Vec<_>>(),
            [("EUR".to_owned(), 700), ("GBP".to_owned(), 5000)]
        );
    }

    #[test]
    fn shares_are_parts_of_all_times_it_was_done() {
        let [ana, ben] = [1, 2].map(|number| EmployeeId(Uuid::from_u128(number)));
        let report = Report { employees: vec![(ana, 3), (ben, 1)], ..report() };
        assert_eq!(report.shares().collect::<Vec<_>>(), [(ana, 3, 0.75), (ben, 1, 0.25)]);
    }
}
