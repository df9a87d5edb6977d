//! A visit: what is wanted, and what it becomes once placed.

use jiff::{SignedDuration, Timestamp};

use super::{
    id::{EmployeeId, ServiceId},
    refusal::Refusal,
    service::{Course, Price, Service},
    span::Span,
};

/// One service somebody wants, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The service.
    pub service: ServiceId,
    /// The employee, or anyone who can.
    pub employee: Option<EmployeeId>,
}

/// Why a wish can't be placed anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// An item names a service the business does not have.
    #[error("the business has no such service")]
    UnknownService,
    /// Nobody who is asked for can do it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// One service of a visit with those who may do it.
#[derive(Debug, Clone)]
pub struct Step {
    /// The service.
    pub service: Service,
    /// Who may do it, the preferred first; never empty.
    pub candidates: Vec<EmployeeId>,
}

/// Services wanted one after the other.
#[derive(Debug, Clone)]
pub struct Wish {
    steps: Vec<Step>,
}

impl Wish {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// Its services, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Minutes from the first service's start to the last one's end.
    #[must_use]
    pub fn minutes(&self) -> u16 {
        self.steps.iter().map(|step| step.service.course.minutes()).sum()
    }

    /// All that a visit could occupy, buffers included, when it starts between `first`
    /// and `last`.
    #[must_use]
    pub fn reach(&self, first: Timestamp, last: Timestamp) -> Span {
        reach(self.steps.iter().map(|step| &step.service.course), first, last)
    }

    /// What all of it costs.
    #[must_use]
    pub fn price(&self) -> Price {
        let price = |step: &Step| step.service.price.clone();
        let mut prices = self.steps.iter().map(price);
        let first = prices.next().unwrap_or(Price { minor: 0, currency: String::new() });
        prices.fold(first, |sum, price| Price { minor: sum.minor + price.minor, ..sum })
    }

    /// Puts the visit at `start` with `employees`, one per service.
    pub(super) fn place(&self, start: Timestamp, employees: &[EmployeeId]) -> Placement {
        let mut at = start;
        let mut items = Vec::with_capacity(self.steps.len());
        let mut occupied: Vec<Occupied> = vec![];
        for (index, (step, &employee)) in self.steps.iter().zip(employees).enumerate() {
            let course = &step.service.course;
            let begins_run = index == 0 || employees[index - 1] != employee;
            let ends_run = employees.get(index + 1) != Some(&employee);
            let from = occupied.len();
            occupied.extend(course.active().map(|minutes| {
                let service = Span::new(after(at, minutes.start), after(at, minutes.end));
                let service = service.expect("a segment is never empty");
                Occupied { employee, during: service, service }
            }));
            if begins_run {
                occupied[from].widen(course.buffer_before(), 0);
            }
            if ends_run && let Some(last) = occupied.last_mut() {
                last.widen(0, course.buffer_after());
            }
            let ends_at = after(at, course.minutes());
            items.push(PlacedItem { service: step.service.id, employee, starts_at: at, ends_at });
            at = ends_at;
        }
        part(&mut occupied);
        Placement { starts_at: start, ends_at: at, items, occupied, price: self.price() }
    }
}

/// All that services done one after the other could occupy, buffers included, when the first
/// starts between `first` and `last`.
pub(super) fn reach<'a>(
    courses: impl Iterator<Item = &'a Course> + Clone,
    first: Timestamp,
    last: Timestamp,
) -> Span {
    let most = |buffer: fn(&Course) -> u16| courses.clone().map(buffer).max().unwrap_or(0);
    let minutes: u16 = courses.clone().map(Course::minutes).sum();
    let starts_at = first - SignedDuration::from_mins(most(Course::buffer_before).into());
    let ends_at = after(last.max(first), minutes + most(Course::buffer_after));
    Span::new(starts_at, ends_at).expect("a visit takes time")
}

/// So many minutes later.
pub(super) fn after(at: Timestamp, minutes: u16) -> Timestamp {
    at + SignedDuration::from_mins(minutes.into())
}

/// Cuts a buffer short where its employee is back at work for the same visit, so that
/// rows of one visit on one employee never overlap.
fn part(occupied: &mut [Occupied]) {
    for later in 1..occupied.len() {
        let employee = occupied[later].employee;
        let Some(earlier) = occupied[..later].iter().rposition(|row| row.employee == employee) else {
            continue;
        };
        let (done, next) = (occupied[earlier].service.ends_at(), occupied[later].service.starts_at());
        let starts_at = occupied[later].during.starts_at().max(done).min(next);
        let ends_at = occupied[earlier].during.ends_at().min(starts_at);
        let later_end = occupied[later].during.ends_at();
        let earlier_start = occupied[earlier].during.starts_at();
        occupied[later].during = Span::new(starts_at, later_end).unwrap_or(occupied[later].service);
        occupied[earlier].during = Span::new(earlier_start, ends_at).unwrap_or(occupied[earlier].service);
    }
}

/// One service placed on an employee and a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedItem {
    /// The service.
    pub service: ServiceId,
    /// Who does it.
    pub employee: EmployeeId,
    /// From its first segment.
    pub starts_at: Timestamp,
    /// To the end of its last.
    pub ends_at: Timestamp,
}

/// A stretch in which a visit needs an employee: one row of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupied {
    /// Who is needed.
    pub employee: EmployeeId,
    /// What is taken, buffers included.
    pub during: Span,
    /// What the customer gets of it.
    pub service: Span,
}

impl Occupied {
    fn widen(&mut self, before: u16, after: u16) {
        let starts_at = self.during.starts_at() - SignedDuration::from_mins(before.into());
        let ends_at = self.during.ends_at() + SignedDuration::from_mins(after.into());
        self.during = Span::new(starts_at, ends_at).unwrap_or(self.during);
    }
}

/// A visit on employees and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// When the customer comes.
    pub starts_at: Timestamp,
    /// When the customer goes.
    pub ends_at: Timestamp,
    /// What is done, in order.
    pub items: Vec<PlacedItem>,
    /// What it takes from whom.
    pub occupied: Vec<Occupied>,
    /// What it costs.
    pub price: Price,
}
