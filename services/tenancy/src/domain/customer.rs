//! A person the salon serves.

use super::{Email, Phone};

typed_id::typed_id! {
    /// A customer of a business.
    CustomerId,
}

/// A search for customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedCustomers {
    /// All.
    All,
    /// Those with this number.
    WithPhone(Phone),
    /// Those whose names have words that begin so; never empty.
    Named(Vec<String>),
    /// Those whose numbers contain these digits.
    Numbered(String),
}

/// So few digits are in everybody's number.
const FEWEST_DIGITS: usize = 3;

impl WantedCustomers {
    /// Interprets what an employee types: a number, or words of a name.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        let is_number = text.chars().all(|c| c.is_ascii_digit() || " +()/-.".contains(c));
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        // Within the country it is dialled with zeros that the whole number does not have.
        let digits = digits.trim_start_matches('0');
        if is_number && digits.len() >= FEWEST_DIGITS {
            return Self::Numbered(digits.to_owned());
        }
        let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() { Self::All } else { Self::Named(words) }
    }
}

/// A person the salon serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Unique in the installation.
    pub id: CustomerId,
    /// What the person is called.
    pub name: String,
    /// Where to reach the person; others may share it.
    pub phone: Option<Phone>,
    /// Where to write to.
    pub email: Option<Email>,
    /// Grows by one with each change.
    pub version: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_of_a_number_and_the_rest_are_words() {
        assert_eq!(WantedCustomers::typed("07700 900"), WantedCustomers::Numbered("7700900".to_owned()));
        assert_eq!(WantedCustomers::typed("+44 77"), WantedCustomers::Numbered("4477".to_owned()));
        let named = |words: &[&str]| WantedCustomers::Named(words.iter().map(ToString::to_string).collect());
        assert_eq!(WantedCustomers::typed(" zoe  b "), named(&["zoe", "b"]));
        assert_eq!(WantedCustomers::typed("12"), named(&["12"]));
        assert_eq!(WantedCustomers::typed("  "), WantedCustomers::All);
    }
}
