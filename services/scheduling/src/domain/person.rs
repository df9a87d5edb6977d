//! The people of a business, by their ids, and for whom they act.

use caller::Role;
use engine::id::{CustomerId, EmployeeId};
use uuid::Uuid;

/// A person of a business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PersonId {
    /// Serves.
    Employee(EmployeeId),
    /// Is served.
    Customer(CustomerId),
}

impl PersonId {
    /// The id of the employee or customer.
    #[must_use]
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Employee(id) => id.0,
            Self::Customer(id) => id.0,
        }
    }

    /// What the person is to the business.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::Employee(_) => "employee",
            Self::Customer(_) => "customer",
        }
    }
}

/// Whether a person with `role` may act for an employee (block their time, report them ill, ask for their time off):
/// managers for all, employees for themselves. `is_own` says whether the employee is the person.
#[must_use]
pub fn may_act_for(role: Role, is_own: bool) -> bool {
    role >= Role::Manager || is_own
}
