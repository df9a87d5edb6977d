//! What customers have had before, where a service needs it: a patch test two days before a
//! colour.

use jiff::{SignedDuration, Timestamp};

use super::{
    dependency::{Dependency, Rule},
    id::{CustomerId, DependencyId, ServiceId},
    item::Item,
    span::Span,
};

const HOURS_PER_DAY: i64 = 24;

/// Something a visit's customer must have had before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// The rule that says so.
    pub rule: DependencyId,
    /// The customer who must have had it; an unnamed customer has no history.
    pub customer: Option<CustomerId>,
    /// The service.
    pub service: ServiceId,
    /// It ended so long before, or longer.
    pub least: SignedDuration,
    /// It ended so long before, or less.
    pub most: SignedDuration,
}

/// A service that a customer had, or is booked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Had {
    /// The service.
    pub service: ServiceId,
    /// When it ends.
    pub ended_at: Timestamp,
}

impl Need {
    /// What `items` need by `rules`.
    pub(super) fn of(items: &[Item], rules: &[Dependency]) -> Vec<Self> {
        let needs = items.iter().flat_map(|item| {
            let of_item = rules.iter().filter(move |rule| rule.then == item.service);
            of_item.filter_map(move |rule| match rule.rule {
                Rule::EarlierVisit { least_hours, most_days } => Some(Self {
                    rule: rule.id,
                    customer: item.customer,
                    service: rule.first,
                    least: SignedDuration::from_hours(least_hours.into()),
                    most: SignedDuration::from_hours(i64::from(most_days) * HOURS_PER_DAY),
                }),
                Rule::Order { .. } | Rule::SameEmployee | Rule::DifferentEmployee | Rule::Parallel => None,
            })
        });
        needs.collect()
    }

    /// When a visit may start after what its customer has had.
    fn met(&self, had: &[Had]) -> Vec<Span> {
        let that = had.iter().filter(|had| had.service == self.service);
        let starts = that.filter_map(|had| {
            // The last instant counts as well.
            let end = had.ended_at + self.most + SignedDuration::from_nanos(1);
            Span::new(had.ended_at + self.least, end)
        });
        starts.collect()
    }
}

/// When a visit may start whose customer has had all this; whenever, where it needs nothing.
#[must_use]
pub fn admitted(needs: &[Need], had: &[Had]) -> Option<Vec<Span>> {
    let met = needs.iter().map(|need| if need.customer.is_some() { need.met(had) } else { vec![] });
    met.reduce(|some, others| {
        let both =
            |one: &Span| others.iter().filter_map(|other| one.intersection(*other)).collect::<Vec<_>>();
        some.iter().flat_map(both).collect()
    })
}

/// Whether `start` is among what is admitted.
#[must_use]
pub fn admits(admitted: Option<&[Span]>, start: Timestamp) -> bool {
    admitted.is_none_or(|spans| spans.iter().any(|span| (span.starts_at()..span.ends_at()).contains(&start)))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::item::Wish;

    const PATCH: ServiceId = ServiceId(Uuid::from_u128(1));
    const COLOUR: ServiceId = ServiceId(Uuid::from_u128(2));

    fn needs(customer: Option<u128>) -> Vec<Need> {
        let rule = Rule::EarlierVisit { least_hours: 48, most_days: 183 };
        let rule = Dependency { id: DependencyId(Uuid::from_u128(3)), first: PATCH, then: COLOUR, rule };
        let customer = customer.map(|id| CustomerId(Uuid::from_u128(id)));
        let item = Item {
            service: COLOUR,
            employee: None,
            preferred: None,
            guest: 0,
            customer,
            extra_minutes: 0,
            wish: Wish::Anyone,
        };
        Need::of(&[item], &[rule])
    }

    /// Whether a customer with the history `had` and these needs may start at `start`.
    fn may(needs: &[Need], had: &[Had], start: &str) -> bool {
        admits(admitted(needs, had).as_deref(), at(start))
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_patch_test_counts_from_48_hours_after_it_for_half_a_year() {
        let had = [Had { service: PATCH, ended_at: at("2026-06-01T10:00:00Z") }];
        let may = |start| may(&needs(Some(7)), &had, start);
        assert!(!may("2026-06-03T09:55:00Z") && may("2026-06-03T10:00:00Z"));
        assert!(may("2026-12-01T10:00:00Z") && !may("2026-12-01T10:05:00Z"));
    }

    #[test]
    fn an_unnamed_customer_has_no_history() {
        let had = [Had { service: PATCH, ended_at: at("2026-06-01T10:00:00Z") }];
        let start = "2026-06-03T10:00:00Z";
        assert!(!may(&needs(None), &had, start) && !may(&needs(Some(7)), &[], start));
        let other = [Had { service: COLOUR, ended_at: at("2026-06-01T10:00:00Z") }];
        assert!(!may(&needs(Some(7)), &other, start));
        assert!(may(&[], &[], start));
    }

    #[test]
    fn all_that_is_needed_must_be_met_at_once() {
        let [patch] = needs(Some(7)).try_into().unwrap();
        let talk = Need {
            service: COLOUR,
            least: SignedDuration::ZERO,
            most: SignedDuration::from_hours(24),
            ..patch
        };
        let had = [
            Had { service: PATCH, ended_at: at("2026-06-01T10:00:00Z") },
            Had { service: COLOUR, ended_at: at("2026-06-02T12:00:00Z") },
        ];
        let may = |start| may(&[patch, talk], &had, start);
        assert!(!may("2026-06-02T12:00:00Z") && may("2026-06-03T10:00:00Z") && !may("2026-06-03T12:05:00Z"));
    }
}
