//! How alike two texts are written, as Postgres's `pg_trgm` defines it.

use std::collections::BTreeSet;

/// Three letters in a row.
pub(super) type Trigram = [char; 3];

/// The trigrams of words: each word has two blanks before it and one after.
pub(super) fn trigrams(words: &[String]) -> BTreeSet<Trigram> {
    words
        .iter()
        .flat_map(|word| {
            let padded: Vec<char> = "  ".chars().chain(word.chars()).chain([' ']).collect();
            padded.array_windows::<3>().copied().collect::<Vec<_>>()
        })
        .collect()
}

/// What two sets of trigrams share of all that is in them, 0 to 1.
pub(super) fn share(common: usize, one: usize, other: usize) -> f64 {
    let all = one + other - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// How alike two texts are, 0 to 1, by their words as [`words`](super::words::words) gives them.
#[must_use]
pub fn similarity(one: &[String], other: &[String]) -> f64 {
    let (one, other) = (trigrams(one), trigrams(other));
    share(one.intersection(&other).count(), one.len(), other.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::matching::words::words;

    #[test]
    fn the_example_of_postgres_manual_comes_out_alike() {
        assert_eq!(similarity(&words("word"), &words("two words")), 4.0 / 11.0);
        assert_eq!(similarity(&[], &[]), 0.0);
    }

    proptest! {
        #[test]
        fn similarity_is_symmetric_and_whole_for_the_same_words(one in "[a-e ]{0,12}", other in "[a-e ]{0,12}") {
            let (one, other) = (words(&one), words(&other));
            let alike = similarity(&one, &other);
            prop_assert_eq!(alike, similarity(&other, &one));
            prop_assert!((0.0..=1.0).contains(&alike));
            prop_assert_eq!(alike == 1.0, !one.is_empty() && trigrams(&one) == trigrams(&other));
        }
    }
}
