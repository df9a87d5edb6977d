//! Unmet demand: searches that found no offer.

use std::collections::HashMap;

use engine::{id::ServiceId, item::Item, part_of_day::PartOfDay};
use jiff::civil::Date;

/// Most kinds of demand that wait to be written; what is new beyond is not counted.
pub const MOST_WAITING: usize = 10_000;

/// Searches that are counted as one and the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Demand {
    /// The local date they were made on.
    pub day: Date,
    /// What they were for, ascending and each once.
    pub services: Vec<ServiceId>,
    /// When of the day; at no part of it in particular, where none is given.
    pub part: Option<PartOfDay>,
}

impl Demand {
    /// What a search for `items` on `day` wanted.
    #[must_use]
    pub fn new(day: Date, items: &[Item], part: Option<PartOfDay>) -> Self {
        let mut services: Vec<_> = items.iter().map(|item| item.service).collect();
        services.sort_unstable();
        services.dedup();
        Self { day, services, part }
    }
}

/// Demand that waits to be written, counted; `B` is whose.
#[derive(Debug)]
pub struct Waiting<B> {
    counts: HashMap<(B, Demand), u32>,
}

impl<B> Default for Waiting<B> {
    fn default() -> Self {
        Self { counts: HashMap::new() }
    }
}

impl<B: Copy + Eq + core::hash::Hash + Ord> Waiting<B> {
    /// Counts a search. Says whether it was: nothing new is, once there is too much.
    pub fn count(&mut self, business: B, demand: Demand) -> bool {
        let is_full = self.counts.len() >= MOST_WAITING;
        match self.counts.get_mut(&(business, demand.clone())) {
            Some(count) => *count = count.saturating_add(1),
            None if is_full => return false,
            None => drop(self.counts.insert((business, demand), 1)),
        }
        true
    }

    /// Takes all of it, by business and in one order for everybody.
    pub fn take(&mut self) -> Vec<(B, Vec<(Demand, u32)>)> {
        let mut taken: Vec<_> = core::mem::take(&mut self.counts).into_iter().collect();
        taken.sort_unstable();
        let mut batches: Vec<(B, Vec<(Demand, u32)>)> = vec![];
        for ((business, demand), count) in taken {
            match batches.last_mut() {
                Some((of, batch)) if *of == business => batch.push((demand, count)),
                _ => batches.push((business, vec![(demand, count)])),
            }
        }
        batches
    }
}

#[cfg(test)]
mod tests {
    use engine::item::Wish;
    use jiff::civil::date;
    use uuid::Uuid;

    use super::*;

    fn demand(services: &[u128]) -> Demand {
        let item = |number: &u128| Item {
            service: ServiceId(Uuid::from_u128(*number)),
            employee: None,
            preferred: None,
            guest: 0,
            customer: None,
            extra_minutes: 0,
            wish: Wish::Anyone,
        };
        Demand::new(date(2026, 6, 1), &services.iter().map(item).collect::<Vec<_>>(), None)
    }

    #[test]
    fn the_order_of_services_and_how_often_one_is_wanted_do_not_matter() {
        assert_eq!(demand(&[2, 1, 2]), demand(&[1, 2]));
    }

    #[test]
    fn what_waits_is_counted_and_taken_once() {
        let mut waiting = Waiting::default();
        for services in [&[1][..], &[2], &[1]] {
            assert!(waiting.count(7, demand(services)));
        }
        assert!(waiting.count(3, demand(&[1])));
        let taken = waiting.take();
        assert_eq!(taken, [(3, vec![(demand(&[1]), 1)]), (7, vec![(demand(&[1]), 2), (demand(&[2]), 1)])]);
        assert_eq!(waiting.take(), []);
    }

    #[test]
    fn what_is_new_is_not_counted_once_too_much_waits() {
        let mut waiting = Waiting::default();
        for number in 0..MOST_WAITING as u128 {
            assert!(waiting.count((), demand(&[number])));
        }
        assert!(!waiting.count((), demand(&[u128::MAX])));
        assert!(waiting.count((), demand(&[5])));
    }
}
