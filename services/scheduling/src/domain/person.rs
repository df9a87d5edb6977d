//! The people of a business, by their ids.

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
