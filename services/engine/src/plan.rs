//! One day of a business as bits: who works when, and what of it is taken.

use super::{
    day::Day,
    id::{EmployeeId, ResourceId, SubjectId},
    schedule::Schedule,
    slots::DaySlots,
    span::Span,
};

/// An employee's day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmployeeDay {
    /// Whose.
    pub employee: EmployeeId,
    /// Slots in which the employee works: the salon is open, and there is no time off.
    pub working: DaySlots,
    /// Slots a booking or a busy fact touches, buffers included.
    pub occupied: DaySlots,
}

/// A business's day, without anything that passes by itself: no holds, no lead time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayPlan {
    /// The day.
    pub day: Day,
    /// Slots within the opening hours.
    pub open: DaySlots,
    /// Slots at which offers may start.
    pub grid: DaySlots,
    /// Everyone who has a rota, ascending.
    pub employees: Vec<EmployeeDay>,
    /// Slots in which each resource is taken, ascending.
    pub resources: Vec<(ResourceId, DaySlots)>,
}

impl DayPlan {
    /// The plan of `day`, where `taken` are the bookings and busy facts that touch it.
    #[must_use]
    pub fn new(schedule: &Schedule, day: Day, taken: &[(SubjectId, Span)]) -> Self {
        let open = schedule.opening.on(&day);
        let mut employees: Vec<_> = schedule
            .rotas
            .iter()
            .map(|(&employee, rota)| EmployeeDay {
                employee,
                working: rota.on(&day, &open),
                occupied: DaySlots::default(),
            })
            .collect();
        let mut resources: Vec<_> =
            schedule.resources.keys().map(|resource| (*resource, DaySlots::default())).collect();
        for (subject, span) in taken {
            if let Ok(index) = employees.binary_search_by_key(subject, |day| day.employee.into()) {
                employees[index].occupied.set(day.slots_of(*span));
            } else if let Ok(index) =
                resources.binary_search_by_key(subject, |(resource, _)| (*resource).into())
            {
                resources[index].1.set(day.slots_of(*span));
            }
        }
        Self { open, grid: day.every(schedule.policy.increment_minutes), day, employees, resources }
    }

    /// An employee's day, if the employee has a rota. `place` is where the day before had it:
    /// most likely it is there again.
    #[must_use]
    pub fn employee(&self, employee: EmployeeId, place: &mut usize) -> Option<&EmployeeDay> {
        if self.employees.get(*place).is_none_or(|day| day.employee != employee) {
            *place = self.employees.binary_search_by_key(&employee, |day| day.employee).ok()?;
        }
        self.employees.get(*place)
    }

    /// When a resource is taken, if the salon has it. `place` is as for employees.
    #[must_use]
    pub fn resource(&self, resource: ResourceId, place: &mut usize) -> Option<&DaySlots> {
        if self.resources.get(*place).is_none_or(|(known, _)| *known != resource) {
            *place = self.resources.binary_search_by_key(&resource, |(known, _)| *known).ok()?;
        }
        self.resources.get(*place).map(|(_, taken)| taken)
    }

    /// About how many bytes it takes up.
    #[must_use]
    pub fn weight(&self) -> u32 {
        let bytes = size_of::<Self>()
            + self.employees.len() * size_of::<EmployeeDay>()
            + self.resources.len() * size_of::<(ResourceId, DaySlots)>();
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}
