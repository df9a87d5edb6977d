//! The search against every start and every employee, on random days.

use proptest::{prelude::*, test_runner::TestCaseError};
use uuid::Uuid;

use super::*;
use crate::{
    appointment::BookingDetails,
    delay::{Delay, Pushed},
    id::{EmployeeId, SubjectId, VisitId},
    occupancy::Rearrangement,
    placement::tests::world::{World, world},
};

/// A random day with visits on it, and who is away from then on.
#[derive(Debug, Clone)]
struct Disturbed {
    world: World,
    visits: Vec<Displaced>,
    /// Time taken by something other than visits.
    taken: Vec<(SubjectId, Span)>,
}

impl Disturbed {
    /// Books what the world's customers want, one or two services each, wherever `choices` say.
    fn new(world: World, choices: &[(usize, bool)]) -> Self {
        let whole = world.whole();
        let (mut occupancy, mut visits) = (Self::free(&world, world.taken.clone()), vec![]);
        for (number, (choice, two)) in (1..).zip(choices) {
            let first = choice % world.items.len();
            let items: Vec<_> = world.items[first..].iter().take(1 + usize::from(*two)).copied().collect();
            let Ok(request) = world.schedule.request(&items) else { continue };
            let line = occupancy.line(&request, &[]);
            let offers: Vec<_> = Placer::new(&line, &request).offers(whole).collect();
            let Some(placement) = offers.get(choice % offers.len().max(1)) else { continue };
            occupancy.take(&placement.occupied);
            let id = VisitId(Uuid::from_u128(number));
            let booked = Appointment::book(id, placement, BookingDetails::default(), whole.starts_at());
            let state = if choice % 3 == 0 { State::Arrived } else { State::Booked };
            visits.push(Displaced::new(Appointment { state, ..booked }, placement.occupied.clone()));
        }
        visits.sort_by_key(|displaced| (displaced.visit.starts_at, displaced.visit.id));
        Self { taken: world.taken.clone(), world, visits }
    }

    fn free(world: &World, taken: Vec<(SubjectId, Span)>) -> Occupancy {
        Occupancy::new(&world.schedule, world.days.clone(), taken)
    }

    fn search(&self, from: i64) -> Search<'_> {
        let day = &self.world.days[0];
        let from = day.starts_at() + SignedDuration::from_mins(5 * from);
        let starts = Span::new(from, day.ends_at()).unwrap();
        Search { schedule: &self.world.schedule, starts }
    }

    /// Everything but these visits.
    fn without(&self, visits: &[Displaced]) -> Occupancy {
        let mut occupancy = Self::free(&self.world, self.taken.clone());
        let others =
            self.visits.iter().filter(|one| !visits.iter().any(|other| other.visit.id == one.visit.id));
        others.for_each(|other| occupancy.take(&other.rows));
        occupancy
    }

    /// Has the employee of the visit at `index` away for all of its day, and says whom that strands.
    fn strand(&mut self, index: usize) -> Vec<Displaced> {
        let away: SubjectId = self.visits[index].visit.items[0].employee.into();
        self.taken.push((away, self.world.whole()));
        let stranded = |displaced: &&Displaced| displaced.rows.iter().any(|row| row.subject == away);
        self.visits.iter().filter(stranded).cloned().collect()
    }

    /// What the cheapest of all places costs and when it starts: every start, every employee.
    fn cheapest(
        &self,
        search: &Search<'_>,
        occupancy: &Occupancy,
        rows: &[Occupied],
        visit: &Appointment,
    ) -> Option<(i64, Timestamp)> {
        let mut ways: Vec<Vec<Option<EmployeeId>>> = vec![vec![]];
        for item in &visit.items {
            let who = &self.world.schedule.services[&item.service].employees;
            let with =
                |way: &Vec<_>| who.iter().map(|one| [&way[..], &[Some(*one)]].concat()).collect::<Vec<_>>();
            ways = ways.iter().flat_map(with).collect();
        }
        let mut best = None;
        for way in ways {
            let Ok(request) = search.schedule.request(&visit.rearranged(Some(&way)).unwrap()) else {
                continue;
            };
            let line = occupancy.line(&request, rows);
            let placer = Placer::new(&line, &request);
            for slot in line.slots_beginning_in(search.starts) {
                let Some((_, placement)) = placer.place(slot) else { continue };
                let place = Place::anew(&visit.items, &placement);
                let found = (cost(visit, &place), place.starts_at);
                best = best.into_iter().chain([found]).min();
            }
        }
        best
    }
}

fn rearrangement(displaced: &Displaced, place: &Place, search: &Search<'_>) -> Rearrangement {
    let employees: Vec<_> = place.employees.iter().copied().map(Some).collect();
    let request = search.schedule.request(&displaced.visit.rearranged(Some(&employees)).unwrap()).unwrap();
    Rearrangement { before: displaced.rows.clone(), target: Target::Start(request, place.starts_at) }
}

prop_compose! {
    fn disturbed()(
        world in world(),
        choices in prop::collection::vec((0usize..400, any::<bool>()), 3..9),
    ) -> Disturbed {
        Disturbed::new(world, &choices)
    }
}

