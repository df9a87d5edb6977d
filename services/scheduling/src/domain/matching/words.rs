//! Text as words that can be compared.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The words of `text` without case, accents and punctuation. An apostrophe joins what it stands
/// between; `&` and `+` are words, since they are said.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        match letter {
            '\'' | '’' => {}
            '&' | '+' => folded.push_str(" and "),
            // Letters that no decomposition takes apart.
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            letter if letter.is_alphanumeric() => folded.push(letter),
            _ => folded.push(' '),
        }
    }
    folded.split_whitespace().map(str::to_owned).collect()
}

/// A word without the plural's s.
pub(super) fn stem(word: &str) -> &str {
    word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s')).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_do_not_count() {
        assert_eq!(words("  Crème-Gesichtspflege für FÜSSE! "), ["creme", "gesichtspflege", "fur", "fusse"]);
        assert_eq!(words("Women’s cut & Finish"), ["womens", "cut", "and", "finish"]);
        assert_eq!(words("Groß"), ["gross"]);
        assert_eq!(words(" ?! "), Vec::<String>::new());
    }

    #[test]
    fn a_plural_is_its_singular() {
        assert_eq!(["nails", "gloss", "gas", "bus"].map(stem), ["nail", "gloss", "gas", "bus"]);
    }
}
