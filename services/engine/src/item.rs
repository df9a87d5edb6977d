//! What a customer asks for, one service at a time.

use serde::{Deserialize, Serialize};

use super::id::{CustomerId, EmployeeId, ServiceId};

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
}

/// Inputs that were kept before visits could have lengths of their own stay what they were.
fn is_as_long(extra_minutes: &i16) -> bool {
    *extra_minutes == 0
}
