//! Other places for visits that can't stay where they are, on the same day.
//!
//! The best place costs least, in minutes: the shift of the start, earlier or later, plus
//! [`EMPLOYEE_CHANGE_MINUTES`] for each service whose employee changes. Minutes that an arrived
//! customer has to wait count double. Ties go to the earliest start, then to the fewest changes. Starts
//! are any five-minute steps: a disrupted day need not keep to the booking grid.

use jiff::{SignedDuration, Timestamp};

use super::{
    appointment::{Appointment, State},
    item::{Item, Wish},
    occupancy::{Occupancy, Target},
    placement::Placer,
    proposal::Place,
    schedule::Schedule,
    span::Span,
    visit::{Occupied, Placement},
};

/// Cost of giving a service to another employee: most customers would rather wait a quarter of an hour
/// than change.
pub const EMPLOYEE_CHANGE_MINUTES: i64 = 15;
/// Cost of a visit without a place: as much as a shift by a whole day.
pub const UNPLACED_MINUTES: i64 = 24 * 60;
const WAITING_HERE: i64 = 2;
/// With more services than this, not every subset of them is tried.
const MOST_SETS: usize = 4;

/// A visit that can't stay, and the rows it blocks; none for a squeezed-in visit.
#[derive(Debug, Clone)]
pub struct Displaced {
    /// The visit.
    pub visit: Appointment,
    /// The rows it occupies.
    pub rows: Vec<Occupied>,
}

/// A place found, with the rows that the visit would occupy there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// When, and with which employees.
    pub place: Place,
    /// The full placement.
    pub placement: Placement,
    /// The cost, in minutes.
    pub cost: i64,
}

/// A search for other places.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The business's schedule.
    pub schedule: &'a Schedule,
    /// When visits may start.
    pub starts: Span,
}

/// The cost in minutes of moving `visit` to `place`.
#[must_use]
pub fn cost(visit: &Appointment, place: &Place) -> i64 {
    let now = Place::of(visit);
    let changed = i64::try_from(now.employees_changed(place)).unwrap_or(i64::MAX);
    shift_cost(visit, place.starts_at).saturating_add(changed.saturating_mul(EMPLOYEE_CHANGE_MINUTES))
}

fn shift_cost(visit: &Appointment, start: Timestamp) -> i64 {
    let shift = start.duration_since(visit.starts_at).as_mins();
    let weight = if shift > 0 && visit.state == State::Arrived { WAITING_HERE } else { 1 };
    shift.abs() * weight
}

impl Displaced {
    /// A visit, which takes `rows`.
    #[must_use]
    pub fn new(visit: Appointment, rows: Vec<Occupied>) -> Self {
        let rows = if visit.squeezed_in { vec![] } else { rows };
        Self { visit, rows }
    }
}

