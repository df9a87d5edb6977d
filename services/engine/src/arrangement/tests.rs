//! Arrangements against all that a slow search on the five-minute grid finds.

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{
    id::{DependencyId, EmployeeId, ServiceId},
    item::Wish,
    service::{Segment, SegmentKind, Segments},
    step::{Skilled, Variant},
};

fn step(service: u128, guest: u8, minutes: u16) -> Step {
    let course = Segments::new(vec![Segment { kind: SegmentKind::Active, minutes }], 0, 0).unwrap();
    let candidates = vec![Skilled { employee: EmployeeId(Uuid::from_u128(1)), price_minor: 0 }];
    let variants = vec![Variant { course, candidates }];
    Step {
        service: ServiceId(Uuid::from_u128(service)),
        guest,
        preferred: None,
        extra_minutes: 0,
        wish: Wish::Anyone,
        variants,
    }
}

fn rule(first: u128, then: u128, rule: Rule) -> Dependency {
    let service = |number| ServiceId(Uuid::from_u128(number));
    Dependency { id: DependencyId(Uuid::nil()), first: service(first), then: service(then), rule }
}

fn begins(steps: &[Step], rules: &[Dependency]) -> Vec<Vec<u16>> {
    arrangements(steps, rules).into_iter().map(|way| way.begins).collect()
}

#[test]
fn services_come_in_the_order_asked_for_and_else_in_any_other() {
    let steps = [step(1, 0, 30), step(2, 0, 20)];
    assert_eq!(begins(&steps, &[]), [[0, 30], [20, 0]]);
}

#[test]
fn a_rule_orders_them_and_asks_for_its_gap() {
    let steps = [step(1, 0, 30), step(2, 0, 20)];
    assert_eq!(begins(&steps, &[rule(2, 1, Rule::Order { least: 10, most: None })]), [[30, 0]]);
}

#[test]
fn a_gap_is_filled_with_what_else_is_wanted() {
    let steps = [step(1, 0, 30), step(2, 0, 20), step(3, 0, 15)];
    let rules = [rule(1, 2, Rule::Order { least: 20, most: Some(40) })];
    assert_eq!(arrangements(&steps, &rules)[0].begins, [0, 50, 30]);
}

#[test]
fn a_first_service_waits_where_its_second_must_follow_at_once() {
    let steps = [step(1, 0, 30), step(2, 0, 20), step(3, 0, 60)];
    let rules = [
        rule(1, 2, Rule::Order { least: 0, most: Some(0) }),
        rule(3, 2, Rule::Order { least: 10, most: None }),
    ];
    assert_eq!(
        begins(&steps, &rules),
        [[60, 90, 0], [40, 70, 0]].map(|way: [u16; 3]| way.to_vec())[..1].to_vec()
    );
}

#[test]
fn services_that_may_overlap_begin_with_each_others_segments() {
    let colour = Segments::new(
        [(SegmentKind::Active, 30), (SegmentKind::Processing, 25), (SegmentKind::Active, 15)]
            .map(|(kind, minutes)| Segment { kind, minutes })
            .to_vec(),
        0,
        0,
    );
    let mut steps = [step(1, 0, 30), step(2, 0, 20)];
    steps[0].variants[0].course = colour.unwrap();
    let found = begins(&steps, &[rule(1, 2, Rule::Parallel)]);
    for expected in [[0, 0], [0, 30], [0, 55], [0, 70]] {
        assert!(found.contains(&expected.to_vec()), "{expected:?} among {found:?}");
    }
}

#[test]
fn guests_begin_together_or_else_one_after_the_other() {
    let steps = [step(1, 0, 30), step(1, 1, 30), step(2, 1, 20)];
    assert_eq!(begins(&steps, &[]), [[0, 0, 30], [0, 20, 0], [0, 30, 60], [0, 50, 30]]);
}

#[test]
fn the_next_guest_begins_where_the_first_has_gone() {
    let steps = [step(1, 0, 60), step(1, 1, 30), step(1, 2, 20)];
    assert_eq!(begins(&steps, &[]), [[0, 0, 0], [0, 0, 30], [0, 60, 90]]);
}

#[test]
fn the_next_guest_begins_while_the_colour_of_the_first_takes() {
    let mut steps = [step(1, 0, 30), step(2, 1, 20)];
    let colour = [(SegmentKind::Active, 30), (SegmentKind::Processing, 25), (SegmentKind::Active, 15)];
    let colour = colour.map(|(kind, minutes)| Segment { kind, minutes });
    steps[0].variants[0].course = Segments::new(colour.to_vec(), 0, 0).unwrap();
    assert_eq!(begins(&steps, &[]), [[0, 0], [0, 30], [0, 70]]);
}

