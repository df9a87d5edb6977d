//! What auth keeps for a time only, beside what expires by itself.

use database::Kept;

/// Every table whose rows are deleted, or emptied, by their age.
pub const KEPT: &[Kept] = &[Kept::changes()];
