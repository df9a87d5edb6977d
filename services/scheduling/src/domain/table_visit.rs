//! A visit as a table of another system has it, and as it is booked.

use std::collections::BTreeMap;

use caller::BusinessId;
use engine::{
    appointment::State,
    id::{CustomerId, EmployeeId, ServiceId, VisitId},
    item::{Item, Wish},
    refusal::Refusal,
    schedule::{MAX_ITEMS, Schedule},
    service::{MAX_SEGMENT_MINUTES, Service},
    slots::{SLOT_MINUTES, SLOT_SECONDS},
    visit::VisitRequest,
};
use jiff::{
    SignedDuration, Timestamp,
    civil::DateTime,
    tz::{AmbiguousOffset, TimeZone},
};
use uuid::Uuid;

/// What ids of imported visits are made in.
const IMPORTED: Uuid = Uuid::from_u128(0x5a0b_62f4_7d0e_4c54_9a3e_1f6d_20c8_b7e1);

/// A record that a table names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<T> {
    /// Its id, if the table has one.
    pub id: Option<T>,
    /// What it is called, or empty.
    pub name: String,
}

/// A time by the business's clock, in UTC, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableTime {
    /// By the business's clock.
    pub local: Option<DateTime>,
    /// In UTC.
    pub at: Option<Timestamp>,
}

/// One service of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableItem {
    /// The service.
    pub service: Reference<ServiceId>,
    /// Who does it, or anyone.
    pub employee: Reference<EmployeeId>,
    /// When it begins.
    pub starts_at: TableTime,
    /// When it ends, if the table says so.
    pub ends_at: Option<TableTime>,
    /// Which guest it is for, from 0.
    pub guest: u8,
}

/// A visit of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableVisit {
    /// What the other system calls it, or empty.
    pub reference: String,
    /// Who comes.
    pub customer: Option<CustomerId>,
    /// Notes to it.
    pub notes: String,
    /// Whether the customer said they will come.
    pub confirmed: bool,
    /// Its services; never none.
    pub items: Vec<TableItem>,
}

/// Why a visit can't be booked: the item that it is about, its column, and the rest of the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The item.
    pub item: usize,
    /// The column.
    pub field: &'static str,
    /// Continues the sentence that the column's name begins.
    pub rule: String,
}

/// A column and what is wrong with it.
type Wrong = (&'static str, String);

/// A visit whose services, employees and times are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownVisit {
    /// What is done.
    pub items: Vec<Item>,
    /// When each item begins.
    pub starts: Vec<Timestamp>,
    /// When the first begins.
    pub starts_at: Timestamp,
}

impl Fault {
    fn new(item: usize, field: &'static str, rule: impl Into<String>) -> Self {
        Self { item, field, rule: rule.into() }
    }

    /// Why the schedule has no place for the visit.
    #[must_use]
    pub fn refused(refusal: Refusal) -> Self {
        let (field, rule) = match refusal {
            Refusal::SlotTaken => ("start", "is taken: the employee or a chair has something else then"),
            Refusal::NotWorking => ("start", "is outside the opening hours or the employee's working time"),
            Refusal::NotSkilled => ("employee", "does not do this service"),
            Refusal::TooSoon => ("start", "is over: appointments to come are imported"),
            Refusal::TooFar => ("start", "is further ahead than the booking rules allow"),
            Refusal::NoResource => {
                ("service", "needs a chair, room or machine that the business does not have")
            }
            Refusal::NotTogether => ("service", "can't be done in one appointment with the others"),
            Refusal::EarlierVisit => {
                ("service", "needs an earlier visit, which the customer has not had in time")
            }
        };
        Self::new(0, field, rule)
    }

    /// The business does not sell this item's service any more.
    #[must_use]
    pub fn unknown_service(item: usize) -> Self {
        Self::new(item, "service", "is no service of this business")
    }

    /// The item can't take as long as the table says.
    #[must_use]
    pub fn length(item: usize) -> Self {
        Self::new(item, "end", "makes this service too short or too long")
    }

