use jiff::SignedDuration;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{
    appointment::BookingDetails,
    id::{EmployeeId, VisitId},
    service::Price,
    visit::Placement,
};

const ALL: [Stage; 7] = [
    Stage::Booked,
    Stage::Confirmed,
    Stage::Arrived,
    Stage::InService,
    Stage::Completed,
    Stage::Cancelled,
    Stage::NoShow,
];

fn minute(minute: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
}

/// An hour from midnight on.
fn visit(stage: Stage) -> Appointment {
    let at = Timestamp::UNIX_EPOCH;
    let price = Price { minor: 4500, currency: "GBP".to_owned() };
    let placement = Placement { starts_at: at, ends_at: minute(60), items: vec![], occupied: vec![], price };
    let booked = Appointment::book(VisitId(Uuid::from_u128(1)), &placement, BookingDetails::default(), at);
    Appointment { state: State::at(stage).unwrap(), ..booked }
}

/// A visit that went through these stages, each on its own minute.
fn progress(stages: &[Stage]) -> Progress {
    let entry = |(index, stage): (usize, &Stage)| Entry {
        stage: *stage,
        at: minute(index as i64),
        by: "user:1".to_owned(),
        freed_at: None,
    };
    Progress::new(stages.iter().enumerate().map(entry).collect()).unwrap()
}

fn enter(stages: &[Stage], to: Stage, now: Timestamp) -> Result<(Stage, Step), StepError> {
    let visit = visit(*stages.last().unwrap());
    let (entered, step) = visit.enter(to, &progress(stages), now, &TimeZone::UTC)?;
    assert_eq!(entered.version, 2);
    Ok((entered.state.stage(), step))
}

#[test]
fn any_later_stage_is_one_step_away() {
    let way = [Stage::Booked, Stage::Confirmed, Stage::Arrived, Stage::InService, Stage::Completed];
    for (from, stage) in way.iter().enumerate() {
        for to in ALL {
            let expected = way.iter().position(|one| *one == to).is_some_and(|to| to > from)
                || to == Stage::NoShow && from < 2;
            // Before the start it may be confirmed, and from then on the rest.
            let now = minute(if to == Stage::Confirmed { -10 } else { 10 });
            let entered = enter(&[*stage], to, now);
            assert_eq!(entered, if expected { Ok((to, Step::Forward)) } else { Err(WrongState.into()) });
        }
    }
}

#[test]
fn a_wrong_click_is_taken_back_to_where_the_visit_stood() {
    let clicked = [Stage::Booked, Stage::Arrived, Stage::Completed];
    assert_eq!(enter(&clicked, Stage::Arrived, minute(10)), Ok((Stage::Arrived, Step::Back)));
    assert_eq!(enter(&clicked, Stage::Booked, minute(10)), Err(WrongState.into()));
    assert_eq!(enter(&clicked, Stage::InService, minute(10)), Err(WrongState.into()));
    let missed = [Stage::Confirmed, Stage::NoShow];
    assert_eq!(enter(&missed, Stage::Confirmed, minute(10)), Ok((Stage::Confirmed, Step::Back)));
}

#[test]
fn a_click_of_yesterday_stays() {
    let clicked = [Stage::Booked, Stage::Arrived];
    let midnight = minute(24 * 60);
    assert!(enter(&clicked, Stage::Booked, midnight - SignedDuration::from_nanos(1)).is_ok());
    assert_eq!(enter(&clicked, Stage::Booked, midnight), Err(WrongState.into()));
    let berlin = TimeZone::get("Europe/Berlin").unwrap();
    let late = visit(Stage::Arrived).enter(Stage::Booked, &progress(&clicked), minute(23 * 60), &berlin);
    assert_eq!(late, Err(WrongState.into()), "it is the next day in Berlin");
}

#[test]
fn each_state_has_its_time() {
    let just_before = |at: Timestamp| at - SignedDuration::from_nanos(1);
    for (to, from) in [
        (Stage::Arrived, minute(-120)),
        (Stage::InService, minute(-120)),
        (Stage::Completed, minute(0)),
        (Stage::NoShow, minute(0)),
    ] {
        let early = enter(&[Stage::Booked], to, just_before(from));
        assert_eq!(early, Err(Untimely::NotYet(from).into()), "{to:?}");
        assert!(enter(&[Stage::Booked], to, from).is_ok(), "{to:?}");
    }
    assert!(enter(&[Stage::Booked], Stage::Confirmed, just_before(minute(0))).is_ok());
    let late = enter(&[Stage::Booked], Stage::Confirmed, minute(0));
    assert_eq!(late, Err(Untimely::NoLonger(minute(0)).into()));
    let began_early = [Stage::Arrived, Stage::InService];
    assert!(enter(&began_early, Stage::Completed, minute(-15)).is_ok(), "it ends before its planned start");
}

