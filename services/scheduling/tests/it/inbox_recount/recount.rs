//! Which visits a salon strands, counted slowly from what it was told.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, civil::Date};
use proto::frontdesk::scheduling::v1::{Appointment, AppointmentState as State, TimeOff};
use uuid::Uuid;

use super::{DATES, EMPLOYEES};
use crate::salon::{COLOUR, local};

/// Full hours of a day; the first equals the second on a closed one.
pub type Hours = (i32, i32);
/// When a visit takes place and who serves.
pub type Place = Vec<(String, Option<pbjson_types::Timestamp>, Option<pbjson_types::Timestamp>)>;

/// What the salon was told, kept beside it.
#[derive(Default)]
pub struct Recount {
    pub opening: Hours,
    pub weeks: BTreeMap<Uuid, Hours>,
    pub days: BTreeMap<(Uuid, usize), Hours>,
    pub exceptions: Vec<(String, usize, Hours)>,
    pub off: Vec<(String, Uuid, Timestamp, Timestamp)>,
    pub told: BTreeMap<String, Place>,
}

pub fn at(date: usize, half_hour: i64) -> Timestamp {
    local(DATES[date], "08:30") + SignedDuration::from_mins(30 * half_hour)
}

/// The half hour of [`at`] in which an instant lies.
pub fn half_hours(instant: Timestamp, date: usize) -> i64 {
    instant.duration_since(at(date, 0)).as_mins() / 30
}

pub fn instant(at: Option<&pbjson_types::Timestamp>) -> Timestamp {
    proto::time::required("instant", at).unwrap()
}

pub fn place(visit: &Appointment) -> Place {
    visit.items.iter().map(|item| (item.employee_id.clone(), item.starts_at, item.ends_at)).collect()
}

impl Recount {
    pub fn new() -> Self {
        let weeks = EMPLOYEES.into_iter().map(|employee| (employee, (9, 18))).collect();
        Self { opening: (9, 18), weeks, ..Self::default() }
    }

    /// Whether an employee works in the five minutes from `at`.
    fn works(&self, employee: Uuid, at: Timestamp) -> bool {
        let here = at.in_tz("Europe/London").unwrap();
        let hour = i32::from(here.hour());
        let within = |(from, to): Hours| from <= hour && hour < to;
        let date = DATES.iter().position(|date| date.parse::<Date>().unwrap() == here.date());
        let exception = self.exceptions.iter().find(|(_, on, _)| Some(*on) == date);
        let open = exception.map_or(self.opening, |(.., hours)| *hours);
        let own = date.and_then(|date| self.days.get(&(employee, date)));
        let until = at + SignedDuration::from_mins(5);
        let is_off = |(_, who, from, to): &(String, Uuid, Timestamp, Timestamp)| {
            *who == employee && *from < until && at < *to
        };
        // Both dates are weekdays.
        within(open) && within(*own.unwrap_or(&self.weeks[&employee])) && !self.off.iter().any(is_off)
    }

    /// Whether time off or a closure takes the five minutes from `at`, whatever the hours say.
    fn is_absent(&self, employee: Uuid, at: Timestamp) -> bool {
        let closes = |(_, on, (from, to)): &(String, usize, Hours)| {
            let from = local(DATES[*on], "00:00") + SignedDuration::from_hours(i64::from(*from));
            let to = local(DATES[*on], "00:00") + SignedDuration::from_hours(i64::from(*to));
            let here = at.in_tz("Europe/London").unwrap().date();
            here == DATES[*on].parse::<Date>().unwrap() && !(from <= at && at < to)
        };
        let until = at + SignedDuration::from_mins(5);
        let is_off = |(_, who, from, to): &(String, Uuid, Timestamp, Timestamp)| {
            *who == employee && *from < until && at < *to
        };
        self.exceptions.iter().any(closes) || self.off.iter().any(is_off)
    }

    fn is_stranded(&self, visit: &Appointment, now: Timestamp) -> bool {
        let comes = matches!(visit.state(), State::Booked | State::Confirmed);
        // A manager squeezes in outside of hours on purpose, but not while the employee or the whole salon is away.
        let is_missing = |employee, five| match visit.squeezed_in {
            true => self.is_absent(employee, five),
            false => !self.works(employee, five),
        };
        comes
            && visit.items.iter().any(|item| {
                let (from, to) = (instant(item.starts_at.as_ref()), instant(item.ends_at.as_ref()));
                let minutes = SignedDuration::from_mins;
                // Of a colour, the half hour in the middle needs no one, and ten minutes after it are kept free.
                let at_work = match item.service_id == COLOUR.to_string() {
                    true => {
                        vec![(from, from + minutes(30), minutes(0)), (from + minutes(60), to, minutes(10))]
                    }
                    false => vec![(from, to, minutes(0))],
                };
                let employee = item.employee_id.parse().unwrap();
                let coming = at_work.into_iter().filter(|(_, to, after)| *to + *after > now);
                coming.flat_map(|(from, to, _)| fives(from, to)).any(|five| is_missing(employee, five))
            })
    }

    pub fn open(&self, visits: &[Appointment], now: Timestamp) -> BTreeSet<String> {
        let open = visits.iter().filter(|visit| self.is_stranded(visit, now));
        open.map(|visit| visit.id.clone()).filter(|id| !self.told.contains_key(id)).collect()
    }

    /// A visit that takes other time, or is cancelled, has a customer who is to be told again.
    pub fn forget_moved(&mut self, visits: &[Appointment]) {
        self.told.retain(|id, told| {
            visits
                .iter()
                .any(|visit| visit.id == *id && visit.state() != State::Cancelled && place(visit) == *told)
        });
    }

    /// So has one that a changed schedule does not strand.
    pub fn forget_staffed(&mut self, visits: &[Appointment], now: Timestamp) {
        let mut told = core::mem::take(&mut self.told);
        told.retain(|id, _| visits.iter().any(|visit| visit.id == *id && self.is_stranded(visit, now)));
        self.told = told;
    }

    pub fn add_off(&mut self, off: &TimeOff) {
        let (from, to) = (instant(off.starts_at.as_ref()), instant(off.ends_at.as_ref()));
        self.off.push((off.id.clone(), off.employee_id.parse().unwrap(), from, to));
    }
}

fn fives(from: Timestamp, to: Timestamp) -> impl Iterator<Item = Timestamp> {
    core::iter::successors(Some(from), |at| Some(*at + SignedDuration::from_mins(5)))
        .take_while(move |at| *at < to)
}
