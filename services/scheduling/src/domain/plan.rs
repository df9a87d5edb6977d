//! One day of a business as bits: who works when, and what of it is taken.

use super::{day::Day, id::EmployeeId, schedule::Schedule, slots::DaySlots, span::Span};

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
}

impl DayPlan {
    /// The plan of `day`, where `taken` are the bookings and busy facts that touch it.
    #[must_use]
    pub fn new(schedule: &Schedule, day: Day, taken: &[(EmployeeId, Span)]) -> Self {
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
        for (employee, span) in taken {
            if let Ok(index) = employees.binary_search_by_key(employee, |day| day.employee) {
                employees[index].occupied.set(day.slots_of(*span));
            }
        }
        Self { open, grid: day.every(schedule.policy.increment_minutes), day, employees }
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

    /// About how many bytes it takes up.
    #[must_use]
    pub fn weight(&self) -> u32 {
        let bytes = size_of::<Self>() + self.employees.len() * size_of::<EmployeeDay>();
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}