#[test]
fn a_place_is_made_ready_between_guests() {
    let mut steps = [step(1, 0, 30), step(1, 1, 30)];
    for step in &mut steps {
        let segment = Segment { kind: SegmentKind::Active, minutes: 30 };
        step.variants[0].course = Segments::new(vec![segment], 5, 10).unwrap();
    }
    assert_eq!(begins(&steps, &[]), [[0, 0], [0, 45]]);
}

#[test]
fn many_guests_leave_room_for_every_number_that_begins_together() {
    let steps: Vec<_> =
        (0..8).flat_map(|guest| (1..4).map(move |service| step(service, guest, 20))).collect();
    let found = begins(&steps, &[]);
    let together = |begins: &Vec<u16>| begins.chunks(3).filter(|own| own.contains(&0)).count();
    for at_once in 1..=8 {
        assert!(found.iter().any(|begins| together(begins) == at_once), "{at_once} at once");
    }
    assert!(found.len() <= MOST);
}

#[test]
fn of_the_employees_that_differ_in_length_the_preferred_come_first() {
    let mut steps = [step(1, 0, 30)];
    let slow = Segments::new(vec![Segment { kind: SegmentKind::Active, minutes: 45 }], 0, 0).unwrap();
    let mia = EmployeeId(Uuid::from_u128(2));
    let candidates = vec![Skilled { employee: mia, price_minor: 0 }];
    steps[0].variants.push(Variant { course: slow, candidates });
    assert_eq!(arrangements(&steps, &[])[0].minutes, 30);
    steps[0].preferred = Some(mia);
    assert_eq!(arrangements(&steps, &[])[0].minutes, 45);
}

/// Whether beginnings keep every rule.
fn keeps(steps: &[Step], rules: &[Dependency], begins: &[u16]) -> bool {
    let ends = |step: usize| begins[step] + steps[step].variants[0].course.minutes();
    (0..steps.len()).all(|one| {
        (0..steps.len()).filter(|two| *two != one).all(|two| {
            let apart = ends(one) <= begins[two] || ends(two) <= begins[one];
            let between =
                |rule: &&Dependency| rule.first == steps[one].service && rule.then == steps[two].service;
            let may_overlap = rules.iter().any(|rule| {
                rule.rule == Rule::Parallel && rule.other(steps[one].service) == Some(steps[two].service)
            });
            let kept = rules.iter().filter(between).all(|rule| match rule.rule {
                Rule::Order { least, most } => {
                    begins[two] >= ends(one) + least
                        && most.is_none_or(|most| begins[two] <= ends(one) + most)
                }
                Rule::SameEmployee | Rule::DifferentEmployee | Rule::Parallel | Rule::EarlierVisit { .. } => {
                    true
                }
            });
            (apart || may_overlap) && kept
        })
    })
}

/// The shortest visit of three services that keeps the rules, by trying every five minutes.
fn shortest(steps: &[Step], rules: &[Dependency]) -> Option<u16> {
    let grid = || (0..30u16).map(|slot| slot * 5);
    let all = grid().flat_map(|one| grid().flat_map(move |two| grid().map(move |three| [one, two, three])));
    let length = |begins: &[u16; 3]| {
        begins.iter().zip(steps).map(|(at, step)| at + step.variants[0].course.minutes()).max()
    };
    all.filter(|begins| begins.contains(&0) && keeps(steps, rules, begins))
        .filter_map(|way| length(&way))
        .min()
}

proptest! {
    #[test]
    fn every_arrangement_keeps_the_rules_and_one_is_as_short_as_can_be(
        lengths in prop::array::uniform3(1u16..6),
        rules in prop::collection::vec(
            (0u128..3, 1u128..3, 0u16..3, prop::option::of(0u16..6)), 0..3,
        ),
    ) {
        let steps: Vec<_> = lengths.iter().zip(0..).map(|(slots, number)| step(number, 0, slots * 5)).collect();
        let rules: Vec<_> = rules.iter().map(|&(first, further, least, more)| {
            let most = more.map(|more| (least + more) * 5);
            rule(first, (first + further) % 3, Rule::Order { least: least * 5, most })
        }).collect();
        let found = arrangements(&steps, &rules);
        for way in &found {
            prop_assert!(keeps(&steps, &rules, &way.begins), "{:?}", way);
        }
        prop_assert_eq!(found.iter().map(|way| way.minutes).min(), shortest(&steps, &rules));
    }
}
