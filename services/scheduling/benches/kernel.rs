//! The kernels: the search of a month of ten employees with eight bookings a day, and which of 200
//! services with 20 aliases each a phrase means.

use std::{collections::BTreeMap, hint::black_box};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::{
    appointment::{Appointment, BookingDetails},
    day::Day,
    dependency::{Dependency, Rule},
    hours::{WeeklyPattern, WeeklySpan},
    id::{DependencyId, EmployeeId, ResourceId, ServiceId, SubjectId, VisitId},
    item::{Item, Wish},
    optimiser::{Facts, Input, Run, optimise},
    placement::Placer,
    plan::DayPlan,
    policy::Policy,
    resource::Resource,
    schedule::Schedule,
    service::{Price, Segment, SegmentKind, Segments, Service},
    span::Span,
    timeline::Timeline,
    visit::VisitRequest,
};
use jiff::{SignedDuration, Timestamp, civil::Weekday, tz::TimeZone};
use scheduling::domain::matching::Lexicon;
use uuid::Uuid;

const DAYS: i64 = 31;
const BOOKINGS: i64 = 8;

fn employee(number: u128) -> EmployeeId {
    EmployeeId(Uuid::from_u128(number))
}

fn segments(minutes: &[u16]) -> Vec<Segment> {
    let kind = |index| if index % 2 == 0 { SegmentKind::Active } else { SegmentKind::Processing };
    minutes
        .iter()
        .enumerate()
        .map(|(index, minutes)| Segment { kind: kind(index), minutes: *minutes })
        .collect()
}

fn service(number: u128, minutes: &[u16], employees: u128) -> Service {
    Service {
        id: ServiceId(Uuid::from_u128(number)),
        name: String::new(),
        category: String::new(),
        course: Segments::new(segments(minutes), 0, 10).expect("a course"),
        price: Price { minor: 4500, currency: "GBP".to_owned() },
        aliases: vec![],
        employees: (1..=employees).map(employee).collect(),
        overrides: vec![],
        resource_kinds: vec![],
        version: 1,
        patch_test: String::new(),
    }
}

/// Nine to six on Monday to Saturday, for everybody.
fn schedule(employees: u128) -> Schedule {
    let week = Weekday::Monday.cycle_forward().take(6);
    let hours = week.map(|weekday| WeeklySpan { weekday, from: 540, to: 1080 }).collect();
    let pattern = WeeklyPattern::new(hours).expect("a pattern");
    let services =
        [service(1, &[45], employees), service(2, &[45, 30, 15], employees), service(3, &[30], employees)];
    Schedule {
        version: 1,
        zone: TimeZone::get("Europe/London").expect("London has a zone"),
        policy: Policy::default(),
        opening: pattern.clone().into(),
        rotas: (1..=employees).map(|number| (employee(number), pattern.clone().into())).collect(),
        services: services.into_iter().map(|service| (service.id, service)).collect(),
        resources: BTreeMap::new(),
        dependencies: vec![],
        names: BTreeMap::new(),
    }
}

/// The same with a chair per service, of as many as there are employees, and the first of three
/// services before the last.
fn with_chairs_and_order(mut schedule: Schedule) -> Schedule {
    let chair = |number: u128| {
        let id = ResourceId(Uuid::from_u128(1000 + number));
        (id, Resource { id, name: String::new(), kind: "chair".to_owned() })
    };
    schedule.resources = (0..schedule.rotas.len() as u128).map(chair).collect();
    schedule.services.values_mut().for_each(|service| service.resource_kinds = vec!["chair".to_owned()]);
    let service = |number| ServiceId(Uuid::from_u128(number));
    let rule = Rule::Order { least: 0, most: None };
    schedule.dependencies =
        vec![Dependency { id: DependencyId(Uuid::nil()), first: service(1), then: service(3), rule }];
    schedule
}

/// Eight bookings of half an hour per employee on each day.
fn bookings(day: &Day, employees: u128) -> Vec<(SubjectId, Span)> {
    let at = |slot: i64, number: u128| {
        let start = day.starts_at() + SignedDuration::from_mins(540 + 60 * slot + 15 * (number as i64 % 3));
        Span::new(start, start + SignedDuration::from_mins(30)).expect("a span")
    };
    (1..=employees)
        .flat_map(|number| (0..BOOKINGS).map(move |slot| (employee(number).into(), at(slot, number))))
        .collect()
}

fn month(zone: &TimeZone) -> (Span, Vec<Day>) {
    let first: Timestamp = "2026-10-01T00:00:00+01:00".parse().expect("a timestamp");
    // The clocks go back on the 25th: an hour more.
    let span = Span::new(first, first + SignedDuration::from_hours(24 * DAYS + 1)).expect("a span");
    (span, Day::covering(span, zone))
}

fn request(schedule: &Schedule, services: &[u128]) -> VisitRequest {
    let item = |number: &u128| Item {
        service: ServiceId(Uuid::from_u128(*number)),
        employee: None,
        preferred: None,
        guest: 0,
        customer: None,
        extra_minutes: 0,
        wish: Wish::Anyone,
    };
    schedule.request(&services.iter().map(item).collect::<Vec<_>>()).expect("everybody does everything")
}

/// From days in memory to offers.
fn offers(plans: &[DayPlan], request: &VisitRequest, span: Span, most: usize) -> usize {
    let line = Timeline::new(plans, request.candidates(), request.resources());
    Placer::new(&line, request).offers(span).take(most).count()
}

