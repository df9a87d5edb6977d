//! The optimiser against an exact solver, and against the placer.

mod oracle;
mod world;

use std::collections::BTreeMap;

use super::*;
use crate::{
    day::Day,
    id::{EmployeeId, ServiceId},
    item::{Item, Wish},
    placement::Placer,
    span::Span,
};
use oracle::Oracle;
use world::{Salon, at, employee, entry, service_id, small, tiny, visit};

const RUN: Run = Run { seed: 1, tries: 2_000 };

fn find(input: &Input) -> Outcome {
    optimise(input, RUN, || false)
}

/// Who is touched, and to when.
fn touched(outcome: &Outcome) -> Vec<(Who, jiff::Timestamp)> {
    outcome.changes.iter().map(|change| (change.who, change.placement.starts_at)).collect()
}

fn span(from: (i64, i64), to: (i64, i64)) -> Span {
    Span::new(at(from.0, from.1), at(to.0, to.1)).unwrap()
}

/// One person who sells half an hour and a whole one.
fn one_person() -> Salon {
    let mut salon = Salon::new(1, 0, (9, 12));
    salon.sell(1, &[30], 0, &[1], false);
    salon.sell(2, &[60], 0, &[1], false);
    salon
}

/// Gaps of ten, twenty and thirty minutes: only the last is long enough.
fn three_gaps() -> Salon {
    let mut salon = one_person();
    salon.book_at(at(9, 10), &[2], 1);
    salon.book_at(at(10, 30), &[2], 1);
    salon
}

#[test]
fn the_best_of_a_day_solved_by_hand_is_what_oracle_and_optimiser_find() {
    let input = three_gaps().input(at(0, 0));
    let oracle = Oracle::of(&input);
    // Ten minutes earlier closes the first gap and makes the second long enough: 15 + 10 ÷ 5.
    assert_eq!((oracle.best(), oracle.by_trying()), (17, 17));
    let found = find(&input);
    assert_eq!(found.before, Cost { lost_minutes: 30, ..Cost::default() });
    assert_eq!(found.after, Cost { touched: 1, moved_minutes: 10, ..Cost::default() });
    assert_eq!(touched(&found), [(Who::Visit(visit(0)), at(9, 0))]);
}

#[test]
fn a_visit_is_moved_only_where_that_brings_more_than_a_call_is_worth() {
    // Ten minutes are lost before the visit, and some after it.
    let lost_after = |minutes: i64| {
        let mut salon = one_person();
        salon.book_at(at(9, 10), &[2], 1);
        salon.book_at(at(10, 10) + jiff::SignedDuration::from_mins(minutes), &[2], 1);
        find(&salon.input(at(0, 0)))
    };
    // The first visit can close the first gap alone: ten minutes for 15 + 2.
    let small = lost_after(0);
    assert!(10 < WORTH_A_CALL && touched(&small).is_empty(), "{small:?}");
    // It makes the second gap long enough as well.
    let large = lost_after(20);
    assert_eq!(touched(&large), [(Who::Visit(visit(0)), at(9, 0))]);
    assert!(large.before.total() - large.after.total() > 0);
}

#[test]
fn the_oracle_finds_what_trying_everything_finds() {
    let small_enough = |seed: &u64| Oracle::of(&tiny(*seed)).days() <= 3_000;
    let seeds: Vec<u64> = (0..60).filter(small_enough).collect();
    assert!(seeds.len() >= 20, "only {} worlds are small enough", seeds.len());
    for seed in seeds {
        let input = tiny(seed);
        let oracle = Oracle::of(&input);
        assert_eq!(oracle.best(), oracle.by_trying(), "world {seed}");
    }
}

/// Worlds that are looked at: fifty, or as many as `PROVE_WORLDS` says, up to 200.
fn worlds() -> Vec<u64> {
    let wanted = std::env::var("PROVE_WORLDS").ok().and_then(|worlds| worlds.parse().ok());
    // The solver takes minutes to prove what is best in world 107.
    (0..=200).filter(|seed| *seed != 107).take(wanted.unwrap_or(50)).collect()
}

