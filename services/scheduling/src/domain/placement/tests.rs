//! The bitmap engine against a slow one that anybody can read.

use std::collections::BTreeMap;

use jiff::{SignedDuration, civil::Weekday, tz::TimeZone};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::domain::{
    day::Day,
    hours::{WeeklyPattern, WeeklySpan},
    id::ServiceId,
    plan::DayPlan,
    policy::Policy,
    schedule::Schedule,
    service::{Course, Price, Segment, SegmentKind, Service},
    visit::{Item, Occupied},
};

const FIVE_MINUTES: SignedDuration = SignedDuration::from_mins(5);

/// A random salon: its schedule, who is taken when, and what is wanted.
#[derive(Debug, Clone)]
pub struct World {
    pub schedule: Schedule,
    days: Vec<Day>,
    pub taken: Vec<(EmployeeId, Span)>,
    pub items: Vec<Item>,
}

impl World {
    fn plans(&self) -> Vec<DayPlan> {
        self.days.iter().map(|day| DayPlan::new(&self.schedule, day.clone(), &self.taken)).collect()
    }

    pub fn line(&self) -> Timeline {
        Timeline::new(&self.plans(), self.schedule.patterns.keys().copied())
    }

    pub fn whole(&self) -> Span {
        let (first, last) = (self.days.first().unwrap(), self.days.last().unwrap());
        Span::new(first.starts_at(), last.ends_at()).unwrap()
    }

    /// When a pattern's hours begin and end, read off the wall clock step by step.
    fn hours(&self, pattern: &WeeklyPattern) -> Vec<Span> {
        let first_showing = |day: &Day, minute: u16| {
            let mut at = day.starts_at();
            while at < day.ends_at() && self.minute_shown(at) < minute {
                at += FIVE_MINUTES;
            }
            at
        };
        let on_day = |day: &Day| {
            let spans = pattern.spans().iter().filter(|span| span.weekday == day.date().weekday());
            let instants = spans.map(|span| (first_showing(day, span.from), first_showing(day, span.to)));
            instants.filter_map(|(from, to)| Span::new(from, to)).collect::<Vec<_>>()
        };
        self.days.iter().flat_map(on_day).collect()
    }

    fn minute_shown(&self, at: Timestamp) -> u16 {
        let shown = self.schedule.zone.to_datetime(at);
        shown.hour() as u16 * 60 + shown.minute() as u16
    }

    pub fn oracle(&self) -> Oracle<'_> {
        let hours = |(who, pattern): (&EmployeeId, &WeeklyPattern)| (*who, self.hours(pattern));
        Oracle {
            world: self,
            opening: self.hours(&self.schedule.opening),
            working: self.schedule.patterns.iter().map(hours).collect(),
        }
    }

    fn is_free(&self, employee: EmployeeId, span: Span) -> bool {
        let within = span.intersection(self.whole()) == Some(span);
        within && !self.taken.iter().any(|(who, taken)| *who == employee && taken.overlaps(span))
    }
}

/// The slow engine: intervals, compared one by one.
pub struct Oracle<'a> {
    world: &'a World,
    opening: Vec<Span>,
    working: BTreeMap<EmployeeId, Vec<Span>>,
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

