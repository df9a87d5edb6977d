//! Whose telephone numbers and e-mail addresses employees see.

use std::collections::BTreeSet;

use engine::id::CustomerId;
use jiff::{SignedDuration, Timestamp};

/// How far from now a visit of an employee's own lets them see its customer's contact.
const EITHER_WAY: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A business's policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContactPolicy {
    /// All customers', instead of those of their own visits.
    pub employees_see_all: bool,
}

/// The first and the last start of visits that count at `now`.
#[must_use]
pub fn counted_starts(now: Timestamp) -> (Timestamp, Timestamp) {
    (now - EITHER_WAY, now + EITHER_WAY)
}

/// Of numbers with the customers who have them, those of which no customer `is_shown`. Several may have the same one.
#[must_use]
pub fn phones_beyond(
    owners: Vec<(String, CustomerId)>,
    is_shown: impl Fn(CustomerId) -> bool,
) -> BTreeSet<String> {
    let (shown, others): (Vec<_>, Vec<_>) = owners.into_iter().partition(|(_, customer)| is_shown(*customer));
    let shown: BTreeSet<_> = shown.into_iter().map(|(phone, _)| phone).collect();
    others.into_iter().map(|(phone, _)| phone).filter(|phone| !shown.contains(phone)).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_number_of_several_customers_is_hidden_where_none_of_them_is_shown() {
        let [mia, noa] = [1, 2].map(|id| CustomerId(Uuid::from_u128(id)));
        let owners = || [("+441", noa), ("+442", noa), ("+442", mia), ("+443", mia)];
        let owners = || owners().map(|(phone, customer)| (phone.to_owned(), customer)).to_vec();
        let beyond = |shown: &[CustomerId]| -> Vec<String> {
            phones_beyond(owners(), |customer| shown.contains(&customer)).into_iter().collect()
        };
        assert_eq!(beyond(&[]), ["+441", "+442", "+443"]);
        assert_eq!(beyond(&[mia]), ["+441"]);
        assert_eq!(beyond(&[mia, noa]), [""; 0]);
    }
}