#[test]
fn no_small_day_is_much_worse_than_the_best_there_is() {
    let measure = |seed: &&u64| {
        let input = small(**seed);
        let (found, best) = (find(&input), Oracle::of(&input).best());
        let cost = found.after.total();
        assert!(best <= cost, "world {seed}: the best of all costs {best}, and {cost} was found");
        let most = best + (best.abs() / 20).max(5);
        assert!(cost <= most, "world {seed}: {cost} was found, where {best} is the best");
        check(&input, &found);
        cost == best
    };
    let worlds = worlds();
    let half = |from: usize| worlds.iter().skip(from).step_by(2).filter(measure).count();
    let exact = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0) + other.join().unwrap()
    });
    println!("of {} days {exact} are the best there are", worlds.len());
    assert!(exact * 20 >= worlds.len() * 19, "only {exact} of {} days are the best", worlds.len());
}

/// What is taken once the changes are made, by visit or entry, beside what stays.
fn rows_after(input: &Input, outcome: &Outcome) -> BTreeMap<Who, Vec<(SubjectId, Span)>> {
    let mut rows: BTreeMap<_, _> = BTreeMap::new();
    for visit in &input.visits {
        if let Place::Kept(taken) = &visit.place {
            rows.insert(Who::Visit(visit.id), taken.clone());
        }
    }
    for Change { who, placement } in &outcome.changes {
        rows.insert(*who, placement.occupied.iter().map(|row| (row.subject, row.during)).collect());
    }
    rows
}

fn by_hands(items: impl Iterator<Item = (u8, ServiceId, EmployeeId)>) -> Vec<(u8, ServiceId, EmployeeId)> {
    let mut items: Vec<_> = items.collect();
    items.sort_unstable();
    items
}

/// Each change is one that a booking could make, on the day with all others made, and none goes
/// further than its customer agreed to.
fn check(input: &Input, outcome: &Outcome) {
    let day = Day::of(input.date, &input.zone);
    let rows = rows_after(input, outcome);
    for Change { who, placement } in &outcome.changes {
        let mut ground = Ground::of(input);
        let others = rows.iter().filter(|(other, _)| *other != who).flat_map(|(_, rows)| rows);
        others.for_each(|(subject, span)| ground.line.take(*subject, *span));
        let item = |item: &crate::visit::PlacedItem| Item {
            service: item.service,
            employee: Some(item.employee),
            preferred: None,
            guest: item.guest,
            customer: None,
            extra_minutes: item.extra_minutes,
            wish: Wish::Anyone,
        };
        let items: Vec<_> = placement.items.iter().map(item).collect();
        let request = ground.rules.request(&items).unwrap();
        assert!(Placer::new(&ground.line, &request).at(placement.starts_at).is_ok(), "{who:?}");
        let starts = match who {
            Who::Visit(id) => {
                let visit = input.visits.iter().find(|visit| visit.id == *id).unwrap();
                let wanted = |item: &Item| {
                    placement.items.iter().any(|placed| {
                        placed.service == item.service
                            && item.employee.is_none_or(|who| who == placed.employee)
                    })
                };
                assert!(visit.items.iter().all(wanted), "{who:?}");
                if visit.items.iter().all(|item| item.employee.is_some()) {
                    let now =
                        visit.items.iter().map(|item| (item.guest, item.service, item.employee.unwrap()));
                    let then = placement.items.iter().map(|item| (item.guest, item.service, item.employee));
                    assert_eq!(by_hands(then), by_hands(now));
                }
                visit.starts.into_iter().collect()
            }
            Who::Waiting(id) => input.waiting.iter().find(|one| one.id == *id).unwrap().starts.clone(),
        };
        let begins = Span::new(placement.starts_at, day.ends_at()).unwrap();
        assert!(
            starts.iter().any(|starts| starts.overlaps(begins) && starts.starts_at() <= begins.starts_at())
        );
        assert!(starts.iter().any(|starts| begins.starts_at() < starts.ends_at()));
    }
    let all: Vec<_> = rows.iter().flat_map(|(who, rows)| rows.iter().map(move |row| (who, row))).collect();
    for (index, (who, (subject, span))) in all.iter().enumerate() {
        let clash = all[..index]
            .iter()
            .find(|(other, (theirs, taken))| other != who && theirs == subject && taken.overlaps(*span));
        assert!(clash.is_none(), "{who:?} and {clash:?}");
    }
    assert_eq!(Oracle::of(input).cost_of(&rows_after(input, outcome), outcome), outcome.after.total());
}

#[test]
fn the_same_run_gives_the_same_answer_and_another_seed_no_worse_day_than_it_was() {
    for seed in 0..10 {
        let input = small(seed);
        let again: Input = serde_json::from_str(&input.canonical()).unwrap();
        assert_eq!(find(&input), find(&again), "world {seed}");
        let other = optimise(&input, Run { seed: 99, ..RUN }, || false);
        assert!(other.is_reproducible && other.tried <= RUN.tries);
        assert!(other.after.total() <= other.before.total());
        check(&input, &other);
    }
}

