//! What holds in every world that a seed makes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date, tz::TimeZone};
use proptest::{prelude::*, test_runner::Config};
use proto::{
    frontdesk::{
        scheduling::{
            internal::v1::{PastStep, PastVisit},
            v1::AppointmentState as State,
        },
        telemetry::v1::{CallOutcome, Speaker},
        tenancy::v1::StockMovementKind,
    },
    time::required,
};

use super::{
    Days, World,
    agenda::{minutes, works},
    calls::Subject,
    visits::{End, Visit},
};
use crate::demo::{
    salon::{EMPLOYEES, SERVICES},
    stock::GOODS,
};

/// A Monday in June, in the afternoon.
const ANCHOR: Date = Date::constant(2026, 6, 1);

fn zone() -> TimeZone {
    TimeZone::get("Europe/London").unwrap()
}

fn now() -> Timestamp {
    ANCHOR.at(15, 10, 0, 0).to_zoned(zone()).unwrap().timestamp()
}

fn world(seed: u64) -> World {
    World::new(seed, zone(), ANCHOR, now()).unwrap()
}

fn came(world: &World) -> BTreeMap<usize, Vec<&Visit>> {
    let mut by_client: BTreeMap<usize, Vec<&Visit>> = BTreeMap::new();
    for (_, visit) in world.booked().filter(|(_, visit)| visit.end == End::Came) {
        by_client.entry(visit.client).or_default().push(visit);
    }
    for visits in by_client.values_mut() {
        visits.sort_by_key(|visit| visit.starts_at);
    }
    by_client
}

/// Those behind it first, backwards.
fn all_visits(world: &World) -> Vec<PastVisit> {
    [Days::BeforeToday, Days::FromToday].into_iter().flat_map(|days| world.past_visits(days)).collect()
}

#[test]
fn a_seed_makes_the_same_world_twice_and_another_seed_another_one() {
    let told = |seed| {
        let world = world(seed);
        let items: Vec<_> = (0..GOODS.len()).map(|good| world.past_movements(good)).collect();
        let people = (world.customers(), world.past_follow_ups());
        format!("{people:?} {items:?} {:?} {:?}", all_visits(&world), world.past_calls())
    };
    let one = told(1);
    assert!(one == told(1));
    assert!(one != told(2));
}

#[test]
fn a_later_day_adds_visits_and_changes_none() {
    let (today, later) =
        (world(1), World::new(1, zone(), ANCHOR, now() + SignedDuration::from_hours(24 * 9)).unwrap());
    assert!(later.visits.len() > today.visits.len());
    assert_eq!(later.visits[..today.visits.len()], today.visits);
}

#[test]
fn most_customers_come_back_after_four_to_eight_weeks_and_none_comes_all_the_time() {
    let world = world(1);
    let by_client = came(&world);
    let mut gaps = vec![];
    for visits in by_client.values() {
        gaps.extend(visits.windows(2).map(|two| (two[1].place.date - two[0].place.date).get_days()));
        for first in visits {
            let fortnight = visits
                .iter()
                .filter(|other| (0..14).contains(&(other.place.date - first.place.date).get_days()));
            assert!(fortnight.count() <= 2, "{first:?}");
        }
    }
    let usual = gaps.iter().filter(|days| (28..=56).contains(*days)).count();
    assert!(usual * 100 >= gaps.len() * 75, "{usual} of {}", gaps.len());
}

#[test]
fn december_is_busy_and_january_is_quiet() {
    let world = world(1);
    let mut months: BTreeMap<i8, usize> = BTreeMap::new();
    let year = world.booked().filter(|(_, visit)| visit.place.date < ANCHOR && visit.end == End::Came);
    for (_, visit) in year {
        *months.entry(visit.place.date.month()).or_default() += 1;
    }
    // The first weeks fill up.
    let usual = months[&10] + months[&11] + months[&3];
    assert!(months[&12] * 3 * 100 > usual * 112, "{months:?}");
    assert!(months[&1] * 3 * 100 < usual * 82, "{months:?}");
}

#[test]
fn some_customers_cancel_move_and_stay_away() {
    let world = world(1);
    let all = world.booked().count();
    let share =
        |wanted: fn(&Visit) -> bool| world.booked().filter(|(_, visit)| wanted(visit)).count() * 1_000 / all;
    let away = share(|visit| visit.end == End::StayedAway);
    let cancelled = share(|visit| matches!(visit.end, End::Cancelled { .. }));
    let moved = share(|visit| visit.moved.is_some());
    assert!((10..=60).contains(&away), "{away} ‰");
    assert!((30..=100).contains(&cancelled), "{cancelled} ‰");
    assert!((10..=70).contains(&moved), "{moved} ‰");
    assert!((4_000..9_000).contains(&all), "{all} visits");
}

#[test]
fn prices_rose_in_the_course_of_the_year() {
    let world = world(1);
    for (service, offered) in SERVICES.iter().enumerate() {
        let of_service = world.booked().filter(|(_, visit)| visit.service == service);
        let prices: BTreeSet<i32> = of_service.map(|(_, visit)| visit.price).collect();
        let now = offered.price;
        assert_eq!(prices.len(), 2, "{}: {prices:?}", offered.name);
        assert_eq!(prices.last(), Some(&now));
        assert!(prices.iter().all(|price| price % 50 == 0 && price * 100 >= now * 94));
    }
}

