//! E-mail addresses, as accounts are found by them.

use core::fmt;

use proto::label::{is_unseen, turns_direction};

/// RFC 5321 leaves no room for longer ones.
const MAX: usize = 254;

/// A trimmed, lower-case address.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

/// Not an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("is not an e-mail address")]
pub struct NotAnEmail;

impl Email {
    /// Parses what a person typed.
    ///
    /// # Errors
    /// When it has not one `@` with something on both sides.
    pub fn parse(text: &str) -> Result<Self, NotAnEmail> {
        if text.chars().any(becomes_ascii) {
            return Err(NotAnEmail);
        }
        let text = text.trim().to_lowercase();
        let well_formed = text.len() <= MAX
            && !text.chars().any(|c| {
                c.is_whitespace()
                    || c.is_control()
                    || c == char::REPLACEMENT_CHARACTER
                    || turns_direction(c)
                    || is_unseen(c)
            })
            && matches!(text.split_once('@'), Some((local, domain))
                if !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
        if well_formed { Ok(Self(text)) } else { Err(NotAnEmail) }
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands before the `@`: a name for who has given none.
    #[must_use]
    pub fn local_part(&self) -> &str {
        self.0.split('@').next().unwrap_or(&self.0)
    }
}

/// Whether `c` is another letter that turns into one of ASCII in lower case, as the Kelvin sign does: its letter box would
/// be taken for another person's.
fn becomes_ascii(c: char) -> bool {
    !c.is_ascii() && c.to_lowercase().any(|lower| lower.is_ascii())
}

// Addresses stay out of logs.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_same_account_however_it_is_typed() {
        assert_eq!(Email::parse("  Owner@Demo.TEST "), Email::parse("owner@demo.test"));
        assert_eq!(Email::parse("owner@demo.test").unwrap().local_part(), "owner");
    }

    #[test]
    fn refuses_what_no_letter_would_reach() {
        for text in [
            "",
            "owner",
            "@demo.test",
            "owner@",
            "a@b@c",
            "two words@demo.test",
            "a\0@demo.test",
            "\u{FFFD}@b",
            "ann\u{200B}@demo.test",
            "ann\u{3164}@demo.test",
        ] {
            assert_eq!(Email::parse(text), Err(NotAnEmail), "{text:?}");
        }
        assert!(Email::parse(&format!("{}@demo.test", "a".repeat(250))).is_err());
    }

    #[test]
    fn no_other_letter_is_taken_for_one_of_ascii() {
        for text in ["\u{212A}ate@demo.test", "kate@\u{212A}ing.test", "\u{130}an@demo.test"] {
            assert_eq!(Email::parse(text), Err(NotAnEmail), "{text:?}");
        }
        assert_eq!(Email::parse("ÉLODIE@demo.test").unwrap().as_str(), "élodie@demo.test");
    }

    #[test]
    fn printing_an_address_shows_nothing_of_it() {
        assert_eq!(format!("{:?}", Email::parse("owner@demo.test").unwrap()), "Email(…)");
    }
}