#[test]
fn no_visit_moves_without_a_gain() {
    for seed in 0..15 {
        let input = small(seed);
        let found = find(&input);
        for index in 0..found.changes.len() {
            let mut without = found.clone();
            without.changes.remove(index);
            let rows = rows_after(&input, &without);
            let all: Vec<_> =
                rows.iter().flat_map(|(who, rows)| rows.iter().map(move |row| (who, row))).collect();
            let is_possible = all.iter().enumerate().all(|(index, (who, (subject, span)))| {
                let clashes = |(other, (theirs, taken)): &(&Who, &(SubjectId, Span))| {
                    other != who && theirs == subject && taken.overlaps(*span)
                };
                !all[..index].iter().any(clashes)
            });
            let cost = Oracle::of(&input).cost_of(&rows, &without);
            assert!(!is_possible || cost > found.after.total(), "world {seed}: {:?}", found.changes[index]);
        }
    }
}

#[test]
fn a_run_that_the_clock_ends_says_so_and_leaves_the_best_so_far() {
    let input = three_gaps().input(at(0, 0));
    let mut looks = 0;
    let cut = optimise(&input, RUN, || true);
    assert_eq!((cut.is_reproducible, cut.tried, cut.changes.len()), (false, 0, 0));
    assert_eq!(cut.before, cut.after);
    let cut = optimise(&input, RUN, || {
        looks += 1;
        looks > 4
    });
    assert!(!cut.is_reproducible && cut.tried > 0 && cut.tried < RUN.tries);
    check(&input, &cut);
    let whole = find(&input);
    assert!(whole.is_reproducible);
    assert_eq!(whole.tried, RUN.tries);
}

#[test]
fn a_visit_moves_by_fifteen_minutes_unless_its_customer_agreed_to_more() {
    let mut salon = Salon::new(1, 0, (9, 11));
    salon.sell(1, &[30], 0, &[1], false);
    salon.sell(2, &[80], 0, &[1], false);
    let long = salon.book_at(at(9, 20), &[2], 1);
    let found = find(&salon.input(at(0, 0)));
    assert_eq!(touched(&found), [(Who::Visit(long), at(9, 5))]);
    assert_eq!(found.after, Cost { lost_minutes: 5, touched: 1, moved_minutes: 15, ..Cost::default() });
    salon.facts.agreed.insert(long, 20);
    let found = find(&salon.input(at(0, 0)));
    assert_eq!(touched(&found), [(Who::Visit(long), at(9, 0))]);
    assert_eq!(found.after, Cost { touched: 1, moved_minutes: 20, ..Cost::default() });
}

#[test]
fn visits_due_within_the_hour_or_arrived_stay() {
    let salon = three_gaps();
    let soon = salon.input(at(8, 11));
    assert_eq!(soon.visits.iter().map(|visit| visit.id).collect::<Vec<_>>(), [visit(1)]);
    assert!(salon.input(at(8, 10)).visits.iter().any(|visit| visit.id == self::visit(0)));
    let mut salon = three_gaps();
    salon.facts.visits[1].0.state = crate::appointment::State::Arrived;
    assert_eq!(salon.input(at(0, 0)).visits.len(), 1);
    salon.facts.visits[0].0.squeezed_in = true;
    assert_eq!(salon.input(at(0, 0)).visits.len(), 0);
}

#[test]
fn gaps_that_are_over_are_not_counted() {
    let input = three_gaps().input(at(9, 5));
    assert_eq!(find(&input).before, Cost { lost_minutes: 25, ..Cost::default() });
}

fn two_people() -> Salon {
    let mut salon = Salon::new(2, 1, (9, 12));
    salon.sell(1, &[30], 0, &[1, 2], true);
    salon.sell(2, &[45], 0, &[1], false);
    salon
}

#[test]
fn a_stranded_visit_goes_to_another_able_employee() {
    let mut salon = two_people();
    let easy = salon.book_at(at(10, 0), &[1], 1);
    let hard = salon.book_at(at(11, 0), &[2], 1);
    salon.miss(1, span((9, 30), (18, 0)));
    let found = find(&salon.input(at(0, 0)));
    assert_eq!(found.before.unplaced, 2);
    assert_eq!(touched(&found), [(Who::Visit(easy), at(10, 0))]);
    assert_eq!(found.changes[0].placement.items[0].employee, employee(2));
    // No other employee does the second visit's service.
    assert_eq!((found.after.unplaced, found.after.moved_minutes), (1, 0));
    assert!(!found.changes.iter().any(|change| change.who == Who::Visit(hard)));
}

