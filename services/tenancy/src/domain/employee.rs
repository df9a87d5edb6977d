//! A person who serves customers.

use caller::UserId;

typed_id::typed_id! {
    /// An employee of a business.
    EmployeeId,
}

/// A person who serves customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Employee {
    /// Unique in the installation.
    pub id: EmployeeId,
    /// What the person is called.
    pub name: String,
    /// The account the person signs in with.
    pub user: Option<UserId>,
    /// Grows by one with each change.
    pub version: i64,
}