proptest! {
    #[test]
    fn no_place_of_the_day_costs_less_given_those_before(
        mut day in disturbed(), index in 0usize..7, from in 0i64..200,
    ) {
        if day.visits.is_empty() {
            return Ok(());
        }
        let stranded = day.strand(index % day.visits.len());
        let search = day.search(from);
        let mut occupancy = day.without(&stranded);
        for (at, found) in search.one_by_one(occupancy.clone(), &stranded).iter().enumerate() {
            let Displaced { visit, rows } = &stranded[at];
            let behind: Vec<_> = stranded[at + 1..].iter().flat_map(|other| &other.rows).copied().collect();
            let cheapest = day.cheapest(&search, &occupancy, &behind, visit);
            prop_assert_eq!(found.as_ref().map(|found| (found.cost, found.place.starts_at)), cheapest);
            occupancy.take(found.as_ref().map_or(rows, |found| &found.placement.occupied));
        }
    }

    #[test]
    fn lines_can_be_applied_one_after_the_other_and_all_together(
        mut day in disturbed(), index in 0usize..7, from in 0i64..200,
    ) {
        if day.visits.is_empty() {
            return Ok(());
        }
        let stranded = day.strand(index % day.visits.len());
        let search = day.search(from);
        let found = search.one_by_one(day.without(&stranded), &stranded);
        let placed: Vec<_> =
            stranded.iter().zip(&found).filter_map(|(one, found)| Some((one, found.as_ref()?))).collect();
        let moves: Vec<_> =
            placed.iter().map(|(one, found)| rearrangement(one, &found.place, &search)).collect();
        let expected: Vec<_> = placed.iter().map(|(_, found)| found.placement.clone()).collect();

        let moving: Vec<_> = placed.iter().map(|(one, _)| (*one).clone()).collect();
        let together = day.without(&moving).rearrange(&moves);
        prop_assert_eq!(together.as_ref(), Ok(&expected));

        let mut now = day.clone();
        for ((one, found), wanted) in placed.iter().zip(&moves) {
            let alone = now.without(&[(*one).clone()]).rearrange(core::slice::from_ref(wanted));
            prop_assert_eq!(alone.as_ref(), Ok(&vec![found.placement.clone()]));
            let visit = now.visits.iter_mut().find(|visit| visit.visit.id == one.visit.id).unwrap();
            visit.rows.clone_from(&found.placement.occupied);
        }
    }

    #[test]
    fn a_service_wanted_of_one_employee_alone_is_given_to_no_one_else(
        day in disturbed(), locked in prop::collection::vec(any::<bool>(), 14), from in 0i64..60,
    ) {
        let mut day = day;
        let mut locked = locked.into_iter().cycle();
        for item in day.visits.iter_mut().flat_map(|displaced| &mut displaced.visit.items) {
            item.wish = if locked.next() == Some(true) { Wish::Only(item.employee) } else { Wish::Anyone };
        }
        let stranded = day.visits.clone();
        let search = day.search(from);
        let one_by_one = search.one_by_one(day.without(&stranded), &stranded);
        let at_once = search.at_once(day.without(&stranded), &stranded);
        for found in [one_by_one, at_once] {
            for (displaced, found) in stranded.iter().zip(found) {
                let Some(found) = found else { continue };
                for (item, employee) in displaced.visit.items.iter().zip(&found.place.employees) {
                    prop_assert!(!item.wish.locks(item.employee) || item.employee == *employee);
                }
            }
        }
    }

    #[test]
    fn what_a_late_visit_pushes_can_be_applied_with_it(
        day in disturbed(), index in 0usize..7, minutes in 1u16..24,
    ) {
        if day.visits.is_empty() {
            return Ok(());
        }
        let late = day.visits[index % day.visits.len()].clone();
        let movable: Vec<_> =
            day.visits.iter().filter(|other| other.visit.id != late.visit.id).cloned().collect();
        let search = day.search(0);
        let now = late.visit.starts_at;
        let Ok(delay) = late.visit.delayed(&late.rows, minutes * 5, &day.world.schedule, now) else {
            return Ok(());
        };
        let Ok(pushed) = delay.push(&search, &day.without(&day.visits), &movable) else { return Ok(()) };
        prop_assert_eq!(pushed.first.starts_at, late.visit.starts_at + SignedDuration::from_mins(5 * i64::from(minutes)));
        check_pushed(&day, &late, &delay, &pushed, &movable, &search)?;
    }
}

/// All that is pushed moves, and where each has a place, all of them fit together.
fn check_pushed(
    day: &Disturbed,
    late: &Displaced,
    delay: &Delay,
    pushed: &Pushed,
    movable: &[Displaced],
    search: &Search<'_>,
) -> Result<(), TestCaseError> {
    prop_assert!(pushed.followers.iter().flat_map(|(_, found)| found).all(|found| found.cost > 0));
    let placed: Option<Vec<_>> =
        pushed.followers.iter().map(|(at, found)| Some((&movable[*at], found.as_ref()?))).collect();
    let Some(placed) = placed else { return Ok(()) };
    let first = Rearrangement { before: late.rows.clone(), target: delay.target.clone() };
    let others = placed.iter().map(|(one, found)| rearrangement(one, &found.place, search));
    let moves: Vec<_> = core::iter::once(first).chain(others).collect();
    let moving: Vec<_> =
        core::iter::once(late.clone()).chain(placed.iter().map(|(one, _)| (*one).clone())).collect();
    prop_assert!(day.without(&moving).rearrange(&moves).is_ok());
    Ok(())
}

#[test]
fn more_services_than_four_are_given_away_one_by_one_by_employee_and_all() {
    let item = |employee: u128| Item {
        service: crate::id::ServiceId(Uuid::nil()),
        employee: Some(EmployeeId(Uuid::from_u128(employee))),
        preferred: None,
        guest: 0,
        customer: None,
        extra_minutes: 0,
        wish: Wish::Anyone,
    };
    let seven: Vec<_> = [1, 1, 2, 2, 2, 3, 3].map(item).to_vec();
    let expected = [0, 1, 2, 4, 8, 16, 32, 64, 0b11, 0b110_0000, 0b1_1100, 0b111_1111];
    assert_eq!(sets(&seven), expected);
    assert_eq!(sets(&seven[..2]), [0, 1, 2, 3]);
}
