//! All that an optimised day depends on, and the number it is known by.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    appointment::{Appointment, State},
    day::Day,
    dependency::Dependency,
    id::{CustomerId, EmployeeId, ResourceId, ServiceId, SubjectId, VisitId, WaitlistEntryId},
    item::Item,
    policy::Booker,
    ranking::Shortest,
    resource::Resource,
    schedule::Schedule,
    service::Service,
    slots::{DaySlots, SLOT_SECONDS, slots_until},
    span::Span,
    waitlist::Entry,
    working::Rota,
};

/// How far a visit may be moved without asking, either way, in minutes.
pub const TOLERANCE_MINUTES: u16 = 15;
/// How far a visit may be moved at most, whatever its customer agreed to, in minutes.
pub const MAX_AGREED_MINUTES: u16 = 240;
/// A customer due sooner than this is already on the way: their visit stays, and no visit is moved to
/// an earlier start.
pub const NOTICE: SignedDuration = SignedDuration::from_mins(60);

const STEP: SignedDuration = SignedDuration::from_secs(SLOT_SECONDS);

/// A day as its rows tell it.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Its visits that are not cancelled, with what they occupy.
    pub visits: Vec<(Appointment, Vec<(SubjectId, Span)>)>,
    /// What else is taken: busy time, blocks, holds.
    pub taken: Vec<(SubjectId, Span)>,
    /// Minutes by which customers agreed to be moved, by visit.
    pub agreed: BTreeMap<VisitId, u16>,
    /// Who waits for a time on it.
    pub waiting: Vec<Entry>,
}

/// An employee's working time, and the parts of it that can't be moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hours {
    /// Within opening hours, time off taken out.
    pub works: Vec<Span>,
    /// Taken by what stays where it is, ascending.
    pub taken: Vec<Span>,
}

/// A chair, a room, a machine, and what of its time can't be moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// What it is.
    pub kind: String,
    /// Taken by what stays where it is, ascending.
    pub taken: Vec<Span>,
}

/// Where a visit stands on the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// It can take place there, and takes this.
    Kept(Vec<(SubjectId, Span)>),
    /// It can't take place: its employee is away.
    Stranded,
}

/// A visit that may be moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Its id.
    pub id: VisitId,
    /// Who comes.
    pub customer: Option<CustomerId>,
    /// What is done, by whom: anyone, where who should do it is away.
    pub items: Vec<Item>,
    /// When the customer comes, and goes.
    pub span: Span,
    /// Where it stands.
    pub place: Place,
    /// When it may start; `None` if all of that time is over.
    pub starts: Option<Span>,
}

/// A customer who waits for a time on the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Their place on the waitlist.
    pub id: WaitlistEntryId,
    /// Who waits.
    pub customer: CustomerId,
    /// For what.
    pub items: Vec<Item>,
    /// When it may start.
    pub starts: Vec<Span>,
}

impl Waiting {
    /// Leaves the starts that are `admitted` by what the customer has had.
    pub fn keep(&mut self, admitted: &[Span]) {
        let kept =
            |starts: &Span| admitted.iter().filter_map(|span| starts.intersection(*span)).collect::<Vec<_>>();
        self.starts = self.starts.iter().flat_map(kept).collect();
    }
}

/// A day to optimise. The input is complete: the same input gives the same result anywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The date.
    pub date: Date,
    /// The zone it is meant in.
    #[serde(with = "jiff::fmt::serde::tz::required")]
    pub zone: TimeZone,
    /// What lies before is over: its gaps are not counted.
    pub from: Timestamp,
    /// Waiting customers start at a multiple of these minutes on the wall clock.
    pub increment_minutes: u16,
    /// Gaps below these minutes are lost: the shortest service of the salon.
    pub shortest_minutes: u16,
    /// When the salon is open.
    pub open: Vec<Span>,
    /// Who works.
    pub employees: BTreeMap<EmployeeId, Hours>,
    /// Its chairs, rooms and machines.
    pub resources: BTreeMap<ResourceId, Seat>,
    /// The services that are asked for, without their names.
    pub services: BTreeMap<ServiceId, Service>,
    /// What holds between those.
    pub dependencies: Vec<Dependency>,
    /// When those who come more than once are busy with what stays where it is.
    pub customers: BTreeMap<CustomerId, Vec<Span>>,
    /// What may be moved, by id.
    pub visits: Vec<Visit>,
    /// Who may be served, by id.
    pub waiting: Vec<Waiting>,
}

