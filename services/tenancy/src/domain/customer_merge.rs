//! Two records of one person, made one.

use boot::retention::UNDOABLE;
use jiff::Timestamp;

use super::{Customer, CustomerId, Tags};

typed_id::typed_id! {
    /// A merge of two customers.
    CustomerMergeId,
}

/// A customer made part of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerMerge {
    /// Unique in the installation.
    pub id: CustomerMergeId,
    /// The customer that stays, as they were.
    pub before: Customer,
    /// The same, as the merge made them.
    pub after: Customer,
    /// The customer who became part of it.
    pub merged: CustomerId,
    /// Those who were part of that one.
    pub moved: Vec<CustomerId>,
    /// When.
    pub at: Timestamp,
    /// Who merged them, as the audit trail names them.
    pub by: String,
    /// When it was undone, and by whom.
    pub undone: Option<(Timestamp, String)>,
}

/// Why a merge can't be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Lasting {
    /// It is too long ago.
    #[error("a merge can be undone for 10 minutes")]
    TooLate,
    /// Something else happened to one of them since.
    #[error("the customer was changed since the merge")]
    Changed,
}

impl CustomerMerge {
    /// The last instant at which it can be undone.
    #[must_use]
    pub fn undoable_until(&self) -> Timestamp {
        self.at + UNDOABLE
    }

    /// The customer that stays, as they were, out of what they are now.
    ///
    /// # Errors
    /// [`Lasting`].
    pub fn restored(
        &self,
        survivor: &Customer,
        merged: &Customer,
        now: Timestamp,
    ) -> Result<Customer, Lasting> {
        if now > self.undoable_until() {
            return Err(Lasting::TooLate);
        }
        if !survivor.equals(&self.after) || merged.merged_into != Some(survivor.id) {
            return Err(Lasting::Changed);
        }
        Ok(self.before.clone().following(survivor))
    }
}

impl Customer {
    /// The customer, with what another record of the same person knows beyond it: a number or an address that is
    /// missing here, its tags, and the later answer about advertising.
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        let tags = [self.tags.as_slice(), other.tags.as_slice()].concat();
        let answers = [&self.marketing_consent, &other.marketing_consent];
        let combined = Self {
            phone: self.phone.clone().or_else(|| other.phone.clone()),
            email: self.email.clone().or_else(|| other.email.clone()),
            tags: Tags::new(tags),
            marketing_consent: answers.into_iter().flatten().max_by_key(|answer| answer.at).cloned(),
            ..self.clone()
        };
        combined.following(self)
    }

    /// The customer as part of another, or of none.
    #[must_use]
    pub fn part_of(&self, whole: Option<CustomerId>) -> Self {
        Self { merged_into: whole, ..self.clone() }.following(self)
    }

    /// The customer as the state after `before`: with its version, or the next one if anything is different.
    #[must_use]
    fn following(self, before: &Self) -> Self {
        let version = if self.equals(before) { before.version } else { before.version + 1 };
        Self { version, ..self }
    }

    fn equals(&self, other: &Self) -> bool {
        Self { version: other.version, ..self.clone() } == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{MarketingConsent, Phone};

    fn customer(name: &str, phone: Option<&str>, tags: &[&str]) -> Customer {
        Customer {
            id: CustomerId(uuid::Uuid::nil()),
            name: name.to_owned(),
            phone: phone.map(|phone| Phone::parse(phone).unwrap()),
            email: None,
            tags: Tags::new(tags.iter().map(ToString::to_string).collect()),
            marketing_consent: None,
            merged_into: None,
            erased_at: None,
            version: 3,
        }
    }

    #[test]
    fn what_is_missing_comes_from_the_other_and_what_is_there_stays() {
        let (ana, other) = (
            customer("Ana", None, &["VIP"]),
            customer("A. Prior", Some("+44 20 7946 0018"), &["vip", "Colour"]),
        );
        let combined = ana.combined(&other);
        assert_eq!((combined.name.as_str(), &combined.phone, combined.version), ("Ana", &other.phone, 4));
        assert_eq!(combined.tags.as_slice(), ["VIP", "Colour"]);
        assert_eq!(other.combined(&ana).phone, other.phone);
        assert_eq!(ana.combined(&ana), ana, "nothing new is no change");
    }

    #[test]
    fn the_later_answer_about_advertising_counts() {
        let answered = |given, at| {
            let answer = MarketingConsent { given, at, by: "user:1".to_owned() };
            Customer { marketing_consent: Some(answer), ..customer("Ana", None, &[]) }
        };
        let (early, late) = (answered(true, Timestamp::UNIX_EPOCH), answered(false, Timestamp::MAX));
        assert_eq!(early.combined(&late).marketing_consent, late.marketing_consent);
        assert_eq!(late.combined(&early).marketing_consent, late.marketing_consent);
        assert_eq!(customer("Ana", None, &[]).combined(&early).marketing_consent, early.marketing_consent);
    }
}
