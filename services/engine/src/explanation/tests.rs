//! What is explained against what is offered, and against the slow, obvious engine.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::placement::tests::{
    Oracle,
    world::{World, plain_world, world},
};

fn taken(world: &World) -> Vec<Taken> {
    let records = world.taken.iter().enumerate().map(|(index, (employee, span))| {
        let id = Uuid::from_u128(index as u128);
        let record = match index % 3 {
            0 => Record::Appointment(VisitId(id)),
            1 => Record::Hold(VisitId(id)),
            _ => Record::Busy(FactId(id)),
        };
        Taken { subject: *employee, span: *span, record }
    });
    records.collect()
}

/// Starts of which the line has all that the visit could occupy, as in an answer it always has.
fn starts(world: &World, step: usize) -> Vec<Timestamp> {
    let (line, whole) = (world.line(), world.whole());
    let covered = |start: &Timestamp| {
        let reach = world.schedule.reach(&world.items, *start).unwrap();
        whole.intersection(reach) == Some(reach)
    };
    (0..line.len()).step_by(step).map(|slot| line.instant(slot)).filter(covered).collect()
}

/// All that is in the way of a service, of people and of what it uses.
fn obstacles_of(item: &ExplainedItem) -> Vec<Obstacle> {
    let people = item.candidates.iter().flat_map(|one| &one.obstacles);
    let resources = item.needs.iter().flat_map(|need| &need.candidates).flat_map(|one| &one.obstacles);
    people.chain(resources).copied().collect()
}

fn explain(world: &World, start: Timestamp, now: Timestamp) -> Explanation {
    explain_to(world, start, now, Some(Booker::Customer))
}

fn explain_to(world: &World, start: Timestamp, now: Timestamp, booker: Option<Booker>) -> Explanation {
    let (line, taken) = (world.line(), taken(world));
    let situation = Situation { schedule: &world.schedule, line: &line, taken: &taken, now, booker };
    let request = match world.schedule.request(&world.items) {
        Ok(request) => Ok(request),
        Err(VisitRequestError::Refused(refusal)) => Err(refusal),
        Err(wrong) => panic!("worlds know their services: {wrong}"),
    };
    situation.explain(&world.items, request.as_ref().map_err(|refusal| *refusal), start).unwrap()
}

/// Whether the obstacles leave the service to an employee who begins with it (`comes`) or was there
/// before, and who leaves after it (`goes`) or stays.
fn is_free(obstacles: &[Obstacle], comes: bool, goes: bool) -> bool {
    obstacles.iter().all(|obstacle| match obstacle {
        Obstacle::NotSkilled | Obstacle::NotWorking(_) | Obstacle::Off(_) => false,
        Obstacle::Taken { part: Part::Service, .. } => false,
        Obstacle::Taken { part: Part::BufferBefore, .. } => !comes,
        Obstacle::Taken { part: Part::BufferAfter, .. } => !goes,
    })
}

/// An employee or resource and its obstacles.
type Choice<'a> = (SubjectId, &'a [Obstacle]);

