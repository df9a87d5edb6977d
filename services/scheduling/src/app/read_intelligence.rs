//! Reads how services do: what was booked, how long it took, and what was searched for in vain.

use std::collections::BTreeMap;

use engine::{
    dates::DateRange,
    id::{EmployeeId, ServiceId},
};
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::{
    Error,
    domain::intelligence::Report,
    store::{Tx, Unmet},
};

/// Which services, and in which visits.
#[derive(Debug, Clone, Copy)]
pub struct ReadIntelligence {
    /// When the visits start.
    pub dates: DateRange,
    /// The service before the page; `None` for the first page, which tells of unmet demand as well.
    pub after: Option<ServiceId>,
}

/// How services do.
#[derive(Debug)]
pub struct Intelligence {
    /// The business's zone.
    pub zone: TimeZone,
    /// A report of each service, with its name, by id.
    pub services: Vec<(Report, String)>,
    /// What the employees are called who did them.
    pub people: BTreeMap<EmployeeId, String>,
    /// The most frequent searches that found nothing.
    pub unmet: Vec<Unmet>,
}

impl ReadIntelligence {
    /// The page.
    ///
    /// # Errors
    /// Dates that the business's zone left out.
    pub async fn run(self, tx: &Tx, rows: u32) -> Result<Intelligence, Error> {
        let zone = tx.zone().await?;
        let span = self.dates.span(&zone);
        let span = span.ok_or_else(|| Error::invalid("first_date", "is no day in the business's zone"))?;
        let names = tx.service_names(self.after.unwrap_or(ServiceId(Uuid::nil())), rows).await?;
        let services: Vec<_> = names.iter().map(|(id, _)| *id).collect();
        let reports = tx.reports(&services, span, &zone).await?;
        let people = tx.employee_names(&people(&reports)).await?;
        let unmet = if self.after.is_none() { tx.unmet_demand(self.dates).await? } else { vec![] };
        // Reports come by id, as services do.
        let services = reports.into_iter().zip(names).map(|(report, (_, name))| (report, name)).collect();
        Ok(Intelligence { zone, services, people, unmet })
    }
}

/// All employees who did any of them, each once.
fn people(reports: &[Report]) -> Vec<EmployeeId> {
    let mut people: Vec<_> =
        reports.iter().flat_map(|report| report.employees.iter().map(|(employee, _)| *employee)).collect();
    people.sort_unstable();
    people.dedup();
    people
}
