//! A year of visits: customers come back, some forget it, cancel or move, December is busy and January is quiet.

use std::{cmp::Reverse, collections::BinaryHeap};

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date, tz::TimeZone};

use super::{
    agenda::{Agenda, Place, length},
    clientele::Client,
    dice::Dice,
};
use crate::demo::salon::{SERVICES, Service};

/// Days that lie behind the first day of the demo.
pub const DAYS_BEHIND: i64 = 365;
/// Days ahead for which customers have booked: they do so when they pay.
pub const DAYS_AHEAD: i64 = 60;
/// A customer who finds no time comes within so many days of the day they had in mind.
const WITHIN_DAYS: i64 = 9;
const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// Why visits are cancelled, as far as customers say.
const REASONS: [&str; 6] = ["", "", "Ill", "Work came up", "Travelling", "Childcare"];

/// The days of the demo.
#[derive(Debug, Clone)]
pub struct Year {
    /// The salon's zone.
    pub zone: TimeZone,
    /// The day on which the demo was first started.
    pub anchor: Date,
    /// The last day that visits are made for.
    pub last: Date,
}

/// Who changed a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// An account, by its place in the demo's.
    Desk(usize),
    /// The agent, in a call.
    Phone,
}

/// A visit that was moved to where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Where it was.
    pub from: Place,
    /// When it was moved.
    pub at: Timestamp,
    /// By whom.
    pub by: Hand,
}

/// What became of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The customer came.
    Came,
    /// The customer did not come.
    StayedAway,
    /// The customer cancelled.
    Cancelled {
        /// When.
        at: Timestamp,
        /// With whom.
        by: Hand,
        /// As said; may be empty.
        reason: &'static str,
    },
}

/// A visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// Whose, by place.
    pub client: usize,
    /// What, by place.
    pub service: usize,
    /// Where and with whom.
    pub place: Place,
    /// When it starts.
    pub starts_at: Timestamp,
    /// When it ends.
    pub ends_at: Timestamp,
    /// When it was booked.
    pub booked_at: Timestamp,
    /// With whom.
    pub booked_by: Hand,
    /// What was agreed, in pence.
    pub price: i32,
    /// Where it was before.
    pub moved: Option<Move>,
    /// What became of it.
    pub end: End,
}

impl Year {
    /// The year behind the first day, and what customers book ahead of today.
    pub fn new(zone: TimeZone, anchor: Date, today: Date) -> Result<Self, jiff::Error> {
        Ok(Self { zone, anchor, last: today.checked_add(DAYS_AHEAD.days())? })
    }

    /// A minute of a day.
    pub fn at(&self, date: Date, minute: i32) -> Timestamp {
        let time = date.at((minute / 60) as i8, (minute % 60) as i8, 0, 0);
        self.zone.to_ambiguous_zoned(time).compatible().map_or(Timestamp::MAX, |zoned| zoned.timestamp())
    }

    /// The first day.
    pub fn first(&self) -> Date {
        later(self.anchor, -DAYS_BEHIND)
    }

    /// What a service cost when it was booked on `date`: hair became dearer in spring, the rest before the summer's
    /// end, each by about a twentieth.
    pub fn price(&self, service: usize, date: Date) -> i32 {
        let Service { price, category, .. } = &SERVICES[service];
        let raised = if *category == "Hair" { 210 } else { 90 };
        if date < later(self.anchor, -raised) { price * 95 / 5_000 * 50 } else { *price }
    }

    /// Of a hundred customers who don't book when they pay, how many call the agent: more and more.
    fn callers(&self, date: Date) -> i64 {
        let days = i64::from((date - self.first()).get_days());
        4 + 10 * days.clamp(0, DAYS_BEHIND) / DAYS_BEHIND
    }
}

/// So many days later.
pub fn later(date: Date, days: i64) -> Date {
    date.checked_add(days.days()).unwrap_or(date)
}

/// All visits, in the order in which customers had them in mind. A later last day adds visits and changes none.
pub fn visits(seed: u64, year: &Year, clients: &[Client]) -> Vec<Visit> {
    let mut salon =
        Salon { year, clients, dice: Dice::new(seed, "visits"), agenda: Agenda::default(), visits: vec![] };
    let mut wishes: BinaryHeap<_> = clients
        .iter()
        .enumerate()
        .map(|(n, client)| Reverse((later(year.first(), client.first_after), n)))
        .collect();
    let mut had = vec![0; clients.len()];
    let mut last: Vec<Option<Timestamp>> = vec![None; clients.len()];
    while let Some(Reverse((due, client))) = wishes.pop().filter(|Reverse((due, _))| *due <= year.last) {
        let Some(visit) = salon.visit(client, due, last[client]) else {
            wishes.push(Reverse((later(due, WITHIN_DAYS), client)));
            continue;
        };
        let back = salon.back(&visit);
        had[client] += 1;
        last[client] = (visit.end == End::Came).then_some(visit.ends_at);
        salon.visits.push(visit);
        if had[client] < clients[client].stays_for {
            wishes.push(Reverse((back, client)));
        }
    }
    salon.visits
}

struct Salon<'a> {
    year: &'a Year,
    clients: &'a [Client],
    dice: Dice,
    agenda: Agenda,
    visits: Vec<Visit>,
}

