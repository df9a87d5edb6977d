//! Random salons.

use std::collections::BTreeMap;

use jiff::{
    SignedDuration, Span as Days, Timestamp, ToSpan,
    civil::{Date, Weekday},
    tz::TimeZone,
};
use proptest::prelude::*;
use uuid::Uuid;

use crate::{
    dates::DateRange,
    day::Day,
    dependency::{Dependency, Rule},
    hours::{DayHours, DaySpan, WeeklyPattern, WeeklySpan},
    id::{DependencyId, EmployeeId, OpeningExceptionId, ResourceId, ServiceId, SubjectId, TimeOffId},
    item::{Item, Wish},
    plan::DayPlan,
    policy::Policy,
    resource::Resource,
    schedule::Schedule,
    service::{Price, Segment, SegmentKind, Segments, Service, SkillOverride},
    span::Span,
    timeline::Timeline,
    working::{Absence, EffectiveFrom, Opening, OpeningException, Rota},
};

/// What an employee's rota is made from.
#[derive(Debug, Clone)]
pub struct Person {
    pub weeks: Vec<(EffectiveFrom, WeeklyPattern)>,
    pub days: Vec<(Date, DayHours)>,
    pub off: Vec<Span>,
}

/// A random salon: when it works, who is taken when, and what is wanted.
#[derive(Debug, Clone)]
pub struct World {
    pub schedule: Schedule,
    pub week: WeeklyPattern,
    pub exceptions: Vec<OpeningException>,
    pub people: BTreeMap<EmployeeId, Person>,
    pub days: Vec<Day>,
    pub taken: Vec<(SubjectId, Span)>,
    pub items: Vec<Item>,
}

impl World {
    pub fn line(&self) -> Timeline {
        let plan = |day: &Day| DayPlan::new(&self.schedule, day.clone(), &self.taken);
        let plans: Vec<_> = self.days.iter().map(plan).collect();
        Timeline::new(&plans, self.people.keys().copied(), self.schedule.resources.keys().copied())
    }

    pub fn whole(&self) -> Span {
        let (first, last) = (self.days.first().unwrap(), self.days.last().unwrap());
        Span::new(first.starts_at(), last.ends_at()).unwrap()
    }

    pub fn minute_shown(&self, at: Timestamp) -> u16 {
        let shown = self.schedule.zone.to_datetime(at);
        shown.hour() as u16 * 60 + shown.minute() as u16
    }

    pub fn is_free(&self, subject: SubjectId, span: Span) -> bool {
        let within = span.intersection(self.whole()) == Some(span);
        within && !self.taken.iter().any(|(who, taken)| *who == subject && taken.overlaps(span))
    }
}

fn employee(number: u128) -> EmployeeId {
    EmployeeId(Uuid::from_u128(number))
}