impl Oracle<'_> {
    pub fn works(&self, employee: EmployeeId, span: Span) -> bool {
        covers(&self.working[&employee], span) && covers(&self.opening, span)
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

fn employee(number: u128) -> EmployeeId {
    EmployeeId(Uuid::from_u128(number))
}

fn service_id(number: usize) -> ServiceId {
    ServiceId(Uuid::from_u128(1000 + number as u128))
}

fn pattern() -> impl Strategy<Value = WeeklyPattern> {
    prop::collection::vec((0u16..60, 1u16..200, 1u16..30, 1u16..150), 7).prop_map(|days| {
        let spans = days.iter().enumerate().flat_map(|(day, (from, length, gap, second))| {
            let weekday = Weekday::from_monday_zero_offset(day as i8).unwrap();
            let first = (*from, (from + length).min(288));
            let then = ((first.1 + gap).min(288), (first.1 + gap + second).min(288));
            [first, then].into_iter().filter(|(from, to)| from < to).map(move |(from, to)| WeeklySpan {
                weekday,
                from: from * 5,
                to: to * 5,
            })
        });
        WeeklyPattern::new(spans.collect()).unwrap()
    })
}

fn course() -> impl Strategy<Value = Course> {
    (prop::collection::vec(1u16..8, 1..4), 0u16..4, 0u16..4).prop_map(|(lengths, before, after)| {
        let last = lengths.len() - 1;
        let segments = lengths.iter().enumerate().map(|(index, slots)| {
            let processing = index % 2 == 1 && index != last;
            let kind = if processing { SegmentKind::Processing } else { SegmentKind::Active };
            Segment { kind, minutes: slots * 5 }
        });
        Course::new(segments.collect(), before * 5, after * 5).unwrap()
    })
}

fn services(people: u128) -> impl Strategy<Value = BTreeMap<ServiceId, Service>> {
    let skills = prop::collection::vec(any::<bool>(), people as usize);
    prop::collection::vec((course(), skills), 3).prop_map(|services| {
        let build = |(number, (course, skills)): (usize, (Course, Vec<bool>))| {
            let skilled = skills.iter().zip(1..).filter(|(does, _)| **does).map(|(_, who)| employee(who));
            let service = Service {
                id: service_id(number),
                name: String::new(),
                category: String::new(),
                course,
                price: Price { minor: 100, currency: "GBP".to_owned() },
                aliases: vec![],
                employees: skilled.collect(),
            };
            (service.id, service)
        };
        services.into_iter().enumerate().map(build).collect()
    })
}

/// Days around changes of the clock, and ordinary ones.
fn days() -> impl Strategy<Value = (TimeZone, Vec<Day>)> {
    let places = [
        ("Europe/London", "2026-03-28"),
        ("Europe/London", "2026-10-24"),
        ("Europe/London", "2026-06-01"),
        ("America/New_York", "2026-03-07"),
        ("America/New_York", "2026-10-31"),
        ("Australia/Lord_Howe", "2026-10-03"),
        ("Asia/Kathmandu", "2026-06-01"),
    ];
    (prop::sample::select(places.to_vec()), 1usize..4).prop_map(|((name, date), count)| {
        let zone = TimeZone::get(name).unwrap();
        let first: jiff::civil::Date = date.parse().unwrap();
        let dates = first.series(jiff::Span::new().days(1)).take(count);
        let days = dates.map(|date| Day::of(date, &zone)).collect();
        (zone, days)
    })
}

prop_compose! {
    pub fn world()(
        (zone, days) in days(),
        opening in pattern(),
        patterns in prop::collection::vec(pattern(), 3),
        services in services(3),
        increment in prop::sample::select(vec![5u16, 15, 20]),
        taken in prop::collection::vec((1u128..4, 0i64..5000, 1i64..240), 0..24),
        items in prop::collection::vec((0usize..3, prop::option::weighted(0.3, 1u128..4)), 1..4),
    ) -> World {
        let start = days[0].starts_at();
        let taken = taken.into_iter().map(|(who, from, length)| {
            let from = start + SignedDuration::from_mins(from);
            (employee(who), Span::new(from, from + SignedDuration::from_mins(length)).unwrap())
        });
        let policy = Policy { increment_minutes: increment, ..Policy::default() };
        let patterns = patterns.into_iter().zip(1..).map(|(pattern, who)| (employee(who), pattern));
        let items = items.into_iter().map(|(service, who)| {
            Item { service: service_id(service), employee: who.map(employee) }
        });
        World {
            taken: taken.collect(),
            items: items.collect(),
            schedule: Schedule {
                version: 1, zone, policy, opening, services,
                patterns: patterns.collect(),
                names: BTreeMap::new(),
            },
            days,
        }
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
        let (oracle, increment) = (world.oracle(), world.schedule.policy.increment_minutes);
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
        let (oracle, empty) = (world.oracle(), empty.oracle());
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
