//! Which visits a salon strands, counted slowly from what it was told.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, civil::Date};
use proto::frontdesk::scheduling::v1::{Appointment, AppointmentState as State, PlacedItem, TimeOff};
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
    /// Parts of visits that ended while no employee was there for them: whose, where, and when.
    went_by: BTreeSet<(String, String, Timestamp)>,
}

/// What a visit needs of an employee: from when to when, and when they are free again.
struct Part {
    employee: Uuid,
    from: Timestamp,
    to: Timestamp,
    free: Timestamp,
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

fn parts(visit: &Appointment) -> Vec<Part> {
    let minutes = SignedDuration::from_mins;
    let of_item = |item: &PlacedItem| {
        let employee = item.employee_id.parse().unwrap();
        let (from, to) = (instant(item.starts_at.as_ref()), instant(item.ends_at.as_ref()));
        // Of a colour, the half hour in the middle needs no one, and ten minutes after it are kept free.
        match item.service_id == COLOUR.to_string() {
            true => vec![
                Part { employee, from, to: from + minutes(30), free: from + minutes(30) },
                Part { employee, from: from + minutes(60), to, free: to + minutes(10) },
            ],
            false => vec![Part { employee, from, to, free: to }],
        }
    };
    visit.items.iter().flat_map(of_item).collect()
}

pub fn place(visit: &Appointment) -> Place {
    visit.items.iter().map(|item| (item.employee_id.clone(), item.starts_at, item.ends_at)).collect()
}

impl Recount {
    pub fn new() -> Self {
        let weeks = EMPLOYEES.into_iter().map(|employee| (employee, (9, 18))).collect();
        Self { opening: (9, 18), weeks, ..Self::default() }
    }

    /// Whether the five minutes from `at` lie within an employee's hours.
    fn has_hours(&self, employee: Uuid, at: Timestamp) -> bool {
        let here = at.in_tz("Europe/London").unwrap();
        let hour = i32::from(here.hour());
        let within = |(from, to): Hours| from <= hour && hour < to;
        let date = DATES.iter().position(|date| date.parse::<Date>().unwrap() == here.date());
        let exception = self.exceptions.iter().find(|(_, on, _)| Some(*on) == date);
        let open = exception.map_or(self.opening, |(.., hours)| *hours);
        let own = date.and_then(|date| self.days.get(&(employee, date)));
        // Both dates are weekdays.
        within(open) && within(*own.unwrap_or(&self.weeks[&employee]))
    }

    /// Whether time off takes the five minutes from `at`.
    fn is_off(&self, employee: Uuid, at: Timestamp) -> bool {
        let until = at + SignedDuration::from_mins(5);
        self.off.iter().any(|(_, who, from, to)| *who == employee && *from < until && at < *to)
    }

    /// Whether time off took all the hours of the day, or the last of them before `at`.
    fn is_gone(&self, employee: Uuid, at: Timestamp) -> bool {
        let midnight = at.in_tz("Europe/London").unwrap().start_of_day().unwrap().timestamp();
        let day = fives(midnight, midnight + SignedDuration::from_hours(24));
        let hours: Vec<_> = day.filter(|five| self.has_hours(employee, *five)).collect();
        let is_off = |five: &Timestamp| self.is_off(employee, *five);
        hours.last().is_some_and(|last| is_off(last) && (*last < at || hours.iter().all(is_off)))
    }

    /// Whether time off or a closure takes the five minutes from `at`, outside of the hours as well.
    fn is_absent(&self, employee: Uuid, at: Timestamp) -> bool {
        let closes = |(_, on, (from, to)): &(String, usize, Hours)| {
            let from = local(DATES[*on], "00:00") + SignedDuration::from_hours(i64::from(*from));
            let to = local(DATES[*on], "00:00") + SignedDuration::from_hours(i64::from(*to));
            let here = at.in_tz("Europe/London").unwrap().date();
            here == DATES[*on].parse::<Date>().unwrap() && !(from <= at && at < to)
        };
        self.exceptions.iter().any(closes) || self.is_off(employee, at) || self.is_gone(employee, at)
    }

    /// Whether no one is there for a part. A manager squeezes in outside of hours on purpose, but not while the
    /// employee or the whole salon is away.
    fn is_missed(&self, visit: &Appointment, Part { employee, from, to, .. }: &Part) -> bool {
        fives(*from, *to).any(|five| match visit.squeezed_in {
            true => self.is_absent(*employee, five),
            false => !self.has_hours(*employee, five) || self.is_off(*employee, five),
        })
    }

    fn is_stranded(&self, visit: &Appointment, now: Timestamp) -> bool {
        let is_known = |part: &Part| {
            part.free > now || self.went_by.contains(&(visit.id.clone(), shown(visit), part.free))
        };
        matches!(visit.state(), State::Booked | State::Confirmed)
            && parts(visit).iter().any(|part| self.is_missed(visit, part) && is_known(part))
    }

    /// Time passes, and with it what no one was there for.
    pub fn pass(&mut self, visits: &[Appointment], before: Timestamp, now: Timestamp) {
        for visit in visits {
            let ended = parts(visit).into_iter().filter(|part| before < part.free && part.free <= now);
            let missed: Vec<_> = ended.filter(|part| self.is_missed(visit, part)).collect();
            self.went_by.extend(missed.iter().map(|part| (visit.id.clone(), shown(visit), part.free)));
        }
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

    /// So has one to come that a changed schedule does not strand.
    pub fn forget_staffed(&mut self, visits: &[Appointment], now: Timestamp) {
        let mut told = core::mem::take(&mut self.told);
        let is_over = |visit: &Appointment| instant(visit.ends_at.as_ref()) <= now;
        told.retain(|id, _| {
            visits.iter().any(|visit| visit.id == *id && (is_over(visit) || self.is_stranded(visit, now)))
        });
        self.told = told;
    }

    pub fn add_off(&mut self, off: &TimeOff) {
        let (from, to) = (instant(off.starts_at.as_ref()), instant(off.ends_at.as_ref()));
        self.off.push((off.id.clone(), off.employee_id.parse().unwrap(), from, to));
    }
}

/// Where a visit is, to be compared.
fn shown(visit: &Appointment) -> String {
    format!("{:?}", place(visit))
}

fn fives(from: Timestamp, to: Timestamp) -> impl Iterator<Item = Timestamp> {
    core::iter::successors(Some(from), |at| Some(*at + SignedDuration::from_mins(5)))
        .take_while(move |at| *at < to)
}