fn resource(number: u128) -> ResourceId {
    ResourceId(Uuid::from_u128(500 + number))
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

fn course() -> impl Strategy<Value = Segments> {
    (prop::collection::vec(1u16..8, 1..4), 0u16..4, 0u16..4).prop_map(|(lengths, before, after)| {
        let last = lengths.len() - 1;
        let segments = lengths.iter().enumerate().map(|(index, slots)| {
            let processing = index % 2 == 1 && index != last;
            let kind = if processing { SegmentKind::Processing } else { SegmentKind::Active };
            Segment { kind, minutes: slots * 5 }
        });
        Segments::new(segments.collect(), before * 5, after * 5).unwrap()
    })
}

/// A service's course, who does it, by how much the first is slower, and what it needs.
type Parts = (Segments, Vec<bool>, Option<u16>, Vec<&'static str>);

fn services(people: u128) -> impl Strategy<Value = BTreeMap<ServiceId, Service>> {
    let skills = prop::collection::vec(any::<bool>(), people as usize);
    let slower = prop::option::weighted(0.3, 1u16..4);
    let kinds = prop::sample::subsequence(vec!["chair", "basin"], 0..=2);
    prop::collection::vec((course(), skills, slower, kinds), 3).prop_map(|services| {
        let build = |(number, (course, skills, slower, kinds)): (_, Parts)| {
            let skilled: Vec<_> =
                skills.iter().zip(1..).filter(|(does, _)| **does).map(|(_, who)| employee(who)).collect();
            let longer = |more: u16| {
                let lengths = course.segments().iter().map(|segment| segment.minutes + more * 5);
                course.with_minutes(&lengths.collect::<Vec<_>>()).unwrap()
            };
            let overrides = skilled.first().zip(slower).map(|(who, more)| SkillOverride {
                employee: *who,
                course: Some(longer(more)),
                price_minor: Some(150),
            });
            let service = Service {
                id: service_id(number),
                name: String::new(),
                category: String::new(),
                overrides: overrides.into_iter().collect(),
                course,
                price: Price { minor: 100, currency: "GBP".to_owned() },
                aliases: vec![],
                employees: skilled,
                resource_kinds: kinds.into_iter().map(str::to_owned).collect(),
                version: 1,
                patch_test: String::new(),
            };
            (service.id, service)
        };
        services.into_iter().enumerate().map(build).collect()
    })
}

fn day_hours() -> impl Strategy<Value = DayHours> {
    prop::option::of((0u16..60, 1u16..230, 1u16..30, 0u16..100)).prop_map(|hours| {
        let Some((from, length, gap, second)) = hours else { return DayHours::default() };
        let until = (from + length).min(288);
        let (again, end) = ((until + gap).min(288), (until + gap + second).min(288));
        let spans = [(from, until), (again, end)].into_iter().filter(|(from, to)| from < to);
        DayHours::new(spans.map(|(from, to)| DaySpan { from: from * 5, to: to * 5 }).collect()).unwrap()
    })
}

/// Exceptions on dates around `first`, none of which has two.
fn exceptions(first: Date) -> impl Strategy<Value = Vec<OpeningException>> {
    prop::collection::vec((0i64..4, 0i64..3, day_hours()), 0..3).prop_map(move |rows| {
        let mut next = first - 2.days();
        let exception = |(gap, more, hours): (i64, i64, DayHours)| {
            let from = next + gap.days();
            let dates = DateRange::new(from, from + more.days()).unwrap();
            next = dates.last() + 1.days();
            OpeningException { id: OpeningExceptionId(Uuid::nil()), dates, hours, label: String::new() }
        };
        rows.into_iter().map(exception).collect()
    })
}

/// Weeks from always and from dates around the first of the days, hours of single
/// dates, and time off: whole days, or spans off the grid.
fn person(zone: TimeZone, first: Day) -> impl Strategy<Value = Person> {
    let date = first.date();
    let from = prop::option::weighted(0.4, -2i64..3);
    let weeks = prop::collection::vec((from, pattern()), 1..4);
    let days = prop::collection::btree_map(-1i64..4, day_hours(), 0..2);
    let spans = prop::collection::vec((-2000i64..5000, 1i64..2000), 0..3);
    let whole = prop::option::weighted(0.2, (-1i64..3, 0i64..2));
    (weeks, days, spans, whole).prop_map(move |(weeks, days, spans, whole)| {
        let week = |(from, week): (Option<i64>, _)| (from.map(|from| date + from.days()), week);
        let weeks: BTreeMap<_, _> = weeks.into_iter().map(week).collect();
        let minutes = |minutes| first.starts_at() + SignedDuration::from_mins(minutes);
        let span = |(from, length)| Span::new(minutes(from), minutes(from + length)).unwrap();
        let whole = whole.and_then(|(from, more): (i64, i64)| {
            DateRange::new(date + from.days(), date + (from + more).days()).unwrap().span(&zone)
        });
        Person {
            weeks: weeks.into_iter().collect(),
            days: days.into_iter().map(|(after, hours)| (date + after.days(), hours)).collect(),
            off: spans.into_iter().map(span).chain(whole).collect(),
        }
    })
}

impl Person {
    fn rota(&self) -> Rota {
        let (weeks, days) = (self.weeks.iter().cloned(), self.days.iter().cloned());
        let absence = |span: &Span| Absence { time_off: TimeOffId(Uuid::nil()), span: *span };
        Rota::new(weeks.collect(), days.collect(), self.off.iter().map(absence).collect())
    }
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
        let first: Date = date.parse().unwrap();
        let dates = first.series(Days::new().days(1)).take(count);
        let days = dates.map(|date| Day::of(date, &zone)).collect();
        (zone, days)
    })
}

