//! When an employee is free, in the book and in a booking system beside it.

/// Minutes of a day, from and to.
pub type Minutes = (i32, i32);

/// A stretch of a day in which neither side changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// From this minute.
    pub from: i32,
    /// To this one.
    pub to: i32,
    /// Free in our book.
    pub here: bool,
    /// Free in theirs.
    pub there: bool,
}

/// Both sides' free time, beside each other; what is free on neither is left out.
#[must_use]
pub fn beside(here: &[Minutes], there: &[Minutes]) -> Vec<Stretch> {
    let mut edges: Vec<i32> = here.iter().chain(there).flat_map(|(from, to)| [*from, *to]).collect();
    edges.sort_unstable();
    edges.dedup();
    let free = |spans: &[Minutes], at: i32| spans.iter().any(|(from, to)| (*from..*to).contains(&at));
    let pairs = edges.windows(2).filter_map(|pair| match pair {
        [from, to] => Some((*from, *to)),
        _ => None,
    });
    let mut stretches: Vec<Stretch> = vec![];
    for (from, to) in pairs {
        let (here, there) = (free(here, from), free(there, from));
        if !here && !there {
            continue;
        }
        match stretches.last_mut() {
            Some(last) if last.to == from && (last.here, last.there) == (here, there) => last.to = to,
            _ => stretches.push(Stretch { from, to, here, there }),
        }
    }
    stretches
}

/// Minutes in which the sides differ.
#[must_use]
pub fn difference(stretches: &[Stretch]) -> i32 {
    stretches
        .iter()
        .filter(|stretch| stretch.here != stretch.there)
        .map(|stretch| stretch.to - stretch.from)
        .sum()
}

/// Stretches in order, those that meet or overlap as one.
#[must_use]
pub fn joined(mut spans: Vec<Minutes>) -> Vec<Minutes> {
    spans.sort_unstable();
    let mut joined: Vec<Minutes> = vec![];
    for (from, to) in spans.into_iter().filter(|(from, to)| from < to) {
        match joined.last_mut() {
            Some((_, end)) if from <= *end => *end = (*end).max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// What of `working` is left without `taken`.
#[must_use]
pub fn without(working: &[Minutes], taken: &[Minutes]) -> Vec<Minutes> {
    let mut left: Vec<Minutes> = working.iter().copied().filter(|(from, to)| from < to).collect();
    for (begins, ends) in taken {
        left = left
            .into_iter()
            .flat_map(|(from, to)| [(from, to.min(*begins)), (from.max(*ends), to)])
            .filter(|(from, to)| from < to)
            .collect();
    }
    left.sort_unstable();
    left
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    #[test]
    fn stretches_that_meet_are_one() {
        let spans = vec![(60, 90), (0, 30), (30, 45), (80, 85), (100, 100)];
        assert_eq!(joined(spans), [(0, 45), (60, 90)]);
    }

    proptest! {
        /// Minute by minute the stretches say what the sides say.
        #[test]
        fn stretches_are_the_sides(
            here in vec((0_i32..60, 0_i32..60), 0..5), there in vec((0_i32..60, 0_i32..60), 0..5),
        ) {
            let free = |spans: &[Minutes], at: i32| spans.iter().any(|(from, to)| (*from..*to).contains(&at));
            let stretches = beside(&here, &there);
            for minute in 0..60 {
                let found = stretches.iter().find(|stretch| (stretch.from..stretch.to).contains(&minute));
                let expected = (free(&here, minute), free(&there, minute));
                prop_assert_eq!(found.map_or((false, false), |found| (found.here, found.there)), expected);
            }
            let left = without(&here, &there);
            for minute in 0..60 {
                prop_assert_eq!(free(&left, minute), free(&here, minute) && !free(&there, minute));
            }
            prop_assert!(left.iter().all(|(from, to)| from < to));
        }
    }
}
