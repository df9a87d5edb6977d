//! A copy of customers' data that a person takes away.

use jiff::{SignedDuration, Timestamp};

use super::CustomerId;

typed_id::typed_id! {
    /// An export of customers.
    CustomerExportId,
}

/// How long it can be read.
const LIFE: SignedDuration = SignedDuration::from_hours(1);

/// A copy of customers' data that a person takes away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerExport {
    /// Unique in the installation.
    pub id: CustomerExportId,
    /// The one it is about; all where there is none.
    pub customer: Option<CustomerId>,
    /// Who takes it, as the audit trail names them.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Until when it can be read.
    pub expires_at: Timestamp,
}

impl CustomerExport {
    /// One that begins now.
    #[must_use]
    pub fn begin(id: CustomerExportId, customer: Option<CustomerId>, by: &str, at: Timestamp) -> Self {
        Self { id, customer, by: by.to_owned(), at, expires_at: at + LIFE }
    }
}