#[test]
fn what_a_call_came_to_is_what_became_of_its_visit() {
    let world = world(1);
    let visits: BTreeMap<String, _> =
        all_visits(&world).into_iter().map(|visit| (visit.id.clone(), visit)).collect();
    let mut seen = BTreeSet::new();
    for (call, told) in world.calls.iter().zip(world.past_calls()) {
        let last = told.runs.iter().filter_map(|run| run.answer.as_ref()).next_back();
        let outcome = last.map_or(CallOutcome::Unspecified, |answer| answer.outcome());
        seen.insert(format!("{outcome:?}"));
        match call.subject {
            Subject::Booked(_) => {
                let visit = &visits[&last.unwrap().appointment_id];
                assert_eq!((visit.call_id.as_str(), outcome), (told.id.as_str(), CallOutcome::Booked));
                assert_eq!(told.bookings[0].appointment_id, visit.id);
                assert_eq!(told.bookings[0].price_minor, visit.price_minor);
                assert!(visit.booked_by.starts_with("agent:"));
            }
            Subject::Moved(_) => {
                let visit = &visits[&last.unwrap().appointment_id];
                assert_eq!((visit.r#move.is_some(), outcome), (true, CallOutcome::Moved));
            }
            Subject::Cancelled(_) => {
                let visit = &visits[&last.unwrap().appointment_id];
                let state = visit.steps.last().map(|step| step.state());
                assert_eq!((state, outcome), (Some(State::Cancelled), CallOutcome::Cancelled));
            }
            Subject::Abandoned => {
                let facts = told.facts.as_ref().unwrap();
                assert!(
                    facts.turns.iter().all(|turn| turn.speaker() == Speaker::Agent) && told.runs.is_empty()
                );
            }
            _ => assert!(told.bookings.is_empty()),
        }
    }
    let all = ["Booked", "Cancelled", "Message", "Moved", "Unspecified"].map(str::to_owned);
    assert_eq!(seen, BTreeSet::from(all));
    let called: BTreeSet<_> =
        visits.values().map(|visit| visit.call_id.clone()).filter(|id| !id.is_empty()).collect();
    let calls: BTreeSet<_> = world.past_calls().into_iter().map(|call| call.id).collect();
    assert!(called.is_subset(&calls) && called.len() > 100, "{} booked in calls", called.len());
}

#[test]
fn messages_of_the_last_days_are_open_and_older_ones_were_seen_to() {
    let follow_ups = world(1).past_follow_ups();
    // The inbox lists them by id.
    assert!(follow_ups.is_sorted_by_key(|one| one.id.clone()));
    assert!(follow_ups.is_sorted_by_key(|one| one.created_at.as_ref().map(|at| at.seconds)));
    let open = follow_ups.iter().filter(|one| one.done_at.is_none()).count();
    assert!((2..=15).contains(&open), "{open} open");
    assert!(follow_ups.len() - open > 30, "{} in all", follow_ups.len());
}

#[test]
fn stock_moves_in_every_way_and_some_of_it_is_low() {
    let world = world(1);
    let mut kinds = BTreeSet::new();
    let mut low = 0;
    for (good, movements) in GOODS.iter().zip(&world.movements) {
        let mut on_hand = 0;
        for movement in movements {
            kinds.insert(movement.kind as i32);
            on_hand = match movement.kind {
                StockMovementKind::Received => on_hand + movement.quantity,
                StockMovementKind::Counted => movement.quantity,
                _ => on_hand - movement.quantity,
            };
            assert!(on_hand >= 0, "{}: {movement:?}", good.name);
        }
        assert!(movements.is_sorted_by_key(|movement| movement.at));
        low += usize::from(on_hand <= good.low_at);
    }
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    assert!((2..=7).contains(&low), "{low} are low");
}

#[test]
fn customers_have_booked_ahead_less_and_less() {
    let world = world(1);
    let within = |from: i64, to: i64| {
        let days = ANCHOR.checked_add(from.days()).unwrap()..ANCHOR.checked_add(to.days()).unwrap();
        world.booked().filter(|(_, visit)| days.contains(&visit.place.date)).count()
    };
    let (this, next, later) = (within(0, 7), within(7, 14), within(28, 35));
    assert!(this > next && next > later && later > 5, "{this}, {next}, {later}");
}

proptest! {
    #![proptest_config(Config::with_cases(6))]
    #[test]
    fn employees_serve_one_customer_at_a_time_and_when_they_are_at_work(seed: u64) {
        let world = world(seed);
        let mut days: BTreeMap<(usize, Date), Vec<(i32, i32)>> = BTreeMap::new();
        for (_, visit) in world.booked() {
            let places = visit.moved.iter().map(|moved| moved.from).chain([visit.place]);
            for place in places {
                let (from, to) = EMPLOYEES[place.employee].hours;
                let span = (place.minute, place.minute + minutes(visit.service));
                prop_assert!(works(place.employee, place.date) && from * 60 <= span.0 && span.1 <= to * 60);
                prop_assert!(SERVICES[visit.service].employees.contains(&place.employee));
                days.entry((place.employee, place.date)).or_default().push(span);
            }
        }
        for spans in days.values_mut() {
            spans.sort_unstable();
            prop_assert!(spans.is_sorted_by(|one, next| one.1 <= next.0), "{spans:?}");
        }
    }

    #[test]
    fn what_happens_to_a_visit_is_in_order(seed: u64) {
        let world = world(seed);
        for (n, visit) in world.booked() {
            let second = |step: &PastStep| required("at", step.at.as_ref()).unwrap().as_second();
            let mut times = vec![visit.booked_at.as_second()];
            times.extend(visit.moved.filter(|moved| moved.at <= world.now).map(|moved| moved.at.as_second()));
            times.extend(world.steps(n, visit).iter().map(second));
            prop_assert!(times.is_sorted_by(|one, next| one < next), "{visit:?}: {times:?}");
        }
    }
}