    /// The business does not have the customer.
    #[must_use]
    pub fn unknown_customer() -> Self {
        Self::new(0, "customer", "is no customer of this business")
    }
}

impl TableVisit {
    /// The visit in terms of the business's records.
    ///
    /// # Errors
    /// What can't be told of the first item that is wrong.
    pub fn resolve(
        &self,
        schedule: &Schedule,
        names: &BTreeMap<EmployeeId, String>,
    ) -> Result<KnownVisit, Fault> {
        let mut items = Vec::with_capacity(self.items.len());
        let mut starts = Vec::with_capacity(self.items.len());
        for (place, item) in self.items.iter().enumerate() {
            let of = |(field, rule): Wrong| Fault { item: place, field, rule };
            let service = item.service(schedule).map_err(of)?;
            let employee = item.employee(names).map_err(of)?;
            check_skill(service, employee).map_err(of)?;
            let starts_at = item.starts_at(&schedule.zone).map_err(of)?;
            let extra_minutes =
                item.extra_minutes(service, employee, starts_at, &schedule.zone).map_err(of)?;
            starts.push(starts_at);
            items.push(Item {
                service: service.id,
                employee,
                preferred: None,
                guest: item.guest,
                customer: self.customer.filter(|_| item.guest == 0),
                extra_minutes,
                wish: Wish::Anyone,
            });
        }
        check_guests(&items)?;
        let starts_at = starts.iter().min().copied().ok_or(Fault::new(0, "start", "is required"))?;
        Ok(KnownVisit { items, starts, starts_at })
    }

    /// The ids that the visit may have in the book: the one that an import gives it, then the one that an export of
    /// this book has it under.
    #[must_use]
    pub fn ids(&self, business: BusinessId, known: &KnownVisit) -> Vec<VisitId> {
        if self.reference.is_empty() {
            return vec![imported_id(business, &known.signature(self.customer))];
        }
        let exported = self.reference.parse().ok().map(VisitId);
        core::iter::once(imported_id(business, &self.reference)).chain(exported).collect()
    }

    /// Where it stands once it is booked.
    #[must_use]
    pub fn state(&self) -> State {
        if self.confirmed { State::Confirmed } else { State::Booked }
    }
}

impl KnownVisit {
    /// What tells it apart where the table has no name for it.
    fn signature(&self, customer: Option<CustomerId>) -> String {
        let item = |(item, start): (&Item, &Timestamp)| {
            let employee = item.employee.map(|employee| employee.to_string()).unwrap_or_default();
            format!("{start} {} {employee} {}", item.service, item.guest)
        };
        let items: Vec<_> = self.items.iter().zip(&self.starts).map(item).collect();
        format!("{} for {}", items.join(", "), customer.map(|id| id.to_string()).unwrap_or_default())
    }

    /// What the visit needs, with each service at the time that the table says.
    ///
    /// # Errors
    /// The first service that can't begin then, and when it would.
    pub fn as_it_begins(&self, request: VisitRequest, zone: &TimeZone) -> Result<VisitRequest, Fault> {
        let after = |start: &Timestamp| start.duration_since(self.starts_at).as_mins();
        let begins = self.starts.iter().map(|start| u16::try_from(after(start)).unwrap_or(u16::MAX));
        let begins: Vec<u16> = begins.collect();
        let usual = request.arrangements().first().map(|best| best.begins.clone()).unwrap_or_default();
        request.beginning(&begins).ok_or_else(|| {
            let other = begins.iter().zip(&usual).enumerate().find(|(_, (begin, usual))| begin != usual);
            let (item, minutes) = other.map_or((0, 0), |(item, (_, usual))| (item, *usual));
            let would = zone.to_datetime(self.starts_at + SignedDuration::from_mins(minutes.into()));
            let would = would.strftime("%H:%M");
            Fault::new(
                item,
                "start",
                format!("can't be then: in this appointment the service starts at {would}"),
            )
        })
    }
}

