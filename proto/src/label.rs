//! What a name or another one-line label may contain.

/// Whether `c` turns the direction of the text around it (U+202A to U+202E, U+2066 to U+2069): with
/// one, a name is shown as another, or swallows what stands beside it.
#[must_use]
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
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

/// `text` without what no label may contain, for names that another system chose.
#[must_use]
pub fn cleaned(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !turns_direction(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
