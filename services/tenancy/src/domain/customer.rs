//! A person the salon serves.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Email, Phone};

typed_id::typed_id! {
    /// A customer of a business.
    CustomerId,
}

/// A search for customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedCustomers {
    /// All who are part of no other.
    All,
    /// All records, also those that are part of others.
    Recorded,
    /// Those with this number.
    WithPhone(Phone),
    /// Those whose names or e-mail addresses have words that begin so; never empty.
    Named(Vec<String>),
    /// Those with these digits in their numbers.
    Numbered {
        /// What the number contains.
        digits: String,
        /// What it may begin with instead, after the country's code or in place of it.
        dialled: Option<String>,
    },
}

/// Fewer digits than these are in nearly every number.
const FEWEST_DIGITS: usize = 3;

impl WantedCustomers {
    /// Interprets what an employee types: a number, or words of a name.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        let is_number = text.chars().all(|c| c.is_ascii_digit() || " +()/-.".contains(c));
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if is_number && digits.len() >= FEWEST_DIGITS {
            // Dialled within the country, or abroad, a number begins with zeros that E.164 does not have.
            let dialled = digits.trim_start_matches('0');
            let dialled = (dialled.len() < digits.len() && !dialled.is_empty()).then(|| dialled.to_owned());
            return Self::Numbered { digits, dialled };
        }
        let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() { Self::All } else { Self::Named(words) }
    }
}

/// What those are called who were erased, wherever their visits stand.
pub const ERASED: &str = "Erased customer";

/// What customers are filed under, in the order given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    /// Tags without those that differ from an earlier one only in case.
    #[must_use]
    pub fn new(tags: Vec<String>) -> Self {
        let mut seen = std::collections::HashSet::new();
        Self(tags.into_iter().filter(|tag| seen.insert(tag.to_lowercase())).collect())
    }

    /// The tags.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// Whether a customer agrees to advertising.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketingConsent {
    /// Whether they do.
    pub given: bool,
    /// When that was recorded.
    pub at: Timestamp,
    /// Who recorded it, as the audit trail names them.
    pub by: String,
}

/// The record was changed since it was seen; its current version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it was changed meanwhile: its version is {0} now")]
pub struct Stale(pub i64);

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
    /// What the salon files the person under.
    pub tags: Tags,
    /// Whether the person agrees to advertising; `None` until asked.
    pub marketing_consent: Option<MarketingConsent>,
    /// The customer that this one is part of.
    pub merged_into: Option<CustomerId>,
    /// When the person was erased: nothing is known of them since.
    pub erased_at: Option<Timestamp>,
    /// Grows by one with each change.
    pub version: i64,
}

impl Customer {
    /// The customer, if no change was made since `version` was seen.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            _ => Ok(self),
        }
    }

    /// What is known of them, replaced.
    #[must_use]
    pub fn described(self, name: String, phone: Option<Phone>, email: Option<Email>, tags: Tags) -> Self {
        let version = self.version;
        let described = Self { name, phone, email, tags, ..self.clone() };
        if described == self { self } else { Self { version: version + 1, ..described } }
    }

    /// The record without the person, erased at `at`.
    #[must_use]
    pub fn erased(self, at: Timestamp) -> Self {
        Self {
            id: self.id,
            name: ERASED.to_owned(),
            phone: None,
            email: None,
            tags: Tags::default(),
            marketing_consent: None,
            merged_into: self.merged_into,
            erased_at: Some(at),
            version: self.version + 1,
        }
    }

    /// The answer about advertising, replaced.
    #[must_use]
    pub fn answering(self, marketing_consent: Option<MarketingConsent>) -> Self {
        Self { marketing_consent, version: self.version + 1, ..self }
    }

    /// Records whether they agree to advertising. Who recorded the same first stays.
    #[must_use]
    pub fn consenting(self, given: bool, by: &str, at: Timestamp) -> Self {
        if self.marketing_consent.as_ref().is_some_and(|consent| consent.given == given) {
            return self;
        }
        self.answering(Some(MarketingConsent { given, at, by: by.to_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ana() -> Customer {
        Customer {
            id: CustomerId(uuid::Uuid::nil()),
            name: "Ana".to_owned(),
            phone: None,
            email: None,
            tags: Tags::default(),
            marketing_consent: None,
            merged_into: None,
            erased_at: None,
            version: 3,
        }
    }

    #[test]
    fn a_change_counts_and_the_same_again_does_not() {
        let described = |name: &str| ana().described(name.to_owned(), None, None, Tags::default());
        assert_eq!(described("Ana"), ana());
        assert_eq!(described("Anna"), Customer { name: "Anna".to_owned(), version: 4, ..ana() });
        assert_eq!(ana().seen_at(Some(2)), Err(Stale(3)));
        assert_eq!(ana().seen_at(Some(3)).as_ref(), Ok(&ana()));
        assert_eq!(ana().seen_at(None).as_ref(), Ok(&ana()));
    }

    #[test]
    fn consent_keeps_who_recorded_it_first_until_it_is_withdrawn() {
        let given = ana().consenting(true, "user:1", Timestamp::UNIX_EPOCH);
        assert_eq!((given.version, given.marketing_consent.as_ref().map(|c| c.given)), (4, Some(true)));
        assert_eq!(given.clone().consenting(true, "user:2", Timestamp::MAX), given);
        let withdrawn = given.consenting(false, "user:2", Timestamp::MAX).marketing_consent;
        let by = "user:2".to_owned();
        assert_eq!(withdrawn, Some(MarketingConsent { given: false, at: Timestamp::MAX, by }));
    }

    #[test]
    fn a_tag_that_differs_only_in_case_is_one_already() {
        let tags = Tags::new(["VIP", "Colour", "vip"].map(str::to_owned).to_vec());
        assert_eq!(tags.as_slice(), ["VIP", "Colour"]);
    }

    #[test]
    fn digits_are_of_a_number_and_the_rest_are_words() {
        let numbered = |digits: &str, dialled: Option<&str>| WantedCustomers::Numbered {
            digits: digits.to_owned(),
            dialled: dialled.map(str::to_owned),
        };
        assert_eq!(WantedCustomers::typed("07700 900"), numbered("07700900", Some("7700900")));
        assert_eq!(WantedCustomers::typed("+44 77"), numbered("4477", None));
        assert_eq!(WantedCustomers::typed("0012"), numbered("0012", Some("12")));
        assert_eq!(WantedCustomers::typed("000"), numbered("000", None));
        let named = |words: &[&str]| WantedCustomers::Named(words.iter().map(ToString::to_string).collect());
        assert_eq!(WantedCustomers::typed(" zoe  b "), named(&["zoe", "b"]));
        assert_eq!(WantedCustomers::typed("12"), named(&["12"]));
        assert_eq!(WantedCustomers::typed("  "), WantedCustomers::All);
    }
}
