use jiff::Timestamp;

use crate::{
    appointment::Appointment,
    id::EmployeeId,
    visit::{PlacedItem, Placement},
};

/// When a visit takes place, and who serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// When the customer comes.
    pub starts_at: Timestamp,
    /// When the customer goes.
    pub ends_at: Timestamp,
    /// Who does each service, in the order of the visit's items.
    pub employees: Vec<EmployeeId>,
}

impl Place {
    /// Where a visit is.
    #[must_use]
    pub fn of(visit: &Appointment) -> Self {
        let employees = visit.items.iter().map(|item| item.employee).collect();
        Self { starts_at: visit.starts_at, ends_at: visit.ends_at, employees }
    }

    /// Where a visit would be: each of `items` by who does the same for the same guest then, in the same
    /// length before another, and those who do it now before others.
    #[must_use]
    pub fn anew(items: &[PlacedItem], placement: &Placement) -> Self {
        let mut left: Vec<_> = placement.items.iter().collect();
        let mut employees: Vec<Option<EmployeeId>> = vec![None; items.len()];
        for (same_length, same_employee) in [(true, true), (true, false), (false, true), (false, false)] {
            for (item, employee) in items.iter().zip(&mut employees).filter(|(_, known)| known.is_none()) {
                let fits = |new: &&PlacedItem| {
                    (new.service, new.guest) == (item.service, item.guest)
                        && (!same_length || new.extra_minutes == item.extra_minutes)
                        && (!same_employee || new.employee == item.employee)
                };
                let place = left.iter().position(fits);
                *employee = place.map(|place| left.swap_remove(place).employee);
            }
        }
        let employees = employees.into_iter().flatten().collect();
        Self { starts_at: placement.starts_at, ends_at: placement.ends_at, employees }
    }

    /// By how many minutes a visit that goes from here to `to` starts later; negative for earlier.
    #[must_use]
    pub fn shift_minutes(&self, to: &Self) -> i64 {
        to.starts_at.duration_since(self.starts_at).as_mins()
    }

    /// Of how many services the employee is another there.
    #[must_use]
    pub fn employees_changed(&self, to: &Self) -> usize {
        self.employees.iter().zip(&to.employees).filter(|(now, then)| now != then).count()
    }
}
