//! The bitmap engine against a slow, readable reference implementation.

pub mod world;

use std::collections::BTreeMap;

use jiff::{SignedDuration, civil::Date};
use proptest::{prelude::*, strategy::ValueTree};

use super::*;
use crate::{
    dates::DateRange,
    day::Day,
    hours::WeeklyPattern,
    id::EmployeeId,
    item::{Item, Wish},
    part_of_day::PartOfDay,
    step::Step,
    visit::{Bond, Occupied},
};
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

/// The employee's working hours on `date`, without opening hours and time off.
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

    /// Whether a subject may be at its part of the visit, where `mine` are all its parts.
    fn may_stay(&self, subject: SubjectId, part: &Stretch, mine: &[&Stretch]) -> bool {
        let free = |span: Span| self.world.is_free(subject, span);
        let comes = mine.iter().all(|other| other.ends() != part.begins());
        let goes = mine.iter().all(|other| other.begins() != part.ends());
        let shared = |other: &&&Stretch| !core::ptr::eq(**other, part) && other.meets(part);
        part.needed.iter().all(|span| free(*span))
            && !mine.iter().any(|other| shared(&other))
            && (!comes || part.before().is_none_or(free))
            && (!goes || part.behind().is_none_or(free))
    }

    /// Whether these employees, one per step, may do a visit in this arrangement at `start`.
    fn fits(
        &self,
        request: &VisitRequest,
        way: &Arrangement,
        start: Timestamp,
        employees: &[EmployeeId],
    ) -> bool {
        let parts = stretches(request, way, start, false);
        let bound = |bond: &Bond| (employees[bond.steps.0] == employees[bond.steps.1]) == bond.same;
        let whole = Span::new(start, start + minutes(way.minutes)).unwrap();
        covers(&self.opening, whole)
            && request.bonds().iter().all(bound)
            && parts.iter().zip(employees).all(|(part, employee)| {
                let mine: Vec<_> = parts
                    .iter()
                    .zip(employees)
                    .filter(|(_, who)| *who == employee)
                    .map(|(part, _)| part)
                    .collect();
                part.needed.iter().all(|span| self.works(*employee, *span))
                    && self.may_stay((*employee).into(), part, &mine)
            })
    }

    /// Whether each step that needs one of a pool may have its own.
    fn has_resources(&self, request: &VisitRequest, way: &Arrangement, start: Timestamp) -> bool {
        let parts = stretches(request, way, start, true);
        request.pools().iter().all(|pool| {
            let picks = combinations(&pool.steps.iter().map(|_| pool.resources.clone()).collect::<Vec<_>>());
            picks.iter().any(|pick| {
                pool.steps.iter().zip(pick).all(|(step, resource)| {
                    let mine = pool.steps.iter().zip(pick).filter(|(_, other)| *other == resource);
                    let mine: Vec<_> = mine.map(|(step, _)| &parts[*step]).collect();
                    self.may_stay((*resource).into(), &parts[*step], &mine)
                })
            })
        })
    }

    /// The first arrangement that fits at `start`, with the fewest changes of employee between
    /// steps that follow on each other.
    fn first_way<'w>(&self, request: &'w VisitRequest, start: Timestamp) -> Option<(&'w Arrangement, usize)> {
        request.arrangements().iter().filter(|way| self.has_resources(request, way, start)).find_map(|way| {
            let who = request.steps().iter().zip(&way.variants).map(|(step, variant)| {
                step.variants[*variant].candidates.iter().map(|one| one.employee).collect()
            });
            let fitting = combinations(&who.collect::<Vec<_>>()).into_iter();
            let fitting = fitting.filter(|who| self.fits(request, way, start, who));
            Some((way, fitting.map(|who| changes(way, &who)).min()?))
        })
    }
}

fn minutes(minutes: u16) -> SignedDuration {
    SignedDuration::from_mins(minutes.into())
}

