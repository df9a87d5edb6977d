//! Telephone numbers and e-mail addresses in what was said, for people who may not see them.

/// Stands in the place of one.
const HIDDEN: &str = "…";
/// Digits of the shortest number that is written as one, with its country or its area first.
const SHORTEST: usize = 7;
/// Digits that are a number however they begin; a date has eight.
const LONG: usize = 9;

/// `text` without the telephone numbers and e-mail addresses in it. Numbers that are written in words stay.
#[must_use]
pub fn without_contacts(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    without_numbers(&words.map(without_address).collect::<String>())
}

/// A word with the space after it, or the text that replaces an address.
fn without_address(word: &str) -> String {
    let name = word.trim_end();
    match name.split_once('@') {
        Some((before, after)) if !before.is_empty() && !after.is_empty() => word.replacen(name, HIDDEN, 1),
        _ => word.to_owned(),
    }
}

fn without_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '(')) {
        let (before, from) = rest.split_at(at);
        let end =
            from.find(|c: char| !c.is_ascii_digit() && !"+-./() \u{a0}".contains(c)).unwrap_or(from.len());
        let run = from[..end].trim_end_matches(|c: char| !c.is_ascii_digit());
        // A bracket that is closed behind the number is the sentence's.
        let number = if run.contains(')') { run } else { run.trim_start_matches('(') };
        shown.push_str(before);
        if is_telephone(number) {
            shown.push_str(&run[..run.len() - number.len()]);
            shown.push_str(HIDDEN);
            rest = &from[run.len()..];
        } else {
            shown.push_str(&from[..end]);
            rest = &from[end..];
        }
    }
    shown.push_str(rest);
    shown
}

fn is_telephone(number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let begins_as_one = number.trim_start_matches('(').starts_with(['+', '0']);
    digits >= LONG || (begins_as_one && digits >= SHORTEST)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_and_addresses_are_hidden_however_they_are_written() {
        for (said, shown) in [
            ("It's +447700900001, thanks.", "It's …, thanks."),
            ("call 07700 900 001 or (020) 7946-0000", "call … or …"),
            ("ring 07700 900001; or 020 7946 0000.", "ring …; or …."),
            ("Ana (+447700900001) and (0)7700 900001", "Ana (…) and …"),
            ("415-555-0123", "…"),
            ("Write to ana@demo.test please", "Write to … please"),
            ("tomorrow at 10:30, for £45, on 2026-06-01", "tomorrow at 10:30, for £45, on 2026-06-01"),
            ("table 4 (of 12) + 1", "table 4 (of 12) + 1"),
            ("meet @ noon", "meet @ noon"),
            ("", ""),
        ] {
            assert_eq!(without_contacts(said), shown, "{said}");
        }
    }

    proptest! {
        #[test]
        fn no_telephone_number_is_left_in_any_text(before in "\\PC{0,20}", after in "\\PC{0,20}") {
            let shown = without_contacts(&format!("{before} x+447700900001x {after}"));
            prop_assert!(!shown.contains("447700900001"), "{shown}");
        }
    }
}