prop_compose! {
    /// When everybody works, around the days.
    fn work()(whole in days())(
        people in prop::collection::vec(person(whole.0.clone(), whole.1[0].clone()), 3),
        exceptions in exceptions(whole.1[0].date()),
        whole in Just(whole),
        week in pattern(),
    ) -> ((TimeZone, Vec<Day>), WeeklyPattern, Vec<OpeningException>, Vec<Person>) {
        (whole, week, exceptions, people)
    }
}

/// A service for one of two guests.
fn item() -> impl Strategy<Value = Item> {
    let who = || prop::option::weighted(0.3, 1u128..4);
    let longer = prop::option::weighted(0.3, 1i16..4);
    (0usize..3, who(), who(), prop::bool::weighted(0.3), longer).prop_map(
        |(service, who, preferred, second, longer)| Item {
            service: service_id(service),
            employee: who.map(employee),
            preferred: preferred.map(employee),
            guest: u8::from(second),
            customer: None,
            extra_minutes: longer.map_or(0, |slots| slots * 5),
            wish: Wish::Anyone,
        },
    )
}

pub fn dependency() -> impl Strategy<Value = Dependency> {
    let rule = prop_oneof![
        (0u16..4, prop::option::of(0u16..12)).prop_map(|(least, more)| Rule::Order {
            least: least * 5,
            most: more.map(|more| (least + more) * 5)
        }),
        Just(Rule::SameEmployee),
        Just(Rule::DifferentEmployee),
        Just(Rule::Parallel),
    ];
    (0usize..3, 1usize..3, rule, any::<u64>()).prop_map(|(first, further, rule, id)| Dependency {
        id: DependencyId(Uuid::from_u128(id.into())),
        first: service_id(first),
        then: service_id((first + further) % 3),
        rule,
    })
}

/// A world without rules, second guests or other lengths: its services follow on each other.
pub fn plain_world() -> impl Strategy<Value = World> {
    world().prop_map(|mut world| {
        world.schedule.dependencies.clear();
        world.schedule.services.values_mut().for_each(|service| service.overrides.clear());
        world.items.iter_mut().for_each(|item| item.guest = 0);
        world
    })
}

prop_compose! {
    pub fn world()(
        ((zone, days), week, exceptions, people) in work(),
        services in services(3),
        resources in prop::collection::vec(prop::sample::select(vec!["chair", "basin"]), 2..5),
        dependencies in prop::collection::vec(dependency(), 0..3),
        increment in prop::sample::select(vec![5u16, 15, 20]),
        taken in prop::collection::vec((1u128..8, 0i64..5000, 1i64..240), 0..24),
        items in prop::collection::vec(item(), 1..4),
    ) -> World {
        let start = days[0].starts_at();
        let taken = taken.into_iter().map(|(who, from, length)| {
            let from = start + SignedDuration::from_mins(from);
            let subject = if who < 4 { employee(who).into() } else { resource(who - 4).into() };
            (subject, Span::new(from, from + SignedDuration::from_mins(length)).unwrap())
        });
        let resources = resources.into_iter().zip(0..).map(|(kind, number)| {
            let id = resource(number);
            (id, Resource { id, name: String::new(), kind: kind.to_owned() })
        });
        let people: BTreeMap<_, _> = (1..).map(employee).zip(people).collect();
        World {
            taken: taken.collect(),
            items,
            schedule: Schedule {
                version: 1,
                zone,
                policy: Policy { increment_minutes: increment, ..Policy::default() },
                opening: Opening::new(week.clone(), exceptions.clone()),
                rotas: people.iter().map(|(who, person)| (*who, person.rota())).collect(),
                services,
                resources: resources.collect(),
                dependencies,
                names: BTreeMap::new(),
            },
            week,
            exceptions,
            people,
            days,
        }
    }
}