/// What one step needs of its subject.
struct Stretch {
    needed: Vec<Span>,
    before: u16,
    behind: u16,
}

impl Stretch {
    fn begins(&self) -> Timestamp {
        self.needed[0].starts_at()
    }

    fn ends(&self) -> Timestamp {
        self.needed[self.needed.len() - 1].ends_at()
    }

    fn before(&self) -> Option<Span> {
        Span::new(self.begins() - minutes(self.before), self.begins())
    }

    fn behind(&self) -> Option<Span> {
        Span::new(self.ends(), self.ends() + minutes(self.behind))
    }

    fn meets(&self, other: &Self) -> bool {
        self.needed.iter().any(|one| other.needed.iter().any(|two| one.overlaps(*two)))
    }
}

/// What each step needs of its employee, or of what it uses all the time.
fn stretches(request: &VisitRequest, way: &Arrangement, start: Timestamp, throughout: bool) -> Vec<Stretch> {
    let stretch = |(index, step): (usize, &Step)| {
        let course = &step.variants[way.variants[index]].course;
        let at = start + minutes(way.begins[index]);
        let span = |from, to| Span::new(at + minutes(from), at + minutes(to)).unwrap();
        let whole = vec![span(0, course.minutes())];
        let active = course.active().map(|part| span(part.start, part.end)).collect();
        let needed = if throughout { whole } else { active };
        Stretch { needed, before: course.buffer_before(), behind: course.buffer_after() }
    };
    request.steps().iter().enumerate().map(stretch).collect()
}