impl Search<'_> {
    /// All that any of `visits` could occupy.
    #[must_use]
    pub fn reach<'a>(&self, visits: impl Iterator<Item = &'a Appointment>) -> Option<Span> {
        let reach = |visit: &Appointment| {
            let unassigned = visit.items.iter().map(|item| Item {
                service: item.service,
                employee: None,
                preferred: None,
                guest: item.guest,
                customer: None,
                extra_minutes: item.extra_minutes,
                wish: Wish::Anyone,
            });
            let items: Vec<_> = unassigned.collect();
            let first = self.schedule.reach(&items, self.starts.starts_at()).ok()?;
            Some(first.hull(self.schedule.reach(&items, self.starts.ends_at()).ok()?))
        };
        visits.filter_map(reach).reduce(Span::hull)
    }

    /// The best place for each of `visits` in turn, whose own time is free in `occupancy`. Each is
    /// placed while the later ones are still where they are and the earlier ones have moved, so that
    /// the moves can be applied one by one, in this order.
    #[must_use]
    pub fn one_by_one(&self, mut occupancy: Occupancy, visits: &[Displaced]) -> Vec<Option<Found>> {
        let mut found = Vec::with_capacity(visits.len());
        for (index, displaced) in visits.iter().enumerate() {
            let behind: Vec<_> = visits[index + 1..].iter().flat_map(|other| &other.rows).copied().collect();
            let best = self.best(&occupancy, &behind, &displaced.visit);
            // A visit without a new place keeps its rows until the salon has called the customer.
            occupancy.take(best.as_ref().map_or(&displaced.rows, |best| &best.placement.occupied));
            found.push(best);
        }
        found
    }

    /// As [`Self::one_by_one`], for visits that all leave at once; those that can stay do.
    #[must_use]
    pub fn at_once(&self, mut occupancy: Occupancy, visits: &[Displaced]) -> Vec<Option<Found>> {
        let mut found = Vec::with_capacity(visits.len());
        for displaced in visits {
            let best =
                Self::stay(&occupancy, displaced).or_else(|| self.best(&occupancy, &[], &displaced.visit));
            occupancy.take(best.as_ref().map_or(&displaced.rows, |best| &best.placement.occupied));
            found.push(best);
        }
        found
    }

    /// The visit's current place, if it is still free.
    fn stay(occupancy: &Occupancy, Displaced { visit, rows }: &Displaced) -> Option<Found> {
        let placement = Placement {
            starts_at: visit.starts_at,
            ends_at: visit.ends_at,
            items: visit.items.clone(),
            occupied: rows.clone(),
            price: visit.price.clone(),
        };
        occupancy.is_free(rows).then(|| Found { place: Place::of(visit), placement, cost: 0 })
    }

    /// The best place for a visit while `rows` are occupied too.
    ///
    /// With up to four services, every subset of them is tried with other employees, the smallest
    /// first; with more, each service alone, those of each employee, and all of them.
    #[must_use]
    pub fn best(&self, occupancy: &Occupancy, rows: &[Occupied], visit: &Appointment) -> Option<Found> {
        let as_it_is = visit.rearranged(None).ok()?;
        let sets = sets(&as_it_is);
        // A visit that has no place even with free choice of employees has none with some of them
        // fixed.
        let anyone: Vec<_> = as_it_is.iter().map(|item| give(item, true)).collect();
        let request = self.schedule.request_again(&anyone).ok()?;
        let line = occupancy.line(&request, rows);
        let placer = Placer::new(&line, &request);
        line.slots_beginning_in(self.starts).find_map(|slot| placer.place(slot))?;
        let mut best: Option<Found> = None;
        for given in sets {
            let changes = i64::from(given.count_ones()) * EMPLOYEE_CHANGE_MINUTES;
            if best.as_ref().is_some_and(|best| best.cost < changes) {
                break;
            }
            let items: Vec<_> =
                (0..).zip(&as_it_is).map(|(at, item)| give(item, given & (1 << at) != 0)).collect();
            let Ok(request) = self.schedule.request_again(&items) else { continue };
            let line = occupancy.line(&request, rows);
            let placer = Placer::new(&line, &request);
            let mut starts: Vec<_> = line.slots_beginning_in(self.starts).collect();
            starts.sort_by_key(|slot| (shift_cost(visit, line.instant(*slot)), *slot));
            for slot in starts {
                let start = line.instant(slot);
                let beats = (shift_cost(visit, start) + changes, start);
                if best.as_ref().is_some_and(|best| (best.cost, best.place.starts_at) <= beats) {
                    break;
                }
                let Some((_, placement)) = placer.place(slot) else { continue };
                let found = self.pinned(occupancy, rows, visit, &Place::anew(&visit.items, &placement));
                best = best.into_iter().chain(found).min_by_key(|found| (found.cost, found.place.starts_at));
            }
        }
        best
    }

    /// The visit at exactly this place, as it would be once applied.
    fn pinned(
        &self,
        occupancy: &Occupancy,
        rows: &[Occupied],
        visit: &Appointment,
        place: &Place,
    ) -> Option<Found> {
        let employees: Vec<_> = place.employees.iter().copied().map(Some).collect();
        let request = self.schedule.request_again(&visit.rearranged(Some(&employees)).ok()?).ok()?;
        let placement = occupancy.place(&Target::Start(request, place.starts_at), rows).ok()?;
        let place = Place::anew(&visit.items, &placement);
        Some(Found { cost: cost(visit, &place), place, placement })
    }
}

/// A service with its present employee, or with any employee, the present one preferred. One that the customer
/// wants of its employee alone is given to no other.
fn give(item: &Item, to_others: bool) -> Item {
    let is_given = to_others && !item.is_locked();
    if is_given { Item { employee: None, preferred: item.employee, ..*item } } else { *item }
}

/// Subsets of services to give to other employees, as bits, the smallest first.
fn sets(items: &[Item]) -> Vec<u64> {
    // No visit has more than 48 services.
    let all = (1_u64 << items.len()) - 1;
    let mut sets: Vec<u64> = if items.len() <= MOST_SETS {
        (0..=all).collect()
    } else {
        let mine = |item: &Item| {
            let same = (0..).zip(items).filter(|(_, other)| other.employee == item.employee);
            same.fold(0, |set, (at, _): (u32, _)| set | 1 << at)
        };
        let single = (0..).zip(items).map(|(at, _): (u32, _)| 1 << at);
        [0, all].into_iter().chain(single).chain(items.iter().map(mine)).collect()
    };
    let free = (0..).zip(items).filter(|(_, item)| !item.is_locked());
    let free = free.fold(0, |free, (at, _): (u32, _)| free | 1 << at);
    for set in &mut sets {
        *set &= free;
    }
    sets.sort_by_key(|set| (set.count_ones(), *set));
    sets.dedup();
    sets
}

/// When visits may start within `day`, seen from `now`.
#[must_use]
pub fn starts(day: Span, now: Timestamp) -> Option<Span> {
    let next = super::walk_in::starts(now, SignedDuration::ZERO).starts_at();
    Span::new(day.starts_at().max(next), day.ends_at())
}

#[cfg(test)]
mod tests;
