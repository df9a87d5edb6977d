//! What a name or another one-line label may contain.

use unicode_normalization::char::is_combining_mark;
use unicode_security::mixed_script::AugmentedScriptSet;

/// Whether `c` turns the direction of the text around it (U+202A to U+202E, U+2066 to U+2069): with
/// one, a name is shown as another, or swallows what stands beside it.
#[must_use]
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether `c` shows nothing wherever it stands: the names of two people could differ by it alone, and what no person
/// reads would reach a language model. What joins letters and what chooses their form is none of these.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{200B}'
            | '\u{2060}'..='\u{2064}'
            | '\u{206A}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

/// Whether `c` shows something only beside another character: joiners, marks of direction and variation selectors.
fn needs_another(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200C}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// What is seen of `text`, trimmed: pasted text brings unseen characters along.
#[must_use]
pub fn seen(text: &str) -> String {
    let left: String = text.chars().filter(|c| !is_unseen(*c)).collect();
    let is_blank = left.chars().all(|c| c.is_whitespace() || needs_another(c));
    if is_blank { String::new() } else { left.trim().to_owned() }
}

/// Whether text of several lines turns the direction of what is shown beside it: by an override (U+202D, U+202E), or by an
/// embedding (U+202A, U+202B) or an isolate (U+2066 to U+2068) that does not begin and end on one line. Numbers that are
/// copied from contacts bring along embeddings that end.
#[must_use]
pub fn leaks_direction(text: &str) -> bool {
    text.lines().any(|line| {
        let (mut embedded, mut isolated) = (0, 0);
        for c in line.chars() {
            match c {
                '\u{202D}' | '\u{202E}' => return true,
                '\u{202A}' | '\u{202B}' => embedded += 1,
                '\u{202C}' => embedded -= 1,
                '\u{2066}'..='\u{2068}' => isolated += 1,
                '\u{2069}' => isolated -= 1,
                _ => {}
            }
            if embedded < 0 || isolated < 0 {
                return true;
            }
        }
        (embedded, isolated) != (0, 0)
    })
}

/// Why `text` is no label, in words that follow the field's name.
#[must_use]
pub fn fault(text: &str) -> Option<&'static str> {
    if text.contains(['\n', '\t']) {
        return Some("must be one line");
    }
    text.contains(turns_direction).then_some(
        "contains characters that change the direction of writing (U+202A to U+202E, U+2066 to U+2069)",
    )
}

/// Whether a word of `text` mixes alphabets, as a Latin word with a Cyrillic letter in it does: it is read as a name that
/// it is not. Words of different alphabets may stand beside each other, and Chinese, Japanese and Korean words
/// take Latin letters in.
#[must_use]
pub fn mixes_alphabets(text: &str) -> bool {
    text.split(ends_a_word).any(|word| {
        let latin = AugmentedScriptSet::for_char('a');
        let others: String = word.chars().filter(|c| AugmentedScriptSet::for_char(*c) != latin).collect();
        let others = AugmentedScriptSet::for_str(&others);
        AugmentedScriptSet::for_str(word).is_empty() && !(others.hanb || others.jpan || others.kore)
    })
}

/// Marks over letters belong to their word, and so does what only shows beside them.
fn ends_a_word(c: char) -> bool {
    !c.is_alphanumeric() && !is_combining_mark(c) && !needs_another(c)
}

/// What is seen of `text` without what no label may contain, for names that another system chose.
#[must_use]
pub fn cleaned(text: &str) -> String {
    seen(&text.chars().filter(|c| !c.is_control() && !turns_direction(*c)).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_is_no_part_of_a_label() {
        for (text, shown) in [
            ("Ana\u{200b}\u{feff} Sousa", "Ana Sousa"),
            ("\u{ad}Ana \u{200b}", "Ana"),
            ("Ana\u{e0041}\u{e0042}", "Ana"),
            ("👩\u{200d}🦰", "👩\u{200d}🦰"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("葛\u{e0100}", "葛\u{e0100}"),
            ("❤\u{fe0f}", "❤\u{fe0f}"),
        ] {
            assert_eq!(seen(text), shown, "{text:?}");
        }
        for blank in
            ["", " ", "\u{200b}", "\u{2800}", "\u{3164}", "\u{200d}", "\u{200f} \u{fe0f}", "\u{115f}"]
        {
            assert_eq!(seen(blank), "", "{blank:?}");
        }
        assert_eq!(cleaned(" A\u{200b}na\n"), "Ana");
        assert_eq!(cleaned("\u{202e}\u{200d}"), "");
    }

    #[test]
    fn a_word_is_of_one_alphabet_and_a_name_may_have_words_of_several() {
        for sound in [
            "Salon Zoë & Co. 24/7",
            "Studio Красота",
            "Café–Москва",
            "Ωραία",
            "Nguyễn Thị",
            "Љиљана",
            "שרה כהן",
            "Tシャツ専門店",
            "ヘアサロンABC",
            "강남K헤어",
            "Zoe\u{308}",
            "Салон·Бар",
            "Hair 💇 Studio",
            "",
        ] {
            assert!(!mixes_alphabets(sound), "{sound:?}");
        }
        for mixed in [
            // Cyrillic, Greek, Armenian and Cherokee letters in Latin words.
            "Frontd\u{435}sk",
            "S\u{430}lon Anna",
            "Salon Ann\u{3b1}",
            "\u{555}live",
            "Frontde\u{308}\u{43a}",
            "Frontd\u{200d}\u{435}\u{200d}sk",
            "\u{13aa}nna",
            "p\u{430}y-desk",
            "Красоt\u{430}",
        ] {
            assert!(mixes_alphabets(mixed), "{mixed:?}");
        }
    }

    #[test]
    fn text_keeps_its_direction_to_itself() {
        for sound in
            ["", "Ana", "שרה כהן", "\u{202A}+44 7700 900123\u{202C}\nhome", "a \u{2067}שרה\u{2069} b"]
        {
            assert!(!leaks_direction(sound), "{sound:?}");
        }
        for leaking in
            ["a\u{202E}b\u{202C}", "\u{202D}1", "\u{202B}a\nb\u{202C}", "a\u{202C}", "\u{2066}a", "a\u{2069}"]
        {
            assert!(leaks_direction(leaking), "{leaking:?}");
        }
    }

    #[test]
    fn a_label_is_one_line_in_any_script_and_turns_no_direction() {
        for sound in ["Zoë", "שרה כהן", "نور", "Ana\u{200d}", "\u{200f}نور"] {
            assert_eq!(fault(sound), None, "{sound:?}");
        }
        assert_eq!(fault("a\nb"), Some("must be one line"));
        for c in ('\u{202A}'..='\u{202E}').chain('\u{2066}'..='\u{2069}') {
            let text = format!("Ana{c}");
            assert!(fault(&text).is_some_and(|fault| fault.contains("direction")), "{c:?}");
            assert_eq!(cleaned(&text), "Ana");
        }
    }
}
