//! What was said and meant no single service.

use engine::id::CallId;
use jiff::Timestamp;

use super::{id::PhraseId, matching::words::words};

/// Most phrases that are kept of a business; the one said longest ago goes first.
pub const MOST_KEPT: u32 = 1000;

/// Longest name by which people call a service.
pub const MAX_ALIAS: usize = 100;
/// Most such names of one service.
pub const MAX_ALIASES: usize = 20;

/// A phrase that was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedPhrase {
    /// Its id.
    pub id: PhraseId,
    /// What was said, as [`normal`] writes it.
    pub phrase: String,
    /// How often; within a call it counts once.
    pub count: i64,
    /// When first.
    pub first_at: Timestamp,
    /// When last.
    pub last_at: Timestamp,
    /// In which call last.
    pub last_call: Option<CallId>,
    /// It was dismissed.
    pub is_dismissed: bool,
}

/// Normalises a phrase so that repeats compare equal; `None` if it has no word.
#[must_use]
pub fn normal(phrase: &str) -> Option<String> {
    let words = words(phrase);
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_phrase_is_kept_however_it_was_written_down() {
        assert_eq!(normal(" The *Brazilian*, please. "), normal("the Brazilian please"));
        assert_eq!(normal(" ?! "), None);
    }
}
