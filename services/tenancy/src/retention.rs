//! What tenancy keeps for a time only.

use boot::retention;
use database::Kept;

/// Every table whose rows are deleted by their age.
pub const KEPT: &[Kept] = &[
    Kept::changes(),
    Kept::rows("customer_export", "created_at", retention::EXPORTS, 5_000),
    // What is said in a chat is kept nowhere, and after a day it can't be gone on with.
    Kept::rows("agent_chat", "started_at", retention::AGENT_CHATS, 1_000),
    // What was done with each line is of interest while it can be put right; one that was left is none any more.
    Kept::rows("import", "finished_at", retention::IMPORTS, 20),
    Kept::rows("import", "created_at", retention::UNFINISHED_IMPORTS, 20),
    Kept::installation_acts(),
    Kept::rows("undoable_change", "made_at", retention::UNDOABLE, 1_000),
];
