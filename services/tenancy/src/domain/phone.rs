//! Telephone numbers.

use core::fmt;

use super::{Country, numbering};

/// More is no number with decorations.
const LONGEST_INPUT: usize = 40;
/// `+` and what E.164 allows.
const LONGEST: usize = 1 + 15;

/// Why a text names no telephone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhoneError {
    /// Not digits with the usual decorations, or too many or few for its country.
    #[error("is not a telephone number")]
    NotANumber,
    /// A national number where no country is known.
    #[error("must begin with + and the country code")]
    NoCountry,
}

/// A number in E.164: `+`, country code, national number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phone(String);

impl Phone {
    /// Reads a number with its country code.
    ///
    /// # Errors
    /// [`PhoneError`].
    pub fn parse(text: &str) -> Result<Self, PhoneError> {
        Dialled::parse(text)?.from_country(None)
    }

    /// As stored, without another look at the numbering plans: they may have changed since.
    pub(crate) fn stored(e164: String) -> Self {
        Self(e164)
    }

    /// In E.164.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The countries that share its country code, the main one first.
    #[must_use]
    pub fn countries(&self) -> Vec<Country> {
        numbering::countries(&self.0)
    }

    fn checked(e164: Option<String>) -> Result<Self, PhoneError> {
        e164.filter(|e164| e164.len() <= LONGEST).map(Self).ok_or(PhoneError::NotANumber)
    }
}

impl fmt::Display for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number as a person gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dialled {
    /// With its country code.
    International(Phone),
    /// As dialled at home: its digits.
    National(String),
}

impl Dialled {
    /// Reads digits with the usual decorations.
    ///
    /// # Errors
    /// [`PhoneError::NotANumber`].
    pub fn parse(text: &str) -> Result<Self, PhoneError> {
        let text = text.trim();
        if text.len() > LONGEST_INPUT {
            return Err(PhoneError::NotANumber);
        }
        match text.strip_prefix('+') {
            Some(rest) => {
                let digits = digits(rest).ok_or(PhoneError::NotANumber)?;
                Phone::checked(numbering::international(&digits)).map(Self::International)
            }
            None => digits(text).map(Self::National).ok_or(PhoneError::NotANumber),
        }
    }

    /// The number as it rings from `country`.
    ///
    /// # Errors
    /// [`PhoneError`].
    pub fn from_country(self, country: Option<Country>) -> Result<Phone, PhoneError> {
        match self {
            Self::International(phone) => Ok(phone),
            Self::National(digits) => {
                let country = country.ok_or(PhoneError::NoCountry)?;
                Phone::checked(numbering::national(&digits, country))
            }
        }
    }
}

/// The digits of a text that has nothing else but what people write between them.
fn digits(text: &str) -> Option<String> {
    let mut digits = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' => digits.push(c),
            ' ' | '-' | '.' | '/' | '(' | ')' | '\u{a0}' | '\u{2010}'..='\u{2013}' => {}
            _ => return None,
        }
    }
    (!digits.is_empty()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn from(country: &str, text: &str) -> Result<String, PhoneError> {
        Dialled::parse(text)?.from_country(Country::parse(country)).map(|phone| phone.to_string())
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for text in [
            "+44 20 7946 0018",
            "+44 (0)20 7946 0018",
            "+442079460018",
            "020 7946 0018",
            "(020) 7946-0018",
            "0044 20 7946 0018",
            " 020.7946.0018 ",
        ] {
            assert_eq!(from("GB", text).as_deref(), Ok("+442079460018"), "{text}");
        }
    }

    #[test]
    fn a_national_number_is_read_in_the_country_it_was_dialled_in() {
        assert_eq!(from("US", "(415) 555-0134").as_deref(), Ok("+14155550134"));
        assert_eq!(from("US", "1 415 555 0134").as_deref(), Ok("+14155550134"));
        assert_eq!(from("DE", "0151 23456789").as_deref(), Ok("+4915123456789"));
        assert_eq!(from("IT", "06 6982 1234").as_deref(), Ok("+390669821234"));
        assert_eq!(Phone::parse("020 7946 0018"), Err(PhoneError::NoCountry));
    }

    #[test]
    fn a_foreign_number_keeps_its_digits_whatever_the_country() {
        assert_eq!(from("US", "+49 151 23456789").as_deref(), Ok("+4915123456789"));
        assert_eq!(from("US", "011 49 151 23456789").as_deref(), Ok("+4915123456789"));
        assert_eq!(from("GB", "00 1 415 555 0134").as_deref(), Ok("+14155550134"));
        assert_eq!(from("DE", "+7 812 555 35 35").as_deref(), Ok("+78125553535"));
        assert_eq!(from("DE", "+49 (0)30 901820").as_deref(), Ok("+4930901820"));
    }

    #[test]
    fn a_number_outside_the_known_ranges_is_taken_when_its_length_is_possible() {
        assert_eq!(from("GB", "07700 900123").as_deref(), Ok("+447700900123"));
        assert_eq!(Phone::parse("+447700900123").unwrap().countries().first().copied(), Country::parse("GB"));
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in [
            "",
            "+",
            "anonymous",
            "+44",
            "+44 20",
            "+44 20 7946 00180 12345",
            "call 020 7946 0018",
            "1-800-FLOWERS",
            "020 7946 0018 x12",
            "+999 1234567",
            "020 7946 0018; DROP",
            "٠٢٠٧٩٤٦٠٠١٨",
            "12",
        ] {
            assert_eq!(from("GB", text), Err(PhoneError::NotANumber), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_that_was_read_reads_as_itself(
            text in "[+]?[0-9 ().-]{1,24}",
            country in prop::sample::select(vec!["GB", "US", "AR", "BR", "MX", "IT", "DE", "AU", "AG", "CI", "SM", "KZ"]),
        ) {
            if let Ok(read) = from(country, &text) {
                prop_assert_eq!(from("FR", &read), Ok(read));
            }
        }

        #[test]
        fn no_text_at_all_makes_it_panic(text in any::<String>(), country in prop::sample::select(vec!["GB", "US", "AR"])) {
            drop(from(country, &text));
        }
    }
}
