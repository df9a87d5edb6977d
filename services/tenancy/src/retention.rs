//! What tenancy keeps for a time only.

use database::Kept;
use jiff::SignedDuration;

const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// Every table whose rows are deleted by their age.
pub const KEPT: &[Kept] = &[
    Kept { table: "change_entry", since: "at", life: days(2 * 365), batch: 5_000 },
    Kept { table: "customer_export", since: "created_at", life: days(2 * 365), batch: 5_000 },
    // What is said in a chat is kept nowhere, and after a day it can't be gone on with.
    Kept { table: "agent_chat", since: "started_at", life: days(1), batch: 1_000 },
    // What was done with each line is of interest while it can be put right; one that was left is none any more.
    Kept { table: "import", since: "finished_at", life: days(30), batch: 20 },
    Kept { table: "import", since: "created_at", life: days(90), batch: 20 },
];
