//! A person the salon serves.

use super::{Email, Phone};

caller::newtype_id! {
    /// A customer of a business.
    CustomerId,
}

/// A person the salon serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Unique in the installation.
    pub id: CustomerId,
    /// What the person is called.
    pub name: String,
    /// Where to reach the person; others may share it.
    pub phone: Option<Phone>,
    /// Where to write to.
    pub email: Option<Email>,
    /// Grows by one with each change.
    pub version: i64,
}