impl Input {
    /// What of a day may be made better now.
    #[must_use]
    pub fn new(schedule: &Schedule, day: &Day, facts: Facts, now: Timestamp) -> Self {
        let from = day.instant(slots_until(day.starts_at(), now).min(day.slots()));
        let open = schedule.opening.on(day);
        let hours = |(id, rota): (&EmployeeId, &Rota)| {
            (*id, Hours { works: spans(day, &rota.on(day, &open)), taken: vec![] })
        };
        let seat = |(id, resource): (&ResourceId, &Resource)| {
            (*id, Seat { kind: resource.kind.clone(), taken: vec![] })
        };
        let mut input = Self {
            date: day.date(),
            zone: schedule.zone.clone(),
            from,
            increment_minutes: schedule.policy.increment_minutes,
            shortest_minutes: Shortest::of(schedule).minutes(),
            open: spans(day, &open),
            employees: schedule.rotas.iter().map(hours).collect(),
            resources: schedule.resources.iter().map(seat).collect(),
            services: BTreeMap::new(),
            dependencies: vec![],
            customers: BTreeMap::new(),
            visits: vec![],
            waiting: vec![],
        };
        let mut taken = facts.taken;
        let mut fixed = vec![];
        for (visit, rows) in facts.visits {
            let agreed = facts.agreed.get(&visit.id).copied().unwrap_or(0);
            match movable(&visit, &rows, day, schedule, (from, now + NOTICE), agreed) {
                Some(visit) => input.visits.push(visit),
                None => {
                    taken.extend(rows);
                    fixed.extend(visit.occasion.customer.zip(Span::new(visit.starts_at, visit.ends_at)));
                }
            }
        }
        input.waiting = facts.waiting.iter().map(|entry| waiting(entry, schedule, day, now)).collect();
        input.visits.sort_by_key(|visit| visit.id);
        input.waiting.sort_by_key(|waiting| waiting.id);
        input.take(taken, day);
        input.keep_apart(&fixed);
        input.describe(schedule);
        input
    }

    fn take(&mut self, taken: Vec<(SubjectId, Span)>, day: &Day) {
        let Some(whole) = Span::new(day.starts_at(), day.ends_at()) else { return };
        for (subject, span) in taken.into_iter().filter(|(_, span)| span.overlaps(whole)) {
            let hours = self.employees.get_mut(&EmployeeId(subject.0)).map(|hours| &mut hours.taken);
            let seat = self.resources.get_mut(&ResourceId(subject.0)).map(|seat| &mut seat.taken);
            hours.into_iter().chain(seat).for_each(|spans| spans.push(span));
        }
        let hours = self.employees.values_mut().map(|hours| &mut hours.taken);
        let spans = hours.chain(self.resources.values_mut().map(|seat| &mut seat.taken));
        spans.for_each(|spans| spans.sort_unstable());
    }

    /// Never puts one customer in two places at once, unless the customer booked it that way.
    fn keep_apart(&mut self, fixed: &[(CustomerId, Span)]) {
        let stay = fixed.iter().map(|(customer, span)| (*customer, Some(*span)));
        let move_about = self.visits.iter().filter_map(|visit| Some((visit.customer?, Some(visit.span))));
        let wait = self.waiting.iter().map(|waiting| (waiting.customer, None));
        let mut times: BTreeMap<CustomerId, Vec<Option<Span>>> = BTreeMap::new();
        for (customer, span) in stay.chain(move_about).chain(wait) {
            times.entry(customer).or_default().push(span);
        }
        let meet = |times: &[Option<Span>]| {
            let spans: Vec<Span> = times.iter().flatten().copied().collect();
            (0..spans.len()).any(|two| spans[..two].iter().any(|one| one.overlaps(spans[two])))
        };
        for customer in times.iter().filter(|(_, times)| times.len() > 1 && !meet(times)).map(|(who, _)| *who)
        {
            let stay = fixed.iter().filter(|(who, _)| *who == customer);
            let mut stay: Vec<_> = stay.map(|(_, span)| *span).collect();
            stay.sort_unstable();
            self.customers.insert(customer, stay);
        }
    }

    /// The services that are asked for and the rules between them.
    fn describe(&mut self, schedule: &Schedule) {
        let visits = self.visits.iter().flat_map(|visit| &visit.items);
        let items = visits.chain(self.waiting.iter().flat_map(|waiting| &waiting.items));
        let wanted: BTreeSet<_> = items.map(|item| item.service).collect();
        let services = wanted.iter().filter_map(|id| schedule.services.get(id));
        let nameless = |service: &Service| Service {
            name: String::new(),
            category: String::new(),
            aliases: vec![],
            version: 0,
            patch_test: String::new(),
            ..service.clone()
        };
        self.services = services.map(|service| (service.id, nameless(service))).collect();
        let rules = schedule.dependencies.iter();
        let rules = rules.filter(|rule| wanted.contains(&rule.first) && wanted.contains(&rule.then));
        self.dependencies = rules.cloned().collect();
        self.dependencies.sort_by_key(|rule| rule.id);
    }

