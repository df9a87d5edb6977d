//! Names as people compare them.

use unicode_normalization::UnicodeNormalization;

/// A name without case and accents, as the database's function `folded` has it.
#[must_use]
pub fn folded(name: &str) -> String {
    let plain = name.nfd().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter));
    let plain: String = plain.flat_map(char::to_lowercase).collect();
    plain
        .split(|letter: char| letter.is_whitespace() || letter == '-')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_hyphens_and_spaces_make_no_other_name() {
        assert_eq!(folded("Zoë-Marie  ÅSE"), "zoe marie ase");
        assert_eq!(folded("zoe marie ase"), folded("Zoe\u{308}-Marie Åse"));
        assert_ne!(folded("Zoe Ash"), folded("Zoe Asher"));
    }
}
