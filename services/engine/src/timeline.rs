//! Days in a row as one line of slots.

use core::ops::Range;
use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet},
};

use jiff::{SignedDuration, Timestamp};

use super::{
    id::{EmployeeId, ResourceId, SubjectId},
    plan::DayPlan,
    slots::{DaySlots, SLOT_SECONDS, Slots, slots_until, whole_slots_until},
    span::Span,
};

/// An employee's part of the line.
#[derive(Debug, Clone)]
pub struct Person {
    /// Slots the employee works.
    pub working: Slots,
    /// Slots that are taken.
    pub occupied: Slots,
}

/// Consecutive days of a business, for some of its employees and resources.
///
/// Instants are what it counts in, so a day of 23 or 25 hours needs no care, and a
/// visit may run over midnight.
#[derive(Debug, Clone)]
pub struct Timeline {
    starts_at: Timestamp,
    /// Slots within the opening hours.
    pub open: Slots,
    /// Slots at which offers may start.
    pub grid: Slots,
    people: BTreeMap<EmployeeId, Person>,
    /// Slots in which each resource is taken.
    resources: BTreeMap<ResourceId, Slots>,
}

impl Timeline {
    /// The line of `plans`, which follow on each other, for `employees` and `resources`.
    pub fn new<P: Borrow<DayPlan>>(
        plans: &[P],
        employees: impl IntoIterator<Item = EmployeeId>,
        resources: impl IntoIterator<Item = ResourceId>,
    ) -> Self {
        let starts_at = plans.first().map_or(Timestamp::UNIX_EPOCH, |plan| plan.borrow().day.starts_at());
        let len = plans.iter().map(|plan| plan.borrow().day.slots()).sum();
        let row = || Slots::with_room(len);
        let (mut open, mut grid) = (row(), row());
        for plan in plans.iter().map(Borrow::borrow) {
            open.append(&plan.open, plan.day.slots());
            grid.append(&plan.grid, plan.day.slots());
        }
        let nothing = DaySlots::default();
        let person = |employee| {
            let mut person = Person { working: row(), occupied: row() };
            let mut place = 0;
            for plan in plans.iter().map(Borrow::borrow) {
                let day = plan.employee(employee, &mut place);
                person.working.append(day.map_or(&nothing, |day| &day.working), plan.day.slots());
                person.occupied.append(day.map_or(&nothing, |day| &day.occupied), plan.day.slots());
            }
            person
        };
        let people: BTreeSet<_> = employees.into_iter().collect();
        let people = people.into_iter().map(|employee| (employee, person(employee))).collect();
        let taken = |resource| {
            let (mut taken, mut place) = (row(), 0);
            for plan in plans.iter().map(Borrow::borrow) {
                let day = plan.resource(resource, &mut place).unwrap_or(&nothing);
                taken.append(day, plan.day.slots());
            }
            taken
        };
        let resources: BTreeSet<_> = resources.into_iter().collect();
        let resources = resources.into_iter().map(|resource| (resource, taken(resource))).collect();
        Self { starts_at, open, grid, people, resources }
    }

    /// Takes what `span` touches of an employee's or a resource's time.
    pub fn take(&mut self, subject: SubjectId, span: Span) {
        let slots = self.slots_touching(span);
        if let Some(person) = self.people.get_mut(&EmployeeId(subject.0)) {
            person.occupied.set(slots);
        } else if let Some(taken) = self.resources.get_mut(&ResourceId(subject.0)) {
            taken.set(slots);
        }
    }

    /// Gives back what `span` touches of an employee's or a resource's time.
    pub fn give(&mut self, subject: SubjectId, span: Span) {
        let mut given = Slots::clear(self.len());
        given.set(self.slots_touching(span));
        if let Some(person) = self.people.get_mut(&EmployeeId(subject.0)) {
            person.occupied = person.occupied.without(&given);
        } else if let Some(taken) = self.resources.get_mut(&ResourceId(subject.0)) {
            *taken = taken.without(&given);
        }
    }

    /// The line as if nothing on it were taken.
    #[must_use]
    pub fn untaken(&self) -> Self {
        let mut line = self.clone();
        for person in line.people.values_mut() {
            person.occupied = Slots::clear(line.open.len());
        }
        for taken in line.resources.values_mut() {
            *taken = Slots::clear(line.open.len());
        }
        line
    }

    /// An employee's part, if the line was made for the employee.
    #[must_use]
    pub fn person(&self, employee: EmployeeId) -> Option<&Person> {
        self.people.get(&employee)
    }

    /// Slots in which a resource is taken, if the line was made for it.
    #[must_use]
    pub fn resource(&self, resource: ResourceId) -> Option<&Slots> {
        self.resources.get(&resource)
    }

    /// How many slots it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether it has no slot at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// When slot `index` begins.
    #[must_use]
    pub fn instant(&self, index: usize) -> Timestamp {
        self.starts_at + SignedDuration::from_secs(index as i64 * SLOT_SECONDS)
    }

    /// The slot that begins at exactly `at`.
    #[must_use]
    pub fn slot_at(&self, at: Timestamp) -> Option<usize> {
        let index = whole_slots_until(self.starts_at, at);
        (index < self.len() && self.instant(index) == at).then_some(index)
    }

    /// The slots that begin within `span`.
    #[must_use]
    pub fn slots_beginning_in(&self, span: Span) -> Range<usize> {
        slots_until(self.starts_at, span.starts_at())..slots_until(self.starts_at, span.ends_at())
    }

    /// How many slots begin before `at`.
    #[must_use]
    pub fn slots_beginning_before(&self, at: Timestamp) -> usize {
        slots_until(self.starts_at, at)
    }

    fn slots_touching(&self, span: Span) -> Range<usize> {
        whole_slots_until(self.starts_at, span.starts_at())..slots_until(self.starts_at, span.ends_at())
    }
}
