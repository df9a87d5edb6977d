//! What scheduling keeps for a time only.

use boot::retention;
use database::Kept;

/// Every table whose rows are deleted, or emptied, by their age.
pub const KEPT: &[Kept] = &[
    Kept::changes(),
    Kept::installation_acts(),
    Kept::rows("audit", "at", retention::CHANGES, 5_000),
    Kept::rows("appointment_export", "created_at", retention::EXPORTS, 5_000),
];