#[test]
fn a_visit_is_reported_late_around_its_time_alone() {
    let window = |stage| visit(stage).delay_window();
    let due = Window { from: Some(minute(-120)), until: Some(minute(60)) };
    for stage in [Stage::Booked, Stage::Confirmed, Stage::Arrived] {
        assert_eq!(window(stage), Some(due));
    }
    assert_eq!(window(Stage::InService), Some(Window::until(minute(60 + 12 * 60))), "it may overrun");
    for stage in [Stage::Completed, Stage::NoShow] {
        assert_eq!(window(stage), None);
    }
}

#[test]
fn only_a_cancellation_of_today_is_taken_back() {
    let cancelled = || {
        let cancellation = crate::appointment::Cancellation {
            at: minute(1),
            by: "user:1".to_owned(),
            reason: String::new(),
            late: true,
        };
        Appointment { state: State::Cancelled(cancellation), ..visit(Stage::Booked) }
    };
    let progress = progress(&[Stage::Confirmed, Stage::Cancelled]);
    let restored = cancelled().restore(&progress, minute(10), &TimeZone::UTC).unwrap();
    assert_eq!((restored.state, restored.version), (State::Confirmed, 2));
    assert_eq!(cancelled().restore(&progress, minute(24 * 60), &TimeZone::UTC), Err(WrongState));
    let entered = cancelled().enter(Stage::Confirmed, &progress, minute(10), &TimeZone::UTC);
    assert_eq!(entered, Err(WrongState.into()));
    assert_eq!(visit(Stage::Booked).restore(&progress, minute(10), &TimeZone::UTC), Err(WrongState));
}

/// A row with these minutes of service, and buffers around it.
fn row(from: i64, to: i64, before: i64, after: i64) -> Occupied {
    Occupied {
        subject: EmployeeId(Uuid::from_u128(7)).into(),
        during: Span::new(minute(from - before), minute(to + after)).unwrap(),
        service: Span::new(minute(from), minute(to)).unwrap(),
    }
}

#[test]
fn an_early_end_frees_what_is_left_but_for_the_cleaning() {
    let rows = [row(0, 30, 5, 0), row(60, 75, 0, 10)];
    assert_eq!(Stage::Completed.leaves(&rows, minute(20)), [row(0, 20, 5, 0)]);
    assert_eq!(Stage::Completed.leaves(&rows, minute(70)), [row(0, 30, 5, 0), row(60, 70, 0, 10)]);
    assert_eq!(Stage::Completed.leaves(&rows, minute(80)), rows);
    assert_eq!(Stage::NoShow.leaves(&rows, minute(70)), [row(0, 30, 5, 0), row(60, 70, 0, 0)]);
    assert_eq!(Stage::NoShow.leaves(&rows, minute(0)), []);
    assert_eq!(Stage::Cancelled.leaves(&rows, minute(70)), []);
}

proptest! {
    #[test]
    fn an_end_never_takes_time_that_was_not_taken(
        rows in prop::collection::vec((0i64..300, 1i64..100, 0i64..30, 0i64..30), 0..5),
        at in -50i64..450,
    ) {
        let rows: Vec<_> =
            rows.into_iter().map(|(from, length, before, after)| row(from, from + length, before, after)).collect();
        for stage in [Stage::Completed, Stage::NoShow] {
            let left = stage.leaves(&rows, minute(at));
            for row in &left {
                let within = |whole: &Occupied| {
                    row.during.intersection(whole.during) == Some(row.during)
                        && row.service.intersection(whole.service) == Some(row.service)
                        && row.service.intersection(row.during) == Some(row.service)
                };
                prop_assert!(rows.iter().any(within));
                prop_assert!(row.service.ends_at() <= minute(at).max(row.service.starts_at()));
            }
            // What is over is kept as it was.
            prop_assert!(rows.iter().filter(|row| row.during.ends_at() <= minute(at)).all(|row| left.contains(row)));
        }
    }
}

proptest! {
    #[test]
    fn what_is_offered_is_what_is_accepted(
        ways in prop::collection::vec(0..6_usize, 0..4), at in -180..2 * 24 * 60_i64,
    ) {
        const FORWARD: [Stage; 6] = [
            Stage::Booked, Stage::Confirmed, Stage::Arrived, Stage::InService, Stage::Completed, Stage::NoShow,
        ];
        let mut stages = vec![Stage::Booked];
        for to in ways.into_iter().map(|way| FORWARD[way]) {
            if stages.last().unwrap().leads_to(to) {
                stages.push(to);
            }
        }
        let (now, zone) = (minute(at), TimeZone::UTC);
        let progress = progress(&stages);
        let visit = visit(*stages.last().unwrap());
        let onward: Vec<_> = visit.onward().collect();
        let back = visit.back(&progress, now, &zone);
        for to in ALL {
            let offered = onward.iter().any(|(stage, window)| *stage == to && window.check(now).is_ok())
                || back.is_some_and(|(stage, until)| stage == to && now < until);
            prop_assert_eq!(visit.clone().enter(to, &progress, now, &zone).is_ok(), offered, "{:?}", to);
        }
    }
}
