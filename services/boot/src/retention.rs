//! For how long what is kept for a time is kept: the jobs that delete it and the page that tells of it read the same
//! figures.

use jiff::SignedDuration;

const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// Who changed which record, and which changes were refused.
pub const CHANGES: SignedDuration = days(2 * 365);
/// Who took copies of customers' data away.
pub const EXPORTS: SignedDuration = days(2 * 365);
/// Who acted across businesses.
pub const INSTALLATION_ACTS: SignedDuration = days(2 * 365);
/// Lines of an imported table, after the import.
pub const IMPORTS: SignedDuration = days(30);
/// Lines of a table whose import was never finished.
pub const UNFINISHED_IMPORTS: SignedDuration = days(90);
/// Chats with the agent that try it out.
pub const AGENT_CHATS: SignedDuration = days(1);
/// What voice platforms delivered, word for word; what was read from it is the call.
pub const DELIVERIES: SignedDuration = days(30);
/// What people do with the product.
pub const PRODUCT_EVENTS: SignedDuration = days(90);
/// Mail that was sent.
pub const MAIL: SignedDuration = days(30);
/// Runs of a salon's own booking system.
pub const PROVIDER_RUNS: SignedDuration = days(90);
/// When which appointment was written into which calendar.
pub const SYNC_HISTORY: SignedDuration = days(30);
/// What services tell each other of changed records; one that was away for longer takes everything anew.
pub const EVENTS: SignedDuration = days(14);
/// Answers to writes, so that a repeated one has one effect.
pub const ANSWERS: SignedDuration = days(1);

/// What a change found, so that the person who made it can undo it.
pub const UNDOABLE: SignedDuration = SignedDuration::from_mins(10);

/// A time in whole days.
#[must_use]
pub const fn in_days(kept: SignedDuration) -> i64 {
    kept.as_hours() / 24
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_days() {
        for kept in [
            CHANGES,
            EXPORTS,
            IMPORTS,
            DELIVERIES,
            PRODUCT_EVENTS,
            MAIL,
            PROVIDER_RUNS,
            SYNC_HISTORY,
            EVENTS,
            ANSWERS,
        ] {
            assert_eq!(days(in_days(kept)), kept);
        }
    }
}
