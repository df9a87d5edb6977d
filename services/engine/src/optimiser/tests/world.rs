//! Small salons on one day, each the same whenever it is made from its seed.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp, civil::date, tz::TimeZone};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};
use uuid::Uuid;

use crate::{
    appointment::{Appointment, BookingDetails},
    dates::DateRange,
    day::Day,
    hours::{WeeklyPattern, WeeklySpan},
    id::{CustomerId, EmployeeId, ResourceId, ServiceId, SubjectId, TimeOffId, VisitId, WaitlistEntryId},
    item::{Item, Wish},
    optimiser::{Facts, Input},
    placement::Placer,
    plan::DayPlan,
    policy::Policy,
    resource::Resource,
    schedule::Schedule,
    service::{Price, Segment, SegmentKind, Segments, Service},
    span::Span,
    timeline::Timeline,
    visit::Placement,
    waitlist::{Entry, Minutes, State},
    working::{Absence, Rota},
};

pub const DATE: jiff::civil::Date = date(2026, 6, 1);

pub fn employee(number: u128) -> EmployeeId {
    EmployeeId(Uuid::from_u128(number))
}

pub fn service_id(number: u128) -> ServiceId {
    ServiceId(Uuid::from_u128(100 + number))
}

pub fn visit(number: u128) -> VisitId {
    VisitId(Uuid::from_u128(200 + number))
}

fn chair(number: u128) -> ResourceId {
    ResourceId(Uuid::from_u128(300 + number))
}

fn customer(number: u128) -> CustomerId {
    CustomerId(Uuid::from_u128(400 + number))
}

pub fn entry(number: u128) -> WaitlistEntryId {
    WaitlistEntryId(Uuid::from_u128(500 + number))
}

/// An instant of the day in UTC, on which London is an hour ahead.
pub fn at(hour: i64, minute: i64) -> Timestamp {
    let midnight: Timestamp = "2026-05-31T23:00:00Z".parse().unwrap();
    midnight + SignedDuration::from_mins(hour * 60 + minute)
}

/// A salon while its day is being made up.
pub struct Salon {
    pub schedule: Schedule,
    pub facts: Facts,
    absences: Vec<(EmployeeId, Span)>,
    hours: (u16, u16),
}

impl Salon {
    /// Everybody works from one hour to another.
    pub fn new(people: u128, chairs: u128, hours: (u16, u16)) -> Self {
        let week = |(from, to)| {
            let span = WeeklySpan { weekday: DATE.weekday(), from: from * 60, to: to * 60 };
            WeeklyPattern::new(vec![span]).unwrap()
        };
        let resource = |number| Resource { id: chair(number), name: String::new(), kind: "chair".to_owned() };
        let schedule = Schedule {
            version: 1,
            zone: TimeZone::get("Europe/London").unwrap(),
            policy: Policy::default(),
            opening: week(hours).into(),
            rotas: (1..=people).map(|number| (employee(number), week(hours).into())).collect(),
            services: BTreeMap::new(),
            resources: (1..=chairs).map(|number| (chair(number), resource(number))).collect(),
            dependencies: vec![],
            names: BTreeMap::new(),
        };
        Self { schedule, facts: Facts::default(), absences: vec![], hours }
    }

    pub fn day(&self) -> Day {
        Day::of(DATE, &self.schedule.zone)
    }

    /// A service of segments, at work and waiting in turn, with a buffer behind.
    pub fn sell(&mut self, number: u128, minutes: &[u16], behind: u16, who: &[u128], needs_chair: bool) {
        let kind = |index| if index % 2 == 0 { SegmentKind::Active } else { SegmentKind::Processing };
        let segment = |(index, minutes): (usize, &u16)| Segment { kind: kind(index), minutes: *minutes };
        let segments = minutes.iter().enumerate().map(segment).collect();
        let service = Service {
            id: service_id(number),
            name: format!("service {number}"),
            category: String::new(),
            course: Segments::new(segments, 0, behind).unwrap(),
            price: Price { minor: 100, currency: "GBP".to_owned() },
            aliases: vec![],
            employees: who.iter().copied().map(employee).collect(),
            overrides: vec![],
            resource_kinds: if needs_chair { vec!["chair".to_owned()] } else { vec![] },
            version: 1,
            patch_test: String::new(),
        };
        self.schedule.services.insert(service.id, service);
    }

    pub fn items(services: &[u128], who: Option<u128>) -> Vec<Item> {
        let item = |number: &u128| Item {
            service: service_id(*number),
            employee: who.map(employee),
            preferred: None,
            guest: 0,
            customer: None,
            extra_minutes: 0,
            wish: Wish::Anyone,
        };
        services.iter().map(item).collect()
    }

    fn offers(&self, items: &[Item]) -> Vec<Placement> {
        let rows = self.facts.visits.iter().flat_map(|(_, rows)| rows).chain(&self.facts.taken);
        let rows: Vec<_> = rows.copied().collect();
        let plan = DayPlan::new(&self.schedule, self.day(), &rows);
        let line = Timeline::new(
            &[plan],
            self.schedule.rotas.keys().copied(),
            self.schedule.resources.keys().copied(),
        );
        let Ok(request) = self.schedule.request(items) else { return vec![] };
        let placer = Placer::new(&line, &request);
        let starts = line.slots_beginning_in(Span::new(line.instant(0), at(24, 0)).unwrap());
        starts.filter_map(|slot| Some(placer.place(slot)?.1)).collect()
    }