/// Whether some way to share services out, given for each who may do it and what is in their
/// way, leaves room. A service that none is given for lies between two others.
fn may_be_shared(items: &[Option<Vec<Choice<'_>>>]) -> bool {
    let mut ways: Vec<Vec<Option<Choice<'_>>>> = vec![vec![]];
    for item in items {
        let choices: Vec<Option<_>> = match item {
            None => vec![None],
            Some(candidates) => candidates.iter().copied().map(Some).collect(),
        };
        ways = ways
            .iter()
            .flat_map(|way| {
                choices.iter().map(|next| [way.as_slice(), &[*next]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    let subject = |place: Option<&Option<Choice<'_>>>| place.copied().flatten().map(|(who, _)| who);
    ways.iter().any(|way| {
        way.iter().enumerate().all(|(index, place)| {
            let Some((who, obstacles)) = place else { return true };
            let comes = index == 0 || subject(way.get(index - 1)) != Some(*who);
            let goes = subject(way.get(index + 1)) != Some(*who);
            is_free(obstacles, comes, goes)
        })
    })
}

fn people_of(item: &ExplainedItem) -> Vec<Choice<'_>> {
    item.candidates.iter().map(|one| (one.employee.into(), one.obstacles.as_slice())).collect()
}

fn resources_of<'a>(item: &'a ExplainedItem, kind: &str) -> Option<Vec<Choice<'a>>> {
    let need = item.needs.iter().find(|need| need.kind == kind)?;
    Some(need.candidates.iter().map(|one| (one.resource.into(), one.obstacles.as_slice())).collect())
}

/// Whether the explanation, by itself, leaves room for the visit: every way to share it out is tried.
fn leaves_room(explanation: &Explanation) -> bool {
    let mut items: Vec<_> = explanation.items.iter().collect();
    items.sort_by_key(|item| item.span);
    let people: Vec<_> = items.iter().map(|item| Some(people_of(item))).collect();
    let kinds: BTreeSet<_> = items.iter().flat_map(|item| &item.needs).map(|need| &need.kind).collect();
    let enough = |kind: &&String| {
        may_be_shared(&items.iter().map(|item| resources_of(item, kind)).collect::<Vec<_>>())
    };
    explanation.obstacles.is_empty() && may_be_shared(&people) && kinds.iter().all(enough)
}

/// Whether what is said of a candidate is so.
fn is_true(
    world: &World,
    oracle: &Oracle<'_>,
    (wanted, item): (&Item, &ExplainedItem),
    candidate: &Candidate,
) -> bool {
    let employee = candidate.employee;
    let service = world.schedule.services[&item.service].lengthened(wanted.extra_minutes).unwrap();
    let course = service.course_of(employee);
    // Each is judged by the time that they themselves would take.
    let own = Span::new(item.span.starts_at(), after(item.span.starts_at(), course.minutes())).unwrap();
    candidate.obstacles.iter().all(|obstacle| match *obstacle {
        Obstacle::NotSkilled => !service.employees.contains(&employee),
        Obstacle::NotWorking(span) => {
            let first = Span::new(span.starts_at(), span.starts_at() + SignedDuration::from_mins(5)).unwrap();
            let last = Span::new(span.ends_at() - SignedDuration::from_mins(5), span.ends_at()).unwrap();
            let inside = own.intersection(span) == Some(span);
            inside && !oracle.works(employee, first) && !oracle.works(employee, last)
        }
        Obstacle::Off(absence) => {
            world.people[&employee].off.contains(&absence.span) && own.overlaps(absence.span)
        }
        Obstacle::Taken { record, span, part } => {
            let reach = Span::new(
                own.starts_at() - SignedDuration::from_mins(course.buffer_before().into()),
                own.ends_at() + SignedDuration::from_mins(course.buffer_after().into()),
            );
            let known = taken(world).contains(&Taken { subject: employee.into(), span, record });
            known && reach.unwrap().overlaps(span) && (part != Part::Service || own.overlaps(span))
        }
    })
}

proptest! {
    #[test]
    fn a_start_is_free_exactly_when_nothing_that_is_named_is_in_its_way(world in plain_world()) {
        let now = world.whole().starts_at();
        for start in starts(&world, 5) {
            let explanation = explain(&world, start, now);
            prop_assert_eq!(explanation.offer.is_some(), leaves_room(&explanation), "{:?}", explanation);
        }
    }

    #[test]
    fn everything_that_is_named_is_true(world in world()) {
        let now = world.whole().starts_at();
        let oracle = Oracle::of(&world);
        for start in starts(&world, 7) {
            let explanation = explain(&world, start, now);
            for item in world.items.iter().zip(&explanation.items) {
                for candidate in &item.1.candidates {
                    prop_assert!(is_true(&world, &oracle, item, candidate), "{:?}", explanation);
                }
            }
        }
    }

    #[test]
    fn who_takes_away_the_records_that_are_named_makes_room(world in plain_world()) {
        let now = world.whole().starts_at();
        for start in starts(&world, 11) {
            let before = explain(&world, start, now);
            let all = before.items.iter().flat_map(obstacles_of);
            let named: Vec<_> = all.filter_map(|obstacle| match obstacle {
                Obstacle::Taken { span, .. } => Some(span),
                Obstacle::NotSkilled | Obstacle::NotWorking(_) | Obstacle::Off(_) => None,
            }).collect();
            let mut cleared = world.clone();
            cleared.taken.retain(|(_, span)| !named.contains(span));
            let after = explain(&cleared, start, now);
            let same_way = before.items.iter().zip(&after.items).all(|(one, two)| one.span == two.span);
            let is_record = |one: &Obstacle| matches!(one, Obstacle::Taken { .. });
            prop_assert!(!same_way || !after.items.iter().flat_map(obstacles_of).any(|one| is_record(&one)));
            prop_assert_eq!(after.offer.is_some(), leaves_room(&after));
        }
    }

    #[test]
    fn lead_time_and_horizon_are_named_with_their_instants(world in world(), hours in -48i64..48) {
        let start = world.whole().starts_at();
        let now = start + SignedDuration::from_hours(hours);
        let explanation = explain(&world, start, now);
        let too_soon = explanation.obstacles.contains(&VisitObstacle::TooSoon(now));
        prop_assert_eq!(too_soon, start < now);
        prop_assert!(!too_soon || explanation.offer.is_none());
        let long_before = now - SignedDuration::from_hours(181 * 24 + 48);
        let horizon = long_before + world.schedule.policy.horizon;
        prop_assert!(explain(&world, start, long_before).obstacles.contains(&VisitObstacle::TooFar(horizon)));
    }

    #[test]
    fn the_desk_is_told_what_else_is_in_the_way_of_a_customer_who_gives_no_notice(world in plain_world()) {
        let mut world = world;
        world.schedule.policy.lead = SignedDuration::from_hours(2);
        let now = world.whole().starts_at();
        for start in starts(&world, 23) {
            let (desk, waits) = (explain_to(&world, start, now, Some(Booker::Desk)), explain(&world, start, now));
            prop_assert_eq!(desk.offer.is_some(), leaves_room(&desk), "{:?}", desk);
            let too_soon = |one: &VisitObstacle| matches!(one, VisitObstacle::TooSoon(_));
            prop_assert!(!desk.obstacles.iter().any(too_soon));
            prop_assert_eq!(waits.obstacles.iter().any(too_soon), start < now + SignedDuration::from_hours(2));
        }
    }

    #[test]
    fn a_visit_that_keeps_its_start_needs_no_notice_even_once_it_has_passed(world in plain_world()) {
        let now = world.whole().ends_at() + SignedDuration::from_hours(1);
        for start in starts(&world, 23) {
            let kept = explain_to(&world, start, now, None);
            prop_assert_eq!(kept.offer.is_some(), leaves_room(&kept), "{:?}", kept);
            let desk = explain_to(&world, start, now, Some(Booker::Desk));
            prop_assert!(desk.obstacles.iter().any(|one| matches!(one, VisitObstacle::TooSoon(_))));
        }
    }
}
