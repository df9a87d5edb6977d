use proptest::prelude::*;

use super::*;
use crate::placement::{Placer, tests::world::plain_world};

proptest! {
    /// What is lost is what a walk over single slots finds lost.
    #[test]
    fn lost_minutes_are_free_stretches_too_short_for_anything(world in plain_world()) {
        let Ok(request) = world.schedule.request(&world.items) else { return Ok(()) };
        let line = world.line();
        let shortest = Shortest::of(&world.schedule);
        for offer in Placer::new(&line, &request).offers(world.whole()).take(20) {
            let mut employees: Vec<_> = offer.items.iter().map(|item| item.employee).collect();
            employees.sort_unstable();
            employees.dedup();
            let mut lost = 0;
            for employee in employees {
                let mine: Vec<_> =
                    offer.occupied.iter().filter(|row| row.subject == employee.into()).map(|row| row.during).collect();
                let person = line.person(employee).unwrap();
                let free = |slot: usize| person.working.get(slot) && !person.occupied.get(slot);
                let mut before = 0;
                while line.slot_at(mine[0].starts_at()).and_then(|at| at.checked_sub(before + 1)).is_some_and(free) {
                    before += 1;
                }
                let end = mine.iter().map(|span| span.ends_at()).max().unwrap();
                let mut behind = 0;
                while line.slot_at(end).is_some_and(|at| free(at + behind)) {
                    behind += 1;
                }
                lost += [before, behind].iter().filter(|gap| **gap < shortest.0).sum::<usize>();
            }
            prop_assert_eq!(usize::from(lost_minutes(&offer, &line, shortest)), lost * 5);
        }
    }

    #[test]
    fn no_two_starts_rank_alike(world in plain_world()) {
        let Ok(request) = world.schedule.request(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &request);
        let offers = placer.offers(world.whole());
        let mut ranks: Vec<_> = offers.map(|offer| Rank::of(&offer, &request, &line, Shortest::of(&world.schedule))).collect();
        let count = ranks.len();
        ranks.sort_unstable();
        ranks.dedup();
        prop_assert_eq!(ranks.len(), count);
    }
}
