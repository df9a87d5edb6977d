//! What people do to a salon, at random.

use proptest::prelude::*;
use proto::frontdesk::scheduling::v1::AppointmentState as State;

use super::{DATES, EMPLOYEES};

/// A thing that people do. Numbers choose among what there is.
#[derive(Debug, Clone)]
pub enum Step {
    Book {
        employee: usize,
        date: usize,
        half_hour: i64,
        colour: bool,
        squeeze: bool,
    },
    Move {
        visit: usize,
        date: usize,
        half_hour: i64,
        employee: usize,
    },
    /// A told customer's visit moves, and its employee is away where it went: each by itself is rare, and only
    /// together do they show whether the customer has to be told again.
    Chase {
        date: usize,
        half_hour: i64,
        employee: usize,
    },
    /// The employee of a told customer's visit is back, and away again: time off that lies over it ends and begins.
    Relapse,
    Cancel(usize),
    Restore(usize),
    State(usize, State),
    Told(usize),
    /// The latest of these was noted by mistake.
    Untell,
    NoAnswer(usize),
    Wait(usize),
    Sick {
        employee: usize,
        date: usize,
    },
    Late {
        employee: usize,
        half_hour: i64,
    },
    TimeOff {
        employee: usize,
        date: usize,
        from: i64,
        length: i64,
        approved: bool,
    },
    Withdraw(usize),
    Week {
        employee: usize,
        from: i32,
        to: i32,
    },
    DayHours {
        employee: usize,
        date: usize,
        from: i32,
        to: i32,
    },
    RemoveDayHours {
        employee: usize,
        date: usize,
    },
    Opening {
        from: i32,
        to: i32,
    },
    Close {
        date: usize,
    },
    ShortDay {
        date: usize,
        from: i32,
        to: i32,
    },
    Reopen(usize),
    Apply {
        proposal: usize,
        line: usize,
    },
    Dismiss(usize),
    Wait5(i64),
}

pub fn step() -> impl Strategy<Value = Step> {
    let (who, day, which) = (0..2_usize, 0..DATES.len(), 0..64_usize);
    let half_hour = 0..20_i64;
    let from = 8..13_i32;
    let to = 13..19_i32;
    let states = prop::sample::select(vec![State::Booked, State::Confirmed, State::Arrived]);
    prop_oneof![
        6 => (who.clone(), day.clone(), half_hour.clone(), any::<bool>(), prop::bool::weighted(0.3)).prop_map(
            |(employee, date, half_hour, colour, squeeze)| Step::Book { employee, date, half_hour, colour, squeeze }
        ),
        3 => (which.clone(), day.clone(), half_hour.clone(), who.clone())
            .prop_map(|(visit, date, half_hour, employee)| Step::Move { visit, date, half_hour, employee }),
        3 => (day.clone(), half_hour.clone(), who.clone())
            .prop_map(|(date, half_hour, employee)| Step::Chase { date, half_hour, employee }),
        3 => Just(Step::Relapse),
        1 => which.clone().prop_map(Step::Cancel),
        2 => which.clone().prop_map(Step::Restore),
        2 => (which.clone(), states).prop_map(|(visit, state)| Step::State(visit, state)),
        5 => which.clone().prop_map(Step::Told),
        2 => Just(Step::Untell),
        1 => which.clone().prop_map(Step::NoAnswer),
        1 => which.clone().prop_map(Step::Wait),
        2 => (who.clone(), day.clone()).prop_map(|(employee, date)| Step::Sick { employee, date }),
        1 => (who.clone(), half_hour.clone()).prop_map(|(employee, half_hour)| Step::Late { employee, half_hour }),
        3 => (who.clone(), day.clone(), half_hour.clone(), 1..12_i64, prop::bool::weighted(0.8)).prop_map(
            |(employee, date, from, length, approved)| Step::TimeOff { employee, date, from, length, approved }
        ),
        3 => which.clone().prop_map(Step::Withdraw),
        1 => (who.clone(), from.clone(), to.clone())
            .prop_map(|(employee, from, to)| Step::Week { employee, from, to }),
        2 => (who.clone(), day.clone(), from.clone(), to.clone())
            .prop_map(|(employee, date, from, to)| Step::DayHours { employee, date, from, to }),
        2 => (who, day.clone()).prop_map(|(employee, date)| Step::RemoveDayHours { employee, date }),
        1 => (from.clone(), to.clone()).prop_map(|(from, to)| Step::Opening { from, to }),
        1 => day.clone().prop_map(|date| Step::Close { date }),
        1 => (day, from, to).prop_map(|(date, from, to)| Step::ShortDay { date, from, to }),
        2 => which.clone().prop_map(Step::Reopen),
        2 => (which.clone(), which.clone()).prop_map(|(proposal, line)| Step::Apply { proposal, line }),
        1 => which.prop_map(Step::Dismiss),
        2 => (1..12_i64).prop_map(Step::Wait5),
    ]
}

/// A customer of each employee's who was told that the employee is away: what every history begins with.
pub fn told_customers() -> Vec<Step> {
    let of = |employee| {
        let (date, half_hour) = (1, 3 + 4 * i64::try_from(employee).unwrap());
        [
            Step::Book { employee, date, half_hour, colour: false, squeeze: false },
            Step::TimeOff { employee, date, from: half_hour, length: 1, approved: true },
            Step::Told(0),
        ]
    };
    (0..EMPLOYEES.len()).flat_map(of).collect()
}
