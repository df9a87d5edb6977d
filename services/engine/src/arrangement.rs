//! In which order, and with which gaps, the services of a visit may follow on each other.
//!
//! All guests begin together, or fewer at once: the next then begins where one has gone, down to
//! one after the other, or already while one's colour takes. What rules do not order comes in the order it was asked for, or in
//! another where that one does not fit; gaps are as short as the rules allow. Services that may
//! overlap also begin with any segment of each other.

use core::cmp::Reverse;

use super::{
    dependency::{Dependency, Rule},
    id::ServiceId,
    service::Segments,
    step::Step,
};

/// Most orders of one guest's services that are looked at: all of five free ones.
const MOST_ORDERS: usize = 120;
/// Most orders of all guests' services, at all their lengths, after which no further length is
/// looked at.
const MOST_ORDERS_IN_ALL: usize = 1_000;
/// Most ways in which a visit is tried at each start.
const MOST: usize = 48;
/// The longest visit, in minutes, of guests who do not all begin together.
const LONGEST_IN_TURN: u16 = 12 * 60;

/// When each service of a visit begins, and with which of its lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    /// Minutes after the visit's start, by step.
    pub begins: Vec<u16>,
    /// Which length of the step counts, by step.
    pub variants: Vec<usize>,
    /// From the start of the first service to the end of the last, in minutes.
    pub minutes: u16,
}

/// One guest's part of an arrangement: when each of the guest's steps begins.
#[derive(Clone)]
struct Part {
    begins: Vec<u16>,
    /// How many pairs of services come in another order than they were asked for in.
    inversions: usize,
}

/// What one guest wants: services at certain lengths.
type Wanted = Vec<(ServiceId, usize)>;

/// What one step begins after, or with.
#[derive(Debug, Clone, Copy)]
enum Anchor {
    /// After everything before it.
    Behind,
    /// So many minutes after another begins.
    With(usize, u16),
}

/// Every way to arrange the steps, the best first: with preferred employees, short, and in the
/// requested order. `None` if the rules can't be kept.
#[must_use]
pub fn arrangements(steps: &[Step], rules: &[Dependency]) -> Vec<Arrangement> {
    let guests = guests(steps);
    let mut found: Vec<Found> = vec![];
    // Guests who want the same at the same lengths are worked out once.
    let mut known: Vec<(Wanted, Vec<Part>)> = vec![];
    let mut tried = 0;
    for variants in choices(&steps.iter().map(|step| step.variants.len()).collect::<Vec<_>>(), MOST) {
        let disliked = steps.iter().zip(&variants).filter(|(step, variant)| step.dislikes(**variant)).count();
        let mut parts: Vec<Vec<Part>> = Vec::with_capacity(guests.len());
        for own in &guests {
            let wanted: Wanted = own.iter().map(|step| (steps[*step].service, variants[*step])).collect();
            let same = known.iter().find(|(known, _)| *known == wanted).map(|(_, parts)| parts.clone());
            parts.push(same.unwrap_or_else(|| {
                let new = Guest { steps, own, variants: &variants, rules }.parts(&mut tried);
                known.push((wanted, new.clone()));
                new
            }));
        }
        for pick in choices(&parts.iter().map(Vec::len).collect::<Vec<_>>(), MOST) {
            let parts: Vec<&Part> = parts.iter().zip(pick).map(|(parts, part)| &parts[part]).collect();
            let inversions = parts.iter().map(|part| part.inversions).sum();
            for at_once in 0..=guests.len() {
                let party = Party { steps, guests: &guests, variants: &variants, parts: &parts };
                let Some(arrangement) = party.arrange(at_once) else { continue };
                if !found.iter().any(|known| known.arrangement == arrangement) {
                    found.push(Found { disliked, inversions, at_once, arrangement });
                }
            }
        }
        if tried >= MOST_ORDERS_IN_ALL {
            break;
        }
    }
    found.sort_by_key(|found| {
        (found.disliked, found.arrangement.minutes, Reverse(found.at_once), found.inversions)
    });
    let mut kept = vec![0; guests.len() + 1];
    found.retain(|found| {
        kept[found.at_once] += 1;
        kept[found.at_once] <= most(found.at_once, guests.len())
    });
    found.into_iter().map(|found| found.arrangement).collect()
}

/// A way to arrange a visit, and what is to be said against it.
struct Found {
    /// How many services are at other hands than the preferred.
    disliked: usize,
    inversions: usize,
    at_once: usize,
    arrangement: Arrangement,
}