#[test]
fn other_visits_make_room_for_a_stranded_one() {
    let mut salon = two_people();
    let lost = salon.book_at(at(10, 30), &[1], 1);
    let before = salon.book_at(at(10, 0), &[1], 2);
    salon.block(2, span((11, 0), (12, 0)));
    salon.block(2, span((9, 0), (9, 45)));
    let late = salon.book_at(at(9, 0), &[2], 1);
    salon.miss(1, span((10, 0), (18, 0)));
    let found = find(&salon.input(at(0, 0)));
    assert_eq!(touched(&found), [(Who::Visit(lost), at(10, 30))]);
    assert_eq!((found.before.unplaced, found.after.unplaced), (1, 0));
    assert!(!found.changes.iter().any(|change| [Who::Visit(before), Who::Visit(late)].contains(&change.who)));
}

#[test]
fn who_waits_is_served_once_others_make_room() {
    let mut salon = one_person();
    salon.book_at(at(9, 15), &[2], 1);
    salon.book_at(at(10, 30), &[2], 1);
    salon.block(1, span((11, 30), (12, 0)));
    salon.wait(1, &[1], 540, 720);
    let found = find(&salon.input(at(0, 0)));
    assert_eq!((found.before.served_minutes, found.after.served_minutes), (0, 30));
    assert!(found.changes.iter().any(|change| change.who == Who::Waiting(entry(1))));
    assert_eq!((found.after.touched, found.after.lost_minutes), (1, 0));
    check(&salon.input(at(0, 0)), &found);
}

#[test]
fn a_customer_is_never_in_two_places() {
    let mut salon = Salon::new(2, 0, (9, 12));
    salon.sell(1, &[30], 0, &[1, 2], false);
    salon.sell(2, &[60], 0, &[1, 2], false);
    salon.book_at(at(9, 20), &[2], 1);
    salon.book_at(at(11, 5), &[1], 2);
    let free = find(&salon.input(at(0, 0)));
    assert!(free.changes.len() > 1);
    // The same customer comes to both: the second can't begin before the first is over.
    for (visit, _) in &mut salon.facts.visits {
        visit.occasion.customer = Some(crate::id::CustomerId(uuid::Uuid::from_u128(1)));
    }
    let input = salon.input(at(0, 0));
    let found = find(&input);
    let when =
        |id, was| touched(&found).iter().find(|(who, _)| *who == Who::Visit(id)).map_or(was, |(_, at)| *at);
    let (first, second) = (when(visit(0), at(9, 20)), when(visit(1), at(11, 5)));
    assert!(second.duration_since(first).as_mins() >= 60, "{first} and {second}");
    assert_eq!(found.after.total(), Oracle::of(&input).best());
}

#[test]
fn the_number_of_an_input_is_that_of_what_counts_in_it() {
    let salon = three_gaps();
    let input = salon.input(at(0, 0));
    assert_eq!(input.hash(), "5922f5807165edf6c57f700e49c0ed06835f5d59ad8da5993edc2006913f9a7f");
    let mut same = three_gaps();
    same.facts.visits.reverse();
    same.schedule.services.values_mut().for_each(|service| service.name = "renamed".to_owned());
    same.schedule.version = 7;
    assert_eq!(same.input(at(0, 0)), input);
    assert_eq!(same.input(at(-9, 0)).hash(), input.hash());
    let mut other = three_gaps();
    other.facts.agreed.insert(visit(0), 20);
    assert_ne!(other.input(at(0, 0)).hash(), input.hash());
    // However a database has its members in order.
    let stored: serde_json::Value = serde_json::from_str(&input.canonical()).unwrap();
    let back: Input = serde_json::from_value(stored).unwrap();
    assert_eq!((back.hash(), &back), (input.hash(), &input));
    assert!(
        input
            .canonical()
            .starts_with(r#"{"customers":{},"date":"2026-06-01","dependencies":[],"employees":{"#)
    );
    assert_eq!(input.services.len(), 1, "services without a visit are left out");
    assert!(input.services.contains_key(&service_id(2)));
}
