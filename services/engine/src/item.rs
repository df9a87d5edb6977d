//! What a customer asks for, one service at a time.

use serde::{Deserialize, Serialize};

use super::id::{CustomerId, EmployeeId, ServiceId};

/// Whom the customer asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Wish {
    /// Anyone who can.
    #[default]
    Anyone,
    /// This employee rather than another.
    Prefers(EmployeeId),
    /// This employee and no one else.
    Only(EmployeeId),
}

impl Wish {
    /// The employee that was asked for.
    #[must_use]
    pub fn employee(self) -> Option<EmployeeId> {
        match self {
            Self::Anyone => None,
            Self::Prefers(employee) | Self::Only(employee) => Some(employee),
        }
    }

    /// Whether the customer would have to agree before an employee other than `present` does it. A wish that was
    /// given up once locks nothing.
    #[must_use]
    pub fn locks(self, present: EmployeeId) -> bool {
        self == Self::Only(present)
    }
}

/// One requested service, and the employee it is requested with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The service.
    pub service: ServiceId,
    /// The employee, or anyone who can.
    pub employee: Option<EmployeeId>,
    /// Who shall do it where there is a choice.
    pub preferred: Option<EmployeeId>,
    /// Which guest it is for, from 0.
    pub guest: u8,
    /// The customer whom that guest is known as.
    pub customer: Option<CustomerId>,
    /// By how many minutes it takes longer than the service does; negative, where it is shorter.
    #[serde(default, skip_serializing_if = "is_as_long")]
    pub extra_minutes: i16,
    /// Whom the customer asked for.
    #[serde(default, skip_serializing_if = "is_anyone")]
    pub wish: Wish,
}

impl Item {
    /// Whether it is with the only employee whom the customer wants.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.employee.is_some_and(|employee| self.wish.locks(employee))
    }
}

/// Nor do inputs change that were kept before visits had wishes.
fn is_anyone(wish: &Wish) -> bool {
    *wish == Wish::Anyone
}

/// Inputs that were kept before visits could have lengths of their own stay what they were.
fn is_as_long(extra_minutes: &i16) -> bool {
    *extra_minutes == 0
}
