//! What telemetry keeps for a time only.

use boot::retention;
use database::Kept;

/// Every table whose rows are deleted, or emptied, by their age.
pub const KEPT: &[Kept] = &[
    Kept::changes(),
    Kept::installation_acts(),
    Kept::rows("call_export", "created_at", retention::EXPORTS, 5_000),
    // Can be put back for ten minutes, and is deleted within the next hour.
    Kept::rows("deleted_call_note", "deleted_at", retention::UNDOABLE, 1_000),
    Kept { emptied: Some("body"), ..Kept::rows("delivery", "received_at", retention::DELIVERIES, 500) },
    Kept::rows("notice", "received_at", retention::DELIVERIES, 500),
];
