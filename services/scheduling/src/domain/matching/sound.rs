//! How words sound in English and German.

use std::collections::BTreeSet;

use rphonetic::{Cologne, DoubleMetaphone, Encoder};

/// Longer codes tell long German words apart.
const LONGEST_CODE: usize = 12;
/// Shorter words sound like too many others.
const SHORTEST_WORD: usize = 3;
/// Shorter codes are those of too many words: Cologne's has ten signs for all sounds.
const SHORTEST_ENGLISH: usize = 2;
const SHORTEST_GERMAN: usize = 3;

/// How a word may sound; two words that share one of them sound alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sound {
    English(String),
    German(String),
}

/// Says words.
pub(super) struct Speaker {
    metaphone: DoubleMetaphone,
}

impl Speaker {
    pub(super) fn new() -> Self {
        Self { metaphone: DoubleMetaphone::new(Some(LONGEST_CODE)) }
    }

    /// How `word` may sound; empty for a word that is too short or not of Latin letters.
    pub(super) fn sounds(&self, word: &str) -> BTreeSet<Sound> {
        if word.len() < SHORTEST_WORD || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return BTreeSet::new();
        }
        let english = self.metaphone.double_metaphone(word);
        let english = [english.primary(), english.alternate()].into_iter();
        let german = Cologne.encode(word);
        english
            .filter(|code| code.len() >= SHORTEST_ENGLISH)
            .map(Sound::English)
            .chain((german.len() >= SHORTEST_GERMAN).then_some(Sound::German(german)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> bool {
        let speaker = Speaker::new();
        !speaker.sounds(one).is_disjoint(&speaker.sounds(other))
    }

    #[test]
    fn words_sound_alike_in_english_or_in_german() {
        for (one, other) in
            [("balayage", "baliage"), ("colour", "kolor"), ("fohnen", "fonen"), ("strahnen", "strehnen")]
        {
            assert!(alike(one, other), "{one} and {other}");
        }
        for (one, other) in [("colour", "massage"), ("cut", "dye"), ("um", "am"), ("20", "20")] {
            assert!(!alike(one, other), "{one} and {other}");
        }
    }
}