fn kernel(criterion: &mut Criterion) {
    for employees in [1, 10, 50] {
        let schedule = schedule(employees);
        let (span, days) = month(&schedule.zone);
        let taken: Vec<_> = days.iter().map(|day| bookings(day, employees)).collect();
        let plan = |(day, taken): (&Day, &Vec<_>)| DayPlan::new(&schedule, day.clone(), taken);
        let plans: Vec<_> = days.iter().zip(&taken).map(plan).collect();
        let mut group = criterion.benchmark_group(format!("31 days x {employees} employees x 8 bookings"));
        group.throughput(Throughput::Elements(employees as u64 * DAYS as u64));
        for (name, services) in [("one service", &[1_u128][..]), ("three services with a gap", &[1, 2, 1])] {
            let request = request(&schedule, services);
            for (what, most) in [("a page of offers", 20), ("every offer", usize::MAX)] {
                group.bench_function(format!("{name}, {what}"), |bencher| {
                    bencher.iter(|| black_box(offers(black_box(&plans), &request, span, most)));
                });
            }
        }
        let furnished = with_chairs_and_order(schedule.clone());
        let plan_of = |(day, taken): (&Day, &Vec<_>)| DayPlan::new(&furnished, day.clone(), taken);
        let furnished_plans: Vec<_> = days.iter().zip(&taken).map(plan_of).collect();
        let visit = [1, 2, 3];
        group.bench_function("three services with order and chairs, a page of offers", |bencher| {
            bencher.iter(|| {
                let request = request(&furnished, &visit);
                black_box(offers(black_box(&furnished_plans), &request, span, 20))
            });
        });
        group.bench_function("days from bookings, zone included", |bencher| {
            bencher.iter(|| {
                let days = Day::covering(black_box(span), &schedule.zone);
                black_box(days.iter().zip(&taken).map(plan).collect::<Vec<_>>())
            });
        });
        group.finish();
    }
}

/// 200 services with 20 aliases each, of words that many of them share.
fn catalogue() -> Vec<Service> {
    let who = ["women's", "men's", "children's", "bridal", "senior"];
    let what = ["cut", "colour", "balayage", "blow dry", "highlights", "root tint", "perm", "gloss"];
    let how = ["deluxe", "express", "full", "half head", "with wash"];
    let name = |number: usize| {
        let (who, what) = (who[number % who.len()], what[number / who.len() % what.len()]);
        format!("{who} {what} {} {}", how[number / 40 % how.len()], number / 200)
    };
    let service = |number: usize| Service {
        name: name(number),
        aliases: (1..=20).map(|alias| name(number + 200 * alias)).collect(),
        ..service(number as u128, &[45], 1)
    };
    (0..200).map(service).collect()
}

fn matching(criterion: &mut Criterion) {
    let services = catalogue();
    let lexicon = Lexicon::new(&services);
    let mut group = criterion.benchmark_group("200 services x 21 names");
    for (name, phrase) in [
        ("the name itself", "Women's cut deluxe 0"),
        ("a word that many have", "I'd like a cut please"),
        ("misspelt", "womans balayge expres"),
        ("nothing at all", "what time do you close on sunday"),
    ] {
        group.bench_function(name, |bencher| bencher.iter(|| black_box(lexicon.rank(black_box(phrase)))));
    }
    group.bench_function("the names made ready", |bencher| {
        bencher.iter(|| black_box(Lexicon::new(black_box(&services))));
    });
    group.finish();
}

/// A salon of ten employees and eight chairs, and 60 bookings as they came in.
fn busy_day() -> Input {
    let mut schedule = schedule(10);
    let chair = |number: u128| {
        let id = ResourceId(Uuid::from_u128(1000 + number));
        (id, Resource { id, name: String::new(), kind: "chair".to_owned() })
    };
    schedule.resources = (0..8).map(chair).collect();
    schedule.services.values_mut().for_each(|service| service.resource_kinds = vec!["chair".to_owned()]);
    let midnight = Timestamp::from_second(1_790_809_200).expect("a timestamp");
    let day = Day::covering(
        Span::new(midnight, midnight + SignedDuration::from_hours(1)).expect("a span"),
        &schedule.zone,
    )
    .pop()
    .expect("a day");
    let mut facts = Facts::default();
    let mut taken = vec![];
    for number in 0..200_u128 {
        let plan = DayPlan::new(&schedule, day.clone(), &taken);
        let request = request(&schedule, &[1 + number % 3]);
        let line = Timeline::new(&[plan], request.candidates(), request.resources());
        let whole = Span::new(day.starts_at(), day.ends_at()).expect("a span");
        let offers: Vec<_> = Placer::new(&line, &request).offers(whole).collect();
        let Some(placed) = offers.get(number as usize * 7919 % offers.len().max(1)) else { continue };
        let rows: Vec<_> = placed.occupied.iter().map(|row| (row.subject, row.during)).collect();
        taken.extend(rows.iter().copied());
        let id = VisitId(Uuid::from_u128(2000 + number));
        facts.visits.push((Appointment::book(id, placed, BookingDetails::default(), midnight), rows));
        if facts.visits.len() == 60 {
            break;
        }
    }
    Input::new(&schedule, &day, facts, midnight - SignedDuration::from_hours(24))
}

fn optimiser(criterion: &mut Criterion) {
    let input = busy_day();
    let mut group = criterion.benchmark_group("a day of 60 bookings x 10 employees x 8 chairs");
    group.sample_size(10);
    group.bench_function("a better day, whole run", |bencher| {
        bencher.iter(|| black_box(optimise(black_box(&input), Run::of(&input, 1), || false)));
    });
    group.finish();
}

criterion_group!(benches, kernel, matching, optimiser);
criterion_main!(benches);