    /// As RFC 8785 writes it: no space, and names of members in order.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        write(&serde_json::to_value(self).expect("an input is JSON"), &mut text);
        text
    }

    /// SHA-256 of [`Self::canonical`], in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        format!("{:x}", Sha256::digest(self.canonical()))
    }
}

/// The visit as one that may be moved: to starts from the second instant on, or from the first if its
/// employee is away and it has to move.
fn movable(
    visit: &Appointment,
    rows: &[(SubjectId, Span)],
    day: &Day,
    schedule: &Schedule,
    (from, earliest): (Timestamp, Timestamp),
    agreed: u16,
) -> Option<Visit> {
    let is_due = match visit.state {
        State::Booked | State::Confirmed => !visit.squeezed_in,
        State::Arrived | State::InService | State::Completed | State::Cancelled(_) | State::NoShow => false,
    };
    let on_grid = |at: Timestamp| at.duration_since(day.starts_at()).as_secs() % SLOT_SECONDS == 0;
    let within = |span: &Span| {
        day.starts_at() <= span.starts_at()
            && span.ends_at() <= day.ends_at()
            && on_grid(span.starts_at())
            && on_grid(span.ends_at())
    };
    let span = Span::new(visit.starts_at, visit.ends_at)?;
    if !is_due || rows.is_empty() || !within(&span) || !rows.iter().all(|(_, row)| within(row)) {
        return None;
    }
    let is_away = |employee: EmployeeId| {
        let mine = || rows.iter().filter(move |(subject, _)| *subject == employee.into());
        let off = schedule.rotas.get(&employee).map(|rota| rota.absences()).unwrap_or_default();
        off.iter().any(|off| mine().any(|(_, row)| row.overlaps(off.span)))
    };
    let mut items = visit.rearranged(None).ok()?;
    // Only the customer can say what becomes of it.
    if items.iter().any(|item| item.is_locked() && item.employee.is_some_and(is_away)) {
        return None;
    }
    for item in items.iter_mut().filter(|item| item.employee.is_some_and(is_away)) {
        item.employee = None;
    }
    let stranded = items.iter().any(|item| item.employee.is_none());
    let tolerance = SignedDuration::from_mins(agreed.clamp(TOLERANCE_MINUTES, MAX_AGREED_MINUTES).into());
    if !stranded && visit.starts_at < earliest {
        return None;
    }
    let first = (visit.starts_at - tolerance).max(if stranded { from } else { from.max(earliest) });
    let starts = Span::new(first, visit.starts_at + tolerance + STEP);
    let place = if stranded { Place::Stranded } else { Place::Kept(rows.to_vec()) };
    Some(Visit { id: visit.id, customer: visit.occasion.customer, items, span, place, starts })
}

fn waiting(entry: &Entry, schedule: &Schedule, day: &Day, now: Timestamp) -> Waiting {
    let starts = Span::new(day.starts_at(), day.ends_at());
    // The proposal has yet to be read and its customers to be called: they get the notice of customers.
    let bookable = starts.and_then(|starts| schedule.policy.bookable(starts, Booker::Customer, now));
    let starts = bookable.map(|bookable| entry.starts_within(bookable, &schedule.zone));
    Waiting {
        id: entry.id,
        customer: entry.customer,
        items: entry.items.clone(),
        starts: starts.unwrap_or_default(),
    }
}

fn spans(day: &Day, slots: &DaySlots) -> Vec<Span> {
    slots.ranges().filter_map(|range| Span::new(day.instant(range.start), day.instant(range.end))).collect()
}

fn write(value: &Value, text: &mut String) {
    let list = |text: &mut String, index: usize| {
        if index > 0 {
            text.push(',')
        }
    };
    match value {
        Value::Array(values) => {
            text.push('[');
            values.iter().enumerate().for_each(|(index, value)| {
                list(text, index);
                write(value, text);
            });
            text.push(']');
        }
        Value::Object(members) => {
            let members: BTreeMap<_, _> = members.iter().collect();
            text.push('{');
            members.into_iter().enumerate().for_each(|(index, (name, value))| {
                list(text, index);
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(value, text);
            });
            text.push('}');
        }
        plain => text.push_str(&plain.to_string()),
    }
}