    fn book(&mut self, placed: &Placement, who: Option<CustomerId>) -> VisitId {
        let id = visit(self.facts.visits.len() as u128);
        let occasion = BookingDetails { customer: who, ..BookingDetails::default() };
        let booked = Appointment::book(id, placed, occasion, at(0, 0));
        let rows = placed.occupied.iter().map(|row| (row.subject, row.during)).collect();
        self.facts.visits.push((booked, rows));
        id
    }

    /// Books services with an employee.
    pub fn book_at(&mut self, start: Timestamp, services: &[u128], who: u128) -> VisitId {
        let items = Self::items(services, Some(who));
        let placed = self.offers(&items).into_iter().find(|offer| offer.starts_at == start).unwrap();
        self.book(&placed, None)
    }

    pub fn wait(&mut self, number: u128, services: &[u128], from: u16, to: u16) {
        self.facts.waiting.push(Entry {
            id: entry(number),
            customer: customer(number),
            items: Self::items(services, None),
            dates: DateRange::new(DATE, DATE).unwrap(),
            minutes: Minutes::new(from, to).unwrap(),
            note: String::new(),
            joined_at: at(0, 0),
            state: State::Waiting,
            version: 1,
        });
    }

    pub fn block(&mut self, who: u128, span: Span) {
        self.facts.taken.push((SubjectId::from(employee(who)), span));
    }

    /// Reports an employee sick.
    pub fn miss(&mut self, who: u128, span: Span) {
        self.absences.push((employee(who), span));
    }

    pub fn input(&self, now: Timestamp) -> Input {
        let mut schedule = self.schedule.clone();
        let span = |from: u16, to: u16| WeeklySpan { weekday: DATE.weekday(), from: from * 60, to: to * 60 };
        let week = WeeklyPattern::new(vec![span(self.hours.0, self.hours.1)]).unwrap();
        for (who, span) in &self.absences {
            let absence = Absence { time_off: TimeOffId(Uuid::nil()), span: *span };
            let rota = Rota::new(BTreeMap::from([(None, week.clone())]), BTreeMap::new(), vec![absence]);
            schedule.rotas.insert(*who, rota);
        }
        Input::new(&schedule, &self.day(), self.facts.clone(), now)
    }
}

/// A small salon, the same for the same seed: 2 or 3 employees, 1 or 2 chairs, 3 to 7 visits, and often
/// an absence, a waiting customer or a blocked time.
pub fn small(seed: u64) -> Input {
    made_up(seed, 3..=7)
}

/// One that can be worked out by trying everything.
pub fn tiny(seed: u64) -> Input {
    made_up(seed, 1..=3)
}

fn made_up(seed: u64, visits: core::ops::RangeInclusive<u64>) -> Input {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut between = |from: u64, to: u64| from + dice.next_u64() % (to - from + 1);
    let people = between(2, 3);
    let mut salon = Salon::new(people.into(), between(1, 2).into(), (9, 13));
    for number in 1..=3 {
        let lengths: &[&[u16]] = &[&[20], &[25], &[30], &[45], &[60], &[20, 15, 10], &[15, 30, 15]];
        let minutes = lengths[between(0, lengths.len() as u64 - 1) as usize];
        let skilled: Vec<u128> = (1..=people.into()).filter(|_| between(0, 4) > 0).collect();
        let skilled = if skilled.is_empty() { vec![1] } else { skilled };
        let behind = [0, 0, 5, 10][between(0, 3) as usize];
        salon.sell(number, minutes, behind, &skilled, between(0, 1) == 0);
    }
    if between(0, 2) == 0 {
        let from = at(9, 0) + SignedDuration::from_mins(between(0, 200) as i64);
        let length = SignedDuration::from_mins(between(7, 40) as i64);
        salon.block(between(1, people).into(), Span::new(from, from + length).unwrap());
    }
    for _ in 0..between(*visits.start(), *visits.end()) {
        let services: Vec<u128> = (0..between(1, 6) / 5 + 1).map(|_| between(1, 3).into()).collect();
        let who = (between(0, 1) == 0).then(|| between(1, people).into());
        let offers = salon.offers(&Salon::items(&services, who));
        if !offers.is_empty() {
            let placed = &offers[between(0, offers.len() as u64 - 1) as usize];
            let who = customer(between(1, 12).into());
            let id = salon.book(placed, Some(who));
            if between(0, 5) == 0 {
                salon.facts.agreed.insert(id, 5 * between(4, 8) as u16);
            }
        }
    }
    if between(0, 1) == 0 {
        let from = at(9, 0) + SignedDuration::from_mins(60 * between(0, 2) as i64);
        salon.miss(between(1, people).into(), Span::new(from, at(18, 0)).unwrap());
    }
    for number in 0..between(0, 2) {
        let from = 60 * between(9, 11) as u16;
        salon.wait(number.into(), &[between(1, 3).into()], from, from + 60);
    }
    let now = if between(0, 2) == 0 { at(9, 7) } else { at(0, 0) };
    salon.input(now)
}
