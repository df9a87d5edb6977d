//! The bitmap engine against a slow one that anybody can read.

pub mod world;

use std::collections::BTreeMap;

use jiff::{SignedDuration, civil::Date};
use proptest::prelude::*;

use super::*;
use crate::domain::{dates::DateRange, day::Day, hours::WeeklyPattern, visit::Occupied};
use world::{Person, World, world};

const FIVE_MINUTES: SignedDuration = SignedDuration::from_mins(5);

/// The slow engine: intervals, compared one by one.
pub struct Oracle<'a> {
    world: &'a World,
    opening: Vec<Span>,
    working: BTreeMap<EmployeeId, Vec<Span>>,
}

/// The minutes of a week that fall on `date`.
fn of_week(week: &WeeklyPattern, date: Date) -> Vec<(u16, u16)> {
    let spans = week.spans().iter().filter(|span| span.weekday == date.weekday());
    spans.map(|span| (span.from, span.to)).collect()
}

/// When the salon is open on `date`.
fn open_on(world: &World, date: Date) -> Vec<(u16, u16)> {
    let counts = |dates: DateRange| dates.first() <= date && date <= dates.last();
    match world.exceptions.iter().find(|exception| counts(exception.dates)) {
        Some(exception) => exception.hours.spans().iter().map(|span| (span.from, span.to)).collect(),
        None => of_week(&world.week, date),
    }
}

/// When somebody works on `date`, salon and time off left aside.
fn works_on(person: &Person, date: Date) -> Vec<(u16, u16)> {
    if let Some((_, hours)) = person.days.iter().find(|(day, _)| *day == date) {
        return hours.spans().iter().map(|span| (span.from, span.to)).collect();
    }
    let began = person.weeks.iter().filter(|(from, _)| from.is_none_or(|from| from <= date));
    let latest = began.max_by_key(|(from, _)| *from);
    latest.map(|(_, week)| of_week(week, date)).unwrap_or_default()
}

/// Whether every five minutes of `span` lie in one of `hours`.
fn covers(hours: &[Span], span: Span) -> bool {
    let mut at = span.starts_at();
    while at < span.ends_at() {
        if !hours.iter().any(|hours| hours.starts_at() <= at && at < hours.ends_at()) {
            return false;
        }
        at += FIVE_MINUTES;
    }
    true
}

impl<'a> Oracle<'a> {
    pub fn of(world: &'a World) -> Self {
        let hours = |minutes: &dyn Fn(Date) -> Vec<(u16, u16)>| -> Vec<Span> {
            world.days.iter().flat_map(|day| Self::spans(world, day, &minutes(day.date()))).collect()
        };
        let working = |(who, person): (&EmployeeId, &Person)| (*who, hours(&|date| works_on(person, date)));
        Self {
            world,
            opening: hours(&|date| open_on(world, date)),
            working: world.people.iter().map(working).collect(),
        }
    }

    /// When hours of a day begin and end, read off the wall clock step by step.
    fn spans(world: &World, day: &Day, minutes: &[(u16, u16)]) -> Vec<Span> {
        let first_showing = |minute: u16| {
            let mut at = day.starts_at();
            while at < day.ends_at() && world.minute_shown(at) < minute {
                at += FIVE_MINUTES;
            }
            at
        };
        minutes.iter().filter_map(|(from, to)| Span::new(first_showing(*from), first_showing(*to))).collect()
    }

    pub fn works(&self, employee: EmployeeId, span: Span) -> bool {
        let off = self.world.people[&employee].off.iter().any(|off| off.overlaps(span));
        !off && covers(&self.working[&employee], span) && covers(&self.opening, span)
    }

    /// Whether everyone may do their part of the visit at `start`.
    fn fits(&self, wish: &Wish, start: Timestamp, employees: &[EmployeeId]) -> bool {
        let mut at = start;
        for (index, (step, &employee)) in wish.steps().iter().zip(employees).enumerate() {
            let course = &step.service.course;
            let after = |minutes: u16| SignedDuration::from_mins(minutes.into());
            for minutes in course.active() {
                let span = Span::new(at + after(minutes.start), at + after(minutes.end)).unwrap();
                if !self.works(employee, span) || !self.world.is_free(employee, span) {
                    return false;
                }
            }
            let ends = at + after(course.minutes());
            let before = Span::new(at - after(course.buffer_before()), at);
            let behind = Span::new(ends, ends + after(course.buffer_after()));
            let comes = index == 0 || employees[index - 1] != employee;
            let goes = employees.get(index + 1) != Some(&employee);
            if comes && before.is_some_and(|span| !self.world.is_free(employee, span))
                || goes && behind.is_some_and(|span| !self.world.is_free(employee, span))
            {
                return false;
            }
            at = ends;
        }
        Span::new(start, at).is_some_and(|span| covers(&self.opening, span))
    }