/// How many ways in which so many of the guests begin together are kept: half of all are of those
/// in which everybody does.
fn most(at_once: usize, guests: usize) -> usize {
    match guests {
        1 => MOST,
        _ if at_once == guests => MOST / 2,
        _ => MOST / 2 / guests,
    }
}

/// The guests of a visit, each with an order of their services.
struct Party<'a> {
    steps: &'a [Step],
    guests: &'a [Vec<usize>],
    variants: &'a [usize],
    parts: &'a [&'a Part],
}

impl Party<'_> {
    /// Arranges the party so that `at_once` guests begin together; each further guest, in the order of
    /// the request, begins as soon as a place is free and its buffers have passed. With `at_once` zero,
    /// each guest begins when the first processing time of the guest before begins. Returns `None` if no
    /// guest has processing time or the whole takes too long.
    fn arrange(&self, at_once: usize) -> Option<Arrangement> {
        let mut places: Vec<Option<u16>> = vec![None; at_once.max(1)];
        let mut begins = vec![0; self.steps.len()];
        let (mut minutes, mut any_waits) = (0, false);
        for (own, part) in self.guests.iter().zip(self.parts) {
            let place = places.iter_mut().min().expect("a party has at least one place");
            let own = || own.iter().zip(&part.begins).map(|(step, at)| (*step, *at));
            let ready = own().filter(|(_, at)| *at == 0).map(|(step, _)| self.course(step).buffer_before());
            let from = place.map_or(Some(0), |left| left.checked_add(ready.max().unwrap_or(0)))?;
            let mut leaves = 0;
            for (step, at) in own() {
                begins[step] = from.checked_add(at)?;
                let ends = begins[step].checked_add(self.course(step).minutes())?;
                minutes = minutes.max(ends);
                leaves = leaves.max(ends.checked_add(self.course(step).buffer_after())?);
            }
            let waits =
                own().filter_map(|(step, at)| Some(from + at + self.course(step).waits_from()?)).min();
            let waits = waits.filter(|_| at_once == 0);
            any_waits |= waits.is_some();
            *place = waits.or(Some(leaves));
        }
        let is_long = at_once < self.guests.len() && minutes > LONGEST_IN_TURN;
        let is_wanted = !is_long && (at_once > 0 || any_waits);
        is_wanted.then(|| Arrangement { begins, variants: self.variants.to_vec(), minutes })
    }

    fn course(&self, step: usize) -> &Segments {
        &self.steps[step].variants[self.variants[step]].course
    }
}

/// The steps of each guest.
fn guests(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut guests: Vec<(u8, Vec<usize>)> = vec![];
    for (index, step) in steps.iter().enumerate() {
        match guests.iter_mut().find(|(guest, _)| *guest == step.guest) {
            Some((_, own)) => own.push(index),
            None => guests.push((step.guest, vec![index])),
        }
    }
    guests.into_iter().map(|(_, own)| own).collect()
}

/// Every way to pick one of each, at most `most`; the first changes last.
fn choices(counts: &[usize], most: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &count in counts {
        let pick = |chosen: &Vec<usize>| {
            let chosen = chosen.clone();
            (0..count).map(move |next| [chosen.as_slice(), &[next]].concat())
        };
        all = all.iter().flat_map(pick).take(most).collect();
    }
    all
}

/// One guest's steps at certain lengths.
struct Guest<'a> {
    steps: &'a [Step],
    own: &'a [usize],
    variants: &'a [usize],
    rules: &'a [Dependency],
}