/// One of each, in every way.
fn combinations<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![vec![]];
    for choice in choices {
        let with = |done: &Vec<T>| {
            choice.iter().map(|next| [done.as_slice(), &[*next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// How often the employee changes from one step to the next in time.
fn changes(way: &Arrangement, employees: &[EmployeeId]) -> usize {
    let mut order: Vec<_> = (0..employees.len()).collect();
    order.sort_by_key(|step| way.begins[*step]);
    order.windows(2).filter(|pair| employees[pair[0]] != employees[pair[1]]).count()
}

/// The employees of a placement, by step.
fn employees_of(request: &VisitRequest, way: &Arrangement, placed: &Placement) -> Vec<EmployeeId> {
    let mut items = placed.items.clone();
    let of = |(index, step): (usize, &Step)| {
        let at = placed.starts_at + minutes(way.begins[index]);
        let item = items
            .iter()
            .position(|item| (item.guest, item.service, item.starts_at) == (step.guest, step.service, at));
        items.swap_remove(item.unwrap()).employee
    };
    request.steps().iter().enumerate().map(of).collect()
}

/// Whether the rows that a visit takes overlap nothing, including each other.
fn nothing_overlaps(world: &World, occupied: &[Occupied]) -> bool {
    occupied.iter().enumerate().all(|(index, row)| {
        let clashes = |other: &Occupied| other.subject == row.subject && other.during.overlaps(row.during);
        world.is_free(row.subject, row.during) && !occupied[..index].iter().any(clashes)
    })
}

/// The largest visit there may be, in a salon that can hardly serve it.
#[test]
fn a_visit_of_eight_guests_and_six_services_each_is_looked_for_within_bounds() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = 0;
    while seen < 5 {
        let mut world = world().new_tree(&mut runner).unwrap().current();
        let items = (0..8).flat_map(|guest| (0..6).map(move |service| (guest, service)));
        let services: Vec<_> = world.schedule.services.keys().copied().collect();
        let item = |(guest, service): (u8, usize)| Item {
            service: services[service % 3],
            employee: None,
            preferred: None,
            guest,
            customer: None,
            extra_minutes: 0,
            wish: Wish::Anyone,
        };
        world.items = items.map(item).collect();
        world.schedule.dependencies.clear();
        let Ok(request) = world.schedule.request(&world.items) else { continue };
        seen += 1;
        let line = world.line();
        // Unbounded, this alone would take minutes.
        let offers: Vec<_> = Placer::new(&line, &request).offers(world.whole()).collect();
        assert!(offers.iter().all(|offer| nothing_overlaps(&world, &offer.occupied)));
    }
}

proptest! {
    #[test]
    fn the_bitmap_engine_offers_what_the_obvious_engine_offers(world in world()) {
        let Ok(request) = world.schedule.request(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &request);
        let oracle = Oracle::of(&world);
        let found: Vec<_> = placer.offers(world.whole()).map(|offer| offer.starts_at).collect();
        let mut expected = vec![];
        for slot in 0..line.len() {
            let start = line.instant(slot);
            let on_grid = world.minute_shown(start).is_multiple_of(world.schedule.policy.increment_minutes);
            let Some((way, fewest)) = on_grid.then(|| oracle.first_way(&request, start)).flatten() else { continue };
            expected.push(start);
            let Ok((chosen, placed)) = placer.way(start) else { continue };
            prop_assert_eq!(chosen, way);
            let employees = employees_of(&request, way, &placed);
            prop_assert!(oracle.fits(&request, way, start, &employees));
            let one_guest = request.steps().iter().all(|step| step.guest == request.steps()[0].guest);
            let total: u16 = (0..employees.len()).map(|index| {
                request.steps()[index].variants[way.variants[index]].course.minutes()
            }).sum();
            if one_guest && request.bonds().is_empty() && total <= way.minutes {
                prop_assert_eq!(changes(way, &employees), fewest);
            }
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn every_offer_can_be_booked_and_nothing_offered_overlaps(world in world()) {
        let Ok(request) = world.schedule.request(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &request);
        for offer in placer.offers(world.whole()) {
            prop_assert!(nothing_overlaps(&world, &offer.occupied));
            let reach = request.reach(offer.starts_at, offer.starts_at);
            prop_assert!(offer.occupied.iter().all(|row| reach.intersection(row.during) == Some(row.during)));
            let booked = placer.at(offer.starts_at);
            prop_assert_eq!(booked.as_ref(), Ok(&offer));
            // Once booked, the same people and chairs are not to be had again.
            let mut after = line.clone();
            offer.occupied.iter().for_each(|row| after.take(row.subject, row.during));
            if let Ok(again) = Placer::new(&after, &request).at(offer.starts_at) {
                let both: Vec<_> = offer.occupied.iter().chain(&again.occupied).copied().collect();
                prop_assert!(nothing_overlaps(&world, &both));
            }
        }
    }

    #[test]
    fn a_refused_start_is_taken_only_if_it_would_fit_an_empty_day(world in world()) {
        let Ok(request) = world.schedule.request(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &request);
        let empty = World { taken: vec![], ..world.clone() };
        let (oracle, empty) = (Oracle::of(&world), Oracle::of(&empty));
        for slot in (0..line.len()).step_by(7) {
            let start = line.instant(slot);
            let expected = match (oracle.first_way(&request, start), empty.first_way(&request, start)) {
                (Some(_), _) => None,
                (None, Some(_)) => Some(Refusal::SlotTaken),
                (None, None) => Some(Refusal::NotWorking),
            };
            prop_assert_eq!(placer.at(start).err(), expected);
        }
    }

    #[test]
    fn a_part_of_the_day_narrows_the_offers_to_it(world in world()) {
        let Ok(request) = world.schedule.request(&world.items) else { return Ok(()) };
        let line = world.line();
        let placer = Placer::new(&line, &request);
        for (part, from, to) in
            [(PartOfDay::Morning, 0, 720), (PartOfDay::Afternoon, 720, 1020), (PartOfDay::Evening, 1020, 1440)]
        {
            let wanted = part.slots(&world.days);
            let found: Vec<_> = placer.offers_among(world.whole(), Some(&wanted)).collect();
            let shown = |offer: &Placement| (from..to).contains(&world.minute_shown(offer.starts_at));
            let expected: Vec<_> = placer.offers(world.whole()).filter(shown).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