    /// Every assignment of employees, with the number of changes between them.
    fn assignments(wish: &Wish) -> Vec<(usize, Vec<EmployeeId>)> {
        let mut all = vec![vec![]];
        for step in wish.steps() {
            all = all
                .iter()
                .flat_map(|done: &Vec<EmployeeId>| {
                    step.candidates.iter().map(|next| [done.as_slice(), &[*next]].concat())
                })
                .collect();
        }
        let changes = |who: &[EmployeeId]| who.windows(2).filter(|pair| pair[0] != pair[1]).count();
        all.into_iter().map(|who| (changes(&who), who)).collect()
    }

    /// The fewest changes of employee with which the visit fits at `start`.
    fn fewest_changes(&self, wish: &Wish, start: Timestamp) -> Option<usize> {
        Self::assignments(wish)
            .into_iter()
            .filter(|(_, who)| self.fits(wish, start, who))
            .map(|(changes, _)| changes)
            .min()
    }
}

/// Rows that a visit takes lie in nobody's way, its own included.
fn nothing_overlaps(world: &World, occupied: &[Occupied]) -> bool {
    occupied.iter().enumerate().all(|(index, row)| {
        let clashes = |other: &Occupied| other.employee == row.employee && other.during.overlaps(row.during);
        world.is_free(row.employee, row.during) && !occupied[..index].iter().any(clashes)
    })
}

proptest! {
    #[test]
    fn the_bitmap_engine_offers_what_the_obvious_engine_offers(world in world()) {
        let Ok(wish) = world.schedule.wish(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &wish);
        let found: BTreeMap<_, _> = placer
            .offers(world.whole())
            .map(|offer| (offer.starts_at, offer.items.windows(2).filter(|p| p[0].employee != p[1].employee).count()))
            .collect();
        let (oracle, increment) = (Oracle::of(&world), world.schedule.policy.increment_minutes);
        let mut expected = BTreeMap::new();
        for slot in 0..line.len() {
            let start = line.instant(slot);
            if world.minute_shown(start).is_multiple_of(increment)
                && let Some(changes) = oracle.fewest_changes(&wish, start)
            {
                expected.insert(start, changes);
            }
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn every_offer_can_be_booked_and_nothing_offered_overlaps(world in world()) {
        let Ok(wish) = world.schedule.wish(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &wish);
        for offer in placer.offers(world.whole()) {
            prop_assert!(nothing_overlaps(&world, &offer.occupied));
            let reach = wish.reach(offer.starts_at, offer.starts_at);
            prop_assert!(offer.occupied.iter().all(|row| reach.intersection(row.during) == Some(row.during)));
            let booked = placer.at(offer.starts_at);
            prop_assert_eq!(booked.as_ref(), Ok(&offer));
            // Once booked, the same people are not to be had again.
            let mut after = line.clone();
            offer.occupied.iter().for_each(|row| after.take(row.employee, row.during));
            if let Ok(again) = Placer::new(&after, &wish).at(offer.starts_at) {
                let both: Vec<_> = offer.occupied.iter().chain(&again.occupied).copied().collect();
                prop_assert!(nothing_overlaps(&world, &both));
            }
        }
    }

    #[test]
    fn a_refused_start_is_taken_only_if_it_would_fit_an_empty_day(world in world()) {
        let Ok(wish) = world.schedule.wish(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &wish);
        let empty = World { taken: vec![], ..world.clone() };
        let (oracle, empty) = (Oracle::of(&world), Oracle::of(&empty));
        for slot in (0..line.len()).step_by(7) {
            let start = line.instant(slot);
            let expected = match (oracle.fewest_changes(&wish, start), empty.fewest_changes(&wish, start)) {
                (Some(_), _) => None,
                (None, Some(_)) => Some(Refusal::SlotTaken),
                (None, None) => Some(Refusal::NotWorking),
            };
            prop_assert_eq!(placer.at(start).err(), expected);
        }
    }
}
