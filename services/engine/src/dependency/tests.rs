use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::service::{Price, Segment, SegmentKind, Segments};

fn service_id(number: u128) -> ServiceId {
    ServiceId(Uuid::from_u128(number))
}

/// Services of half an hour each.
fn services(count: u128) -> BTreeMap<ServiceId, Service> {
    let service = |number| Service {
        id: service_id(number),
        name: String::new(),
        category: String::new(),
        course: Segments::new(vec![Segment { kind: SegmentKind::Active, minutes: 30 }], 0, 0).unwrap(),
        price: Price { minor: 0, currency: "GBP".to_owned() },
        aliases: vec![],
        employees: vec![],
        overrides: vec![],
        resource_kinds: vec![],
        version: 1,
        patch_test: String::new(),
    };
    (0..count).map(|number| (service_id(number), service(number))).collect()
}

fn rules(all: &[(u128, u128, Rule)]) -> Vec<Dependency> {
    let rule = |(number, (first, then, rule)): (usize, &(u128, u128, Rule))| Dependency {
        id: DependencyId(Uuid::from_u128(number as u128)),
        first: service_id(*first),
        then: service_id(*then),
        rule: *rule,
    };
    all.iter().enumerate().map(rule).collect()
}

fn order(least: u16, most: Option<u16>) -> Rule {
    Rule::Order { least, most }
}

fn refused(all: &[(u128, u128, Rule)]) -> Vec<u128> {
    let found = check(&services(6), &rules(all)).unwrap_err();
    let mut ids: Vec<_> = found.rules().iter().map(|id| id.0.as_u128()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn rules_that_can_be_kept_together_are_admitted() {
    let kept = [
        (0, 1, order(0, None)),
        (1, 2, order(10, Some(60))),
        (0, 2, order(0, Some(120))),
        (3, 4, Rule::Parallel),
        (0, 1, Rule::SameEmployee),
        (1, 2, Rule::DifferentEmployee),
    ];
    assert_eq!(check(&services(6), &rules(&kept)), Ok(()));
}

#[test]
fn the_smallest_circle_is_named_among_larger_ones() {
    let all = [
        (0, 1, order(0, None)),
        (1, 2, order(0, None)),
        (2, 3, order(0, None)),
        (3, 0, order(0, None)),
        (2, 1, order(0, None)),
    ];
    assert_eq!(refused(&all), [1, 4]);
}

#[test]
fn gaps_that_leave_no_time_for_what_comes_between_contradict() {
    // The third begins at most 10 minutes after the first ends, yet the second comes between.
    let all = [(0, 1, order(0, None)), (1, 2, order(0, None)), (0, 2, order(0, Some(10)))];
    assert_eq!(refused(&all), [0, 1, 2]);
    let enough = [(0, 1, order(0, None)), (1, 2, order(0, None)), (0, 2, order(0, Some(30)))];
    assert_eq!(check(&services(6), &rules(&enough)), Ok(()));
}

#[test]
fn one_employee_and_two_contradict_over_any_number_of_services() {
    let all = [
        (0, 1, Rule::SameEmployee),
        (1, 2, Rule::SameEmployee),
        (2, 3, Rule::SameEmployee),
        (3, 0, Rule::DifferentEmployee),
        (3, 1, Rule::SameEmployee),
    ];
    assert_eq!(refused(&all), [0, 3, 4]);
}

#[test]
fn an_order_and_leave_to_overlap_contradict() {
    assert_eq!(refused(&[(0, 1, order(0, None)), (1, 0, Rule::Parallel)]), [0, 1]);
}

proptest! {
    /// Of what is named, nothing could be left out; and what is not refused can be arranged in time.
    #[test]
    fn what_is_named_contradicts_and_no_part_of_it_does(
        pairs in prop::collection::vec((0u128..4, 1u128..4, 0u16..8, prop::option::of(0u16..12)), 0..7),
    ) {
        let all: Vec<_> = pairs.iter().map(|&(first, further, least, more)| {
            (first, (first + further) % 4, order(least * 5, more.map(|more| (least + more) * 5)))
        }).collect();
        let rules = rules(&all);
        if let Err(found) = check(&services(4), &rules) {
            let named = |without: Option<DependencyId>| -> Vec<Dependency> {
                let named = rules.iter().filter(|rule| found.rules().contains(&rule.id));
                named.filter(|rule| Some(rule.id) != without).cloned().collect()
            };
            prop_assert!(check(&services(4), &named(None)).is_err());
            for rule in found.rules() {
                prop_assert_eq!(check(&services(4), &named(Some(*rule))), Ok(()));
            }
        }
    }
}

#[test]
fn earlier_visits_that_need_each_other_are_named() {
    let earlier = Rule::EarlierVisit { least_hours: 48, most_days: 183 };
    let kept = [(0, 1, earlier), (1, 2, earlier), (1, 0, order(0, None))];
    assert_eq!(check(&services(6), &rules(&kept)), Ok(()));
    let circle = [(0, 1, earlier), (1, 2, earlier), (2, 3, earlier), (4, 5, earlier), (2, 0, earlier)];
    assert_eq!(refused(&circle), [0, 1, 4]);
}
