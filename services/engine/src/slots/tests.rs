use proptest::prelude::*;

use super::*;

fn slots(bits: &[bool]) -> Slots {
    let mut slots = Slots::clear(bits.len());
    for (index, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        slots.set(index..index + 1);
    }
    slots
}

fn bits(slots: &Slots) -> Vec<bool> {
    (0..slots.len()).map(|index| slots.get(index)).collect()
}

fn some_bits() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(0.85), 0..400)
}

proptest! {
    #[test]
    fn a_run_is_found_where_every_slot_of_it_is_set(row in some_bits(), length in 1usize..150) {
        let found = slots(&row).runs(length);
        for start in 0..row.len() {
            let fits = start + length <= row.len() && row[start..start + length].iter().all(|bit| *bit);
            prop_assert_eq!(found.get(start), fits, "start {}", start);
        }
    }

    #[test]
    fn looking_ahead_compares_with_the_slot_that_lies_there(
        (row, other) in some_bits().prop_flat_map(|row| {
            let len = row.len();
            (Just(row), prop::collection::vec(any::<bool>(), len))
        }),
        ahead in 0usize..200,
    ) {
        let moved = slots(&other).earlier(ahead);
        let mut result = slots(&row);
        result.and_ahead(&slots(&other), ahead);
        for (index, bit) in row.iter().enumerate() {
            let there = other.get(index + ahead).copied().unwrap_or(false);
            prop_assert_eq!((result.get(index), moved.get(index)), (*bit && there, there));
        }
    }

    #[test]
    fn days_in_a_row_keep_their_slots(days in prop::collection::vec((some_bits(), 1usize..=300), 0..6)) {
        let (mut expected, mut row) = (vec![], Slots::default());
        for (bits, len) in &days {
            let mut day = DaySlots::default();
            for (index, _) in bits.iter().enumerate().take(*len).filter(|(_, bit)| **bit) {
                day.set(index..index + 1);
            }
            row.append(&day, *len);
            expected.extend((0..*len).map(|index| bits.get(index).copied().unwrap_or(false)));
        }
        prop_assert_eq!(bits(&row), expected);
    }

    #[test]
    fn a_range_sets_its_slots_and_no_others(len in 0usize..400, from in 0usize..420, length in 0usize..420) {
        let mut row = Slots::clear(len);
        row.set(from..from + length);
        prop_assert_eq!(bits(&row), (0..len).map(|i| (from..from + length).contains(&i)).collect::<Vec<_>>());
        prop_assert_eq!(row.ones().collect::<Vec<_>>(), (from..(from + length).min(len)).collect::<Vec<_>>());
        prop_assert!(row.are_clear(0..from.min(len)) && (length == 0 || from >= len || !row.are_clear(0..from + 1)));
        prop_assert!(!row.are_clear(0..len + 1));
    }

    #[test]
    fn taking_away_and_adding_go_slot_by_slot(pairs in prop::collection::vec(any::<(bool, bool)>(), 0..300)) {
        let (a, b): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let left = slots(&a).without(&slots(&b));
        prop_assert_eq!(bits(&left), pairs.iter().map(|(a, b)| *a && !*b).collect::<Vec<_>>());
        let mut both = slots(&a);
        both.or(&slots(&b));
        prop_assert_eq!(bits(&both), pairs.iter().map(|(a, b)| *a || *b).collect::<Vec<_>>());
    }
}

proptest! {
    #[test]
    fn short_runs_are_those_that_end_too_soon(mut row in some_bits(), length in 1usize..100) {
        row.truncate(DAY_SLOTS);
        let (mut day, mut long) = (DaySlots::default(), DaySlots::default());
        row.iter().enumerate().filter(|(_, bit)| **bit).for_each(|(slot, _)| day.set(slot..slot + 1));
        let ranges: Vec<_> = day.ranges().collect();
        let short = ranges.iter().filter(|range| range.len() < length).map(ExactSizeIterator::len).sum();
        prop_assert_eq!(day.count_in_short_runs(length), short);
        ranges.iter().filter(|range| range.len() >= length).for_each(|range| long.set(range.clone()));
        day.remove(&long);
        prop_assert_eq!((day.count(), day.meets(&long)), (short, false));
        day.add(&long);
        let all: Vec<_> = (0..row.len()).filter(|slot| row[*slot]).collect();
        prop_assert_eq!(ranges.into_iter().flatten().collect::<Vec<_>>(), all);
        prop_assert!((0..DAY_SLOTS).all(|slot| day.get(slot) == row.get(slot).copied().unwrap_or(false)));
    }
}

#[test]
fn full_slots_are_as_many_as_asked_for() {
    for len in [0, 1, 63, 64, 65, 288, 300] {
        assert_eq!(Slots::full(len).ones().count(), len);
    }
}