impl TableItem {
    fn service<'a>(&self, schedule: &'a Schedule) -> Result<&'a Service, Wrong> {
        if let Some(service) = self.service.id.and_then(|id| schedule.services.get(&id)) {
            return Ok(service);
        }
        let name = self.service.name.trim().to_lowercase();
        if name.is_empty() {
            return Err(("service", "is required".to_owned()));
        }
        let called = |service: &&Service| service.name.to_lowercase() == name;
        let also_called =
            |service: &&Service| service.aliases.iter().any(|alias| alias.to_lowercase() == name);
        only(schedule.services.values().filter(called))
            .or_else(|| only(schedule.services.values().filter(also_called)))
            .ok_or_else(|| ("service", "is no service of this business".to_owned()))
    }

    fn employee(&self, names: &BTreeMap<EmployeeId, String>) -> Result<Option<EmployeeId>, Wrong> {
        if let Some(id) = self.employee.id.filter(|id| names.contains_key(id)) {
            return Ok(Some(id));
        }
        let wanted = self.employee.name.trim().to_lowercase();
        if wanted.is_empty() {
            return match self.employee.id {
                None => Ok(None),
                Some(_) => Err(("employee", "is no employee of this business".to_owned())),
            };
        }
        let mut called = names.iter().filter(|(_, name)| name.to_lowercase() == wanted).map(|(id, _)| *id);
        match (called.next(), called.next()) {
            (None, _) => Err(("employee", "is no employee of this business".to_owned())),
            (Some(id), None) => Ok(Some(id)),
            (Some(_), Some(_)) => {
                Err(("employee", "is the name of several: add the column “employee id”".to_owned()))
            }
        }
    }

    fn starts_at(&self, zone: &TimeZone) -> Result<Timestamp, Wrong> {
        let at = self.starts_at.resolve(zone, "start in UTC").map_err(|rule| ("start", rule))?;
        if at.subsec_nanosecond() != 0 || at.as_second() % SLOT_SECONDS != 0 {
            return Err(("start", "must be a multiple of 5 minutes".to_owned()));
        }
        Ok(at)
    }

    /// By how many minutes it takes longer than the service does with this employee.
    fn extra_minutes(
        &self,
        service: &Service,
        employee: Option<EmployeeId>,
        starts_at: Timestamp,
        zone: &TimeZone,
    ) -> Result<i16, Wrong> {
        let Some(ends_at) = self.ends_at else { return Ok(0) };
        let ends_at = ends_at.resolve(zone, "end in UTC").map_err(|rule| ("end", rule))?;
        let seconds = ends_at.as_second() - starts_at.as_second();
        if seconds <= 0 {
            return Err(("end", "must be after the start".to_owned()));
        }
        let usual = employee.map_or(&service.course, |employee| service.course_of(employee)).minutes();
        let extra = seconds / 60 - i64::from(usual);
        let fits = seconds % SLOT_SECONDS == 0 && extra % i64::from(SLOT_MINUTES) == 0;
        let extra = i16::try_from(extra).ok().filter(|extra| extra.unsigned_abs() <= MAX_SEGMENT_MINUTES);
        match extra {
            _ if !fits => Err(("end", "must be a multiple of 5 minutes".to_owned())),
            Some(extra) => Ok(extra),
            None => Err(("end", "makes this service too short or too long".to_owned())),
        }
    }
}

impl TableTime {
    /// The instant that is meant; `column` is the one that tells apart the hour that comes twice.
    fn resolve(self, zone: &TimeZone, column: &str) -> Result<Timestamp, String> {
        match (self.local, self.at) {
            (None, None) => Err("is required".to_owned()),
            (None, Some(at)) => Ok(at),
            (Some(local), Some(at)) if zone.to_datetime(at) == local => Ok(at),
            (Some(_), Some(_)) => Err(format!("is another time than the column “{column}”")),
            (Some(local), None) => {
                let meant = zone.to_ambiguous_zoned(local);
                match meant.offset() {
                    AmbiguousOffset::Unambiguous { .. } => meant
                        .unambiguous()
                        .map(|zoned| zoned.timestamp())
                        .map_err(|_| "is out of range".to_owned()),
                    AmbiguousOffset::Gap { .. } => {
                        Err("does not exist that day, as the clocks go forward then".to_owned())
                    }
                    AmbiguousOffset::Fold { .. } => Err(format!(
                        "comes twice that day, as the clocks go back then: add the column “{column}”"
                    )),
                }
            }
        }
    }
}

