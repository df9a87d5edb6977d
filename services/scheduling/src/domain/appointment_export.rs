//! A copy of appointments that a person takes away.

use engine::dates::DateRange;
use jiff::{SignedDuration, Timestamp};

use super::id::AppointmentExportId;

/// How long it can be read.
const LIFE: SignedDuration = SignedDuration::from_hours(1);

/// A copy of appointments that a person takes away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppointmentExport {
    /// Unique in the installation.
    pub id: AppointmentExportId,
    /// On which days they start, in the business's zone.
    pub dates: DateRange,
    /// Who takes it, as the audit trail names them.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Until when it can be read.
    pub expires_at: Timestamp,
}

impl AppointmentExport {
    /// One that begins now.
    #[must_use]
    pub fn begin(id: AppointmentExportId, dates: DateRange, by: &str, at: Timestamp) -> Self {
        Self { id, dates, by: by.to_owned(), at, expires_at: at + LIFE }
    }
}
