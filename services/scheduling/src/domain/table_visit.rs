//! A visit as a table of another system has it, and as it is booked.

mod item;

use std::collections::BTreeMap;

use caller::BusinessId;
use engine::{
    appointment::State,
    id::{CustomerId, EmployeeId, VisitId},
    item::{Item, Wish},
    refusal::Refusal,
    schedule::{MAX_ITEMS, Schedule},
    visit::VisitRequest,
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use uuid::Uuid;

pub use self::item::{Reference, TableItem, TableTime};
use self::item::{Wrong, check_skill};

/// What ids of imported visits are made in.
const IMPORTED: Uuid = Uuid::from_u128(0x5a0b_62f4_7d0e_4c54_9a3e_1f6d_20c8_b7e1);

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