impl Guest<'_> {
    /// Adds to the orders that were `tried` those that it tries.
    fn parts(&self, tried: &mut usize) -> Vec<Part> {
        let mut search = Search { guest: self, placed: vec![], tried: 0, found: vec![] };
        search.extend();
        *tried += search.tried;
        search.found
    }

    fn length(&self, step: usize) -> u16 {
        let step = self.own[step];
        self.steps[step].variants[self.variants[step]].course.minutes()
    }

    /// The rules between two of the guest's steps, in either direction.
    fn rules(&self, one: usize, two: usize) -> impl Iterator<Item = &Dependency> {
        let (one, two) = (self.steps[self.own[one]].service, self.steps[self.own[two]].service);
        self.rules.iter().filter(move |rule| rule.other(one) == Some(two))
    }

    /// Gaps that rules ask for when `first` comes before `then`: the least, and the most.
    fn gaps(&self, first: usize, then: usize) -> impl Iterator<Item = (u16, Option<u16>)> {
        let service = self.steps[self.own[first]].service;
        self.rules(first, then).filter(move |rule| rule.first == service).filter_map(|rule| match rule.rule {
            Rule::Order { least, most } => Some((least, most)),
            Rule::SameEmployee | Rule::DifferentEmployee | Rule::Parallel | Rule::EarlierVisit { .. } => None,
        })
    }

    /// Whether rules want `first` before `then`. Of a service asked for twice, either may come first.
    fn must_precede(&self, first: usize, then: usize) -> bool {
        self.steps[self.own[first]].service != self.steps[self.own[then]].service
            && self.gaps(first, then).next().is_some()
    }

    fn may_overlap(&self, one: usize, two: usize) -> bool {
        self.rules(one, two).any(|rule| rule.rule == Rule::Parallel)
    }

    /// The earliest beginnings that keep the order, its anchors and the gaps.
    fn solve(&self, placed: &[(usize, Anchor)]) -> Option<Vec<u16>> {
        let mut bounds: Vec<(usize, usize, i32)> = vec![];
        for (index, &(step, anchor)) in placed.iter().enumerate() {
            match anchor {
                Anchor::Behind => bounds.extend(
                    placed[..index].iter().map(|&(before, _)| (before, step, i32::from(self.length(before)))),
                ),
                Anchor::With(other, after) => {
                    bounds.extend([(other, step, i32::from(after)), (step, other, -i32::from(after))]);
                }
            }
            for &(before, _) in &placed[..index] {
                for (least, most) in self.gaps(before, step) {
                    let ends = i32::from(self.length(before));
                    bounds.push((before, step, ends + i32::from(least)));
                    bounds.extend(most.map(|most| (step, before, -(ends + i32::from(most)))));
                }
            }
        }
        let mut begins = vec![0_i32; self.own.len()];
        for _ in 0..=begins.len() {
            let mut moved = false;
            for &(from, to, least) in &bounds {
                if begins[from] + least > begins[to] {
                    begins[to] = begins[from] + least;
                    moved = true;
                }
            }
            if !moved {
                return begins.into_iter().map(|at| u16::try_from(at).ok()).collect();
            }
        }
        None
    }

    fn nothing_forbidden_overlaps(&self, begins: &[u16]) -> bool {
        let ends = |step: usize| begins[step] + self.length(step);
        let apart = |one: usize, two: usize| ends(one) <= begins[two] || ends(two) <= begins[one];
        (0..begins.len()).all(|two| (0..two).all(|one| apart(one, two) || self.may_overlap(one, two)))
    }
}

/// Orders of a guest's steps, one step after the other.
struct Search<'a> {
    guest: &'a Guest<'a>,
    placed: Vec<(usize, Anchor)>,
    tried: usize,
    found: Vec<Part>,
}

impl Search<'_> {
    fn extend(&mut self) {
        let all = self.guest.own.len();
        if self.placed.len() == all {
            self.tried += 1;
            self.keep();
            return;
        }
        for step in 0..all {
            let is_placed = |step: usize| self.placed.iter().any(|(placed, _)| *placed == step);
            let waits = |other| !is_placed(other) && self.guest.must_precede(other, step);
            if is_placed(step) || (0..all).any(waits) {
                continue;
            }
            for anchor in self.anchors(step) {
                if self.tried == MOST_ORDERS {
                    return;
                }
                self.placed.push((step, anchor));
                self.extend();
                self.placed.pop();
            }
        }
    }

    fn anchors(&self, step: usize) -> Vec<Anchor> {
        let mut anchors = vec![];
        for &(other, _) in self.placed.iter().filter(|(other, _)| self.guest.may_overlap(*other, step)) {
            let other_step = self.guest.own[other];
            let course = &self.guest.steps[other_step].variants[self.guest.variants[other_step]].course;
            let mut at = 0;
            for segment in course.segments() {
                anchors.push(Anchor::With(other, at));
                at += segment.minutes;
            }
        }
        anchors.push(Anchor::Behind);
        anchors
    }

    fn keep(&mut self) {
        let Some(begins) = self.guest.solve(&self.placed) else { return };
        if self.guest.nothing_forbidden_overlaps(&begins)
            && !self.found.iter().any(|part| part.begins == begins)
        {
            let inversions =
                (0..begins.len()).map(|two| (0..two).filter(|one| begins[*one] > begins[two]).count()).sum();
            self.found.push(Part { begins, inversions });
        }
    }
}

#[cfg(test)]
mod tests;
