//! Bodies in JSON with halves of characters, which a platform in JavaScript writes where a model's text was cut within an
//! emoji. Such text is no Unicode, and no reason to lose a call.

use std::borrow::Cow;

/// Written in the place of half a surrogate pair.
const REPLACEMENT: &[u8] = b"\\ufffd";
/// Bytes of `\ud83d`.
const ESCAPE: usize = 6;

/// The body with each half replaced; as it is where it has none.
#[must_use]
pub fn readable(json: &[u8]) -> Cow<'_, [u8]> {
    let halves = halves(json);
    if halves.is_empty() {
        return Cow::Borrowed(json);
    }
    let mut whole = json.to_vec();
    for at in halves {
        whole[at..at + ESCAPE].copy_from_slice(REPLACEMENT);
    }
    Cow::Owned(whole)
}

/// Where escapes are that stand for half a character.
fn halves(json: &[u8]) -> Vec<usize> {
    let (mut found, mut at) = (vec![], 0);
    while let Some(next) = json[at..].iter().position(|byte| *byte == b'\\') {
        at += next;
        let Some(unit) = unit(&json[at..]) else {
            // Of any other escape, what follows the backslash is no escape's beginning.
            at = (at + 2).min(json.len());
            continue;
        };
        let is_pair = is_high(unit) && unit_at(json, at + ESCAPE).is_some_and(is_low);
        if is_pair {
            at += ESCAPE;
        } else if is_high(unit) || is_low(unit) {
            found.push(at);
        }
        at += ESCAPE;
    }
    found
}

fn unit_at(json: &[u8], at: usize) -> Option<u16> {
    unit(json.get(at..)?)
}

/// The unit of UTF-16 whose escape begins here.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.get(..ESCAPE)?.strip_prefix(b"\\u")?;
    let all_hex = digits.iter().all(u8::is_ascii_hexdigit);
    core::str::from_utf8(digits)
        .ok()
        .filter(|_| all_hex)
        .and_then(|digits| u16::from_str_radix(digits, 16).ok())
}

fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn read(json: &str) -> Value {
        serde_json::from_slice(&readable(json.as_bytes())).unwrap()
    }

    #[test]
    fn half_a_character_is_replaced_and_a_whole_one_stays() {
        assert_eq!(read(r#""I love it \ud83d""#), "I love it \u{fffd}");
        assert_eq!(read(r#""\ude00 and \uD83D\uDE00""#), "\u{fffd} and 😀");
        assert_eq!(read(r#""\ud83d\ud83d\ude00""#), "\u{fffd}😀");
        assert_eq!(read(r#""\ud83dx\u00e9""#), "\u{fffd}xé");
    }

    #[test]
    fn what_only_looks_like_one_is_left_alone() {
        for json in
            [r#""\\ud83d""#, r#""\\\\ud83d \n""#, r#""\ud83d\ude00""#, "{}", "", "\\", r"\u", r"\ud83"]
        {
            assert!(matches!(readable(json.as_bytes()), Cow::Borrowed(_)), "{json}");
        }
        assert_eq!(read(r#""\\\ud83d""#), "\\\u{fffd}");
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd_and_whole_text_is_never_changed(bytes in prop::collection::vec(any::<u8>(), 0..64), text in ".*") {
            let _ = readable(&bytes);
            let json = serde_json::to_vec(&text).unwrap();
            prop_assert_eq!(&readable(&json)[..], &json[..]);
        }
    }
}