fn check_skill(service: &Service, employee: Option<EmployeeId>) -> Result<(), Wrong> {
    match employee {
        Some(employee) if !service.employees.contains(&employee) => {
            Err(("employee", "does not do this service".to_owned()))
        }
        None if service.employees.is_empty() => Err(("service", "is done by no employee".to_owned())),
        _ => Ok(()),
    }
}

/// The only one; `None` if there is none, or another.
fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// 1 to 6 services for each guest up to the last.
fn check_guests(items: &[Item]) -> Result<(), Fault> {
    let last = items.iter().map(|item| item.guest).max().unwrap_or(0);
    let services = |guest| items.iter().filter(|item| item.guest == guest).count();
    match (0..=last).find(|guest| !(1..=MAX_ITEMS).contains(&services(*guest))) {
        None => Ok(()),
        Some(guest) if services(guest) == 0 => Err(Fault::new(0, "guest", "must leave out no number")),
        Some(_) => Err(Fault::new(0, "service", "must be one of at most 6 for each guest")),
    }
}

fn imported_id(business: BusinessId, reference: &str) -> VisitId {
    VisitId(Uuid::new_v5(&IMPORTED, format!("{business}\n{reference}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn london() -> TimeZone {
        TimeZone::get("Europe/London").unwrap()
    }

    fn local(text: &str) -> TableTime {
        TableTime { local: Some(text.parse().unwrap()), at: None }
    }

    #[test]
    fn times_are_the_salons_and_hours_that_are_skipped_or_come_twice_are_named() {
        let resolve = |time: TableTime| time.resolve(&london(), "start in UTC");
        let winter: Timestamp = "2026-01-05T09:00Z".parse().unwrap();
        let summer: Timestamp = "2026-06-02T08:00Z".parse().unwrap();
        assert_eq!(resolve(local("2026-01-05T09:00")), Ok(winter));
        assert_eq!(resolve(local("2026-06-02T09:00")), Ok(summer));
        assert!(resolve(local("2026-03-29T01:30")).unwrap_err().contains("does not exist"));
        assert!(resolve(local("2026-10-25T01:30")).unwrap_err().contains("comes twice"));
        let second = "2026-10-25T01:30Z".parse().unwrap();
        let both = TableTime { at: Some(second), ..local("2026-10-25T01:30") };
        assert_eq!(resolve(both), Ok(second));
        let other = TableTime { at: Some(summer), ..local("2026-10-25T01:30") };
        assert!(resolve(other).unwrap_err().contains("another time"));
        assert_eq!(resolve(TableTime { local: None, at: Some(summer) }), Ok(summer));
    }

    #[test]
    fn a_visit_has_one_id_under_its_reference_and_another_in_another_business() {
        let visit = |reference: &str| TableVisit {
            reference: reference.to_owned(),
            customer: None,
            notes: String::new(),
            confirmed: false,
            items: vec![],
        };
        let known = KnownVisit { items: vec![], starts: vec![], starts_at: Timestamp::UNIX_EPOCH };
        let (here, there) = (BusinessId(Uuid::from_u128(1)), BusinessId(Uuid::from_u128(2)));
        let ids = visit("12").ids(here, &known);
        assert_eq!((ids.len(), &ids), (1, &visit("12").ids(here, &known)));
        assert_ne!(ids, visit("12").ids(there, &known));
        assert_ne!(ids, visit("13").ids(here, &known));
        // The id of an export is looked for as well.
        let exported = Uuid::from_u128(7);
        assert_eq!(visit(&exported.to_string()).ids(here, &known)[1], VisitId(exported));
    }
}