impl Salon<'_> {
    /// A visit of a customer who has one in mind for `due`, and paid for the one before at `paid`.
    fn visit(&mut self, n: usize, due: Date, paid: Option<Timestamp>) -> Option<Visit> {
        let client = &self.clients[n];
        let service = if self.dice.percent(22) { *self.dice.pick(client.others) } else { client.usual };
        let place = self.place(client, service, due)?;
        let starts_at = self.year.at(place.date, place.minute);
        let ends_at = starts_at + SignedDuration::from_mins(length(service).into());
        let (booked_at, booked_by) = self.booking(place.date, paid);
        let price = self.year.price(service, self.year.zone.to_datetime(booked_at).date());
        let (moved, end) = (None, End::Came);
        let booked =
            Visit { client: n, service, place, starts_at, ends_at, booked_at, booked_by, price, moved, end };
        let end = self.end(&booked, client.forgets);
        let moved = if end == End::Came && self.dice.percent(6) { self.moved(&booked) } else { None };
        Some(Visit { moved, end, ..booked })
    }

    /// A time with the favourite employee, or with another one who does it.
    fn place(&mut self, client: &Client, service: usize, due: Date) -> Option<Place> {
        let able = SERVICES[service].employees;
        for days in 0..WITHIN_DAYS {
            let date = later(due, days);
            let first = if able.contains(&client.favourite) { client.favourite } else { able[0] };
            let second = self.dice.percent(30).then(|| *self.dice.pick(able));
            for employee in [Some(first), second].into_iter().flatten() {
                // Who finds nothing in the hours that suit takes another one.
                let hours = if days > 4 { (8, 20) } else { client.hours };
                if let Some(place) = self.agenda.take(&mut self.dice, (employee, date), service, hours) {
                    return Some(place);
                }
            }
        }
        None
    }

    /// When and with whom it is booked: when the one before is paid for, or some days ahead.
    fn booking(&mut self, date: Date, paid: Option<Timestamp>) -> (Timestamp, Hand) {
        let at_the_till = self.dice.percent(45);
        if let Some(paid) = paid.filter(|_| at_the_till) {
            return (paid + SignedDuration::from_mins(self.dice.between(2, 9)), self.desk());
        }
        let on = later(date, -self.dice.between(1, 16));
        if self.dice.percent(self.year.callers(on)) {
            let minute = i32::try_from(self.dice.between(8 * 60, 21 * 60)).unwrap_or_default();
            return (self.year.at(on, minute), Hand::Phone);
        }
        // Closed on Sundays.
        let on = if on.weekday() == jiff::civil::Weekday::Sunday { later(on, -1) } else { on };
        let minute = i32::try_from(self.dice.between(9 * 60, 17 * 60 + 50)).unwrap_or_default();
        (self.year.at(on, minute), self.desk())
    }

    /// The manager or the employee with an account.
    fn desk(&mut self) -> Hand {
        Hand::Desk(*self.dice.pick(&[2, 2, 3]))
    }

    /// Who is asked to change a visit: the agent as often as not.
    fn changed_by(&mut self) -> Hand {
        if self.dice.percent(35) { Hand::Phone } else { self.desk() }
    }

    fn end(&mut self, visit: &Visit, forgets: i64) -> End {
        if self.dice.percent(forgets) {
            return End::StayedAway;
        }
        let (first, last) = (visit.booked_at + HOUR, visit.starts_at - 3 * HOUR);
        let first = first.max(visit.starts_at - 6 * 24 * HOUR);
        if first >= last || !self.dice.percent(7) {
            return End::Came;
        }
        let at = self.dice.instant(first, last);
        let by = self.changed_by();
        let reason = self.dice.pick(&REASONS);
        End::Cancelled { at, by, reason }
    }

    /// Where a visit was before it was moved, if there was a time then.
    fn moved(&mut self, visit: &Visit) -> Option<Move> {
        let date = later(visit.place.date, self.dice.between(-7, 7));
        let (employee, whole) = (visit.place.employee, (8, 20));
        let from = self.agenda.take(&mut self.dice, (employee, date), visit.service, whole)?;
        let there = self.year.at(from.date, from.minute);
        let (first, last) = (visit.booked_at + HOUR, there.min(visit.starts_at) - 3 * HOUR);
        if first >= last {
            return None;
        }
        let at = self.dice.instant(first, last);
        Some(Move { from, at, by: self.changed_by() })
    }

    /// The day that its customer has in mind for the next one.
    fn back(&mut self, visit: &Visit) -> Date {
        let (date, client) = (visit.place.date, &self.clients[visit.client]);
        let days = match visit.end {
            End::Came => client.every + self.dice.between(-3, 3),
            End::StayedAway => self.dice.between(14, 28),
            End::Cancelled { .. } => self.dice.between(7, 14),
        };
        let due = later(date, days.max(7));
        let party = later(date, self.dice.between(17, 30));
        if party.month() == 12 && (12..=23).contains(&party.day()) && self.dice.percent(60) {
            return party;
        }
        match due.month() {
            // Before Christmas rather than after it, or once January is over.
            1 if self.dice.percent(60) => {
                let advent = Date::new(due.year() - 1, 12, 1)
                    .map_or(due, |first| later(first, self.dice.between(4, 21)));
                if advent >= later(date, 21) { advent } else { later(due, 21) }
            }
            8 if self.dice.percent(15) => later(due, 14),
            _ => due,
        }
    }
}
