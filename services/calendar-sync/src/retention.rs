//! What calendar-sync keeps for a time only.

use boot::retention;
use database::Kept;

/// Every table whose rows are deleted, or emptied, by their age.
pub const KEPT: &[Kept] = &[
    Kept::changes(),
    Kept::installation_acts(),
    Kept::rows("provider_run", "finished_at", retention::PROVIDER_RUNS, 1_000),
    Kept::rows("sync_history", "at", retention::SYNC_HISTORY, 1_000),
];
