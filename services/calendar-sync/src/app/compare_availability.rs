//! Compares employees' free time in our book with that in a booking system.

use boot::clock::Clock;
use caller::BusinessScope;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use proto::{
    frontdesk::scheduling::v1::{DayColumn, GetDayResponse, PlacedItem},
    time::required,
};

use super::{AskBook, OpenProvider};
use crate::{
    domain::{
        ConnectionId, EmployeeId,
        free_time::{Minutes, Stretch, beside, without},
        provider::{MappedEmployee, Named, ProviderError},
    },
    error::Error,
    outside::provider::Day,
};

/// Compares free time.
#[derive(Debug, Clone)]
pub struct CompareAvailability {
    /// Opens what is connected.
    pub open: OpenProvider,
    /// Knows our side.
    pub book: AskBook,
    /// Tells the time.
    pub clock: Clock,
}

/// Both sides' free time on a day.
#[derive(Debug)]
pub struct Compared {
    /// The day.
    pub date: Date,
    /// Whose clock it goes by.
    pub zone: String,
    /// Each mapped employee's free time.
    pub employees: Vec<Comparison>,
    /// When the sides were asked.
    pub at: Timestamp,
}

/// One employee's free time.
#[derive(Debug)]
pub struct Comparison {
    /// Whose.
    pub employee: Named<EmployeeId>,
    /// Both sides, or ours alone.
    pub stretches: Vec<Stretch>,
    /// Why theirs is unknown.
    pub fault: Option<ProviderError>,
}

impl CompareAvailability {
    /// Each mapped employee's free time on a day, here and there. A system that can't be asked leaves its side
    /// unknown: it does not mean that nothing is free.
    ///
    /// # Errors
    /// [`Error::Book`]; [`Error::NotFound`].
    pub async fn compare(
        &self,
        scope: &BusinessScope,
        id: ConnectionId,
        date: Option<Date>,
    ) -> Result<Compared, Error> {
        let (_, provider) = self.open.open(scope, id).await?;
        let tx = self.open.store.begin(scope);
        let mapped = tx.mapped_employees(id).await?;
        tx.commit().await?;
        let day = self.book.day(scope, date).await?;
        let zone = TimeZone::get(&day.time_zone).unwrap_or(TimeZone::UTC);
        let at = self.clock.now();
        let date = date.unwrap_or_else(|| zone.to_datetime(at).date());
        let of = Day { date, zone: zone.clone() };
        let mut employees = vec![];
        for MappedEmployee { id, external } in mapped {
            let Some(column) = day.columns.iter().find(|column| column.employee_id == id.to_string()) else {
                continue;
            };
            let here = free_here(&day, column, &of);
            let (there, fault) = match provider.free(&external, &of).await {
                Ok(there) => (there, None),
                Err(fault) => (vec![], Some(fault)),
            };
            let employee = Named { id, name: column.employee_name.clone() };
            employees.push(Comparison { employee, stretches: beside(&here, &there), fault });
        }
        Ok(Compared { date, zone: day.time_zone, employees, at })
    }
}

/// When an employee is free in our book: at work, and neither booked nor away.
fn free_here(day: &GetDayResponse, column: &DayColumn, of: &Day) -> Vec<Minutes> {
    let working: Vec<Minutes> =
        column.working.iter().map(|span| (span.from_minute, span.to_minute)).collect();
    let away = column.unavailable.iter().map(|span| (span.from_minute, span.to_minute));
    let items =
        day.visits.iter().filter_map(|visit| visit.appointment.as_ref()).flat_map(|visit| &visit.items);
    let own = items.filter(|item| item.employee_id == column.employee_id);
    let taken: Vec<Minutes> = away.chain(own.filter_map(|item| minutes_of(item, of))).collect();
    without(&working, &taken)
}

/// Minutes of a day that an item takes.
fn minutes_of(item: &PlacedItem, of: &Day) -> Option<Minutes> {
    let starts = required("starts_at", item.starts_at.as_ref()).ok()?;
    let ends = required("ends_at", item.ends_at.as_ref()).ok()?;
    Some((of.minute(starts), of.minute(ends)))
}
