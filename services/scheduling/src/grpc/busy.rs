//! Busy facts from calendars outside.

use std::collections::HashSet;

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::scheduling::internal::v1::{
        BusyFact, BusyServiceHandler, ImportBusyRequest, ImportBusyResponse,
        busy_service_methods::IMPORT_BUSY,
    },
    parse::{id, optional_text, text},
    time::required,
};
use tonic::{Status, async_trait};

use crate::{
    domain::{
        busy::{Report, SpanError, span},
        id::{CalendarId, EmployeeId},
    },
    store::Store,
};

const MAX_FACTS: usize = 500;
const MAX_EXTERNAL_ID: usize = 1024;
const MAX_TITLE: usize = 1000;

/// Serves `BusyService`.
#[derive(Debug)]
pub(crate) struct Busy {
    store: Store,
}

impl Busy {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl BusyServiceHandler for Busy {
    async fn import_busy(
        &self,
        scope: BusinessScope,
        request: ImportBusyRequest,
    ) -> Result<ImportBusyResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        let calendar: CalendarId = id("calendar_id", &request.calendar_id)?;
        let reports = reports(&request.facts)?;
        let tx = self.store.begin(&scope).await?;
        let imported = tx.import_busy(calendar, employee, &reports).await?;
        tx.audit(&IMPORT_BUSY, calendar).await?;
        tx.commit().await?;
        Ok(ImportBusyResponse { conflicts: i32::try_from(imported.conflicts).unwrap_or(i32::MAX) })
    }
}

fn reports(facts: &[BusyFact]) -> Result<Vec<Report>, Status> {
    if facts.len() > MAX_FACTS {
        return Err(invalid("facts", "must be at most 500"));
    }
    let mut seen = HashSet::new();
    let report = |(index, fact): (usize, &BusyFact)| {
        let report = report(&format!("facts[{index}]"), fact)?;
        if !seen.insert(report.external_id.clone()) {
            return Err(invalid(&format!("facts[{index}].external_id"), "appears twice"));
        }
        Ok(report)
    };
    facts.iter().enumerate().map(report).collect()
}

fn report(field: &str, fact: &BusyFact) -> Result<Report, Status> {
    let external_id = text(&format!("{field}.external_id"), &fact.external_id, MAX_EXTERNAL_ID)?;
    if fact.removed {
        return Ok(Report { external_id, title: String::new(), span: None });
    }
    let title = optional_text(&format!("{field}.title"), &fact.title, MAX_TITLE)?.unwrap_or_default();
    let starts_at = required(&format!("{field}.starts_at"), fact.starts_at.as_ref())?;
    let ends_at = required(&format!("{field}.ends_at"), fact.ends_at.as_ref())?;
    let span = span(starts_at, ends_at).map_err(|error| {
        let name = match error {
            SpanError::Backwards | SpanError::TooLong => "ends_at",
            SpanError::OutOfRange => "starts_at",
        };
        invalid(&format!("{field}.{name}"), &error.to_string())
    })?;
    Ok(Report { external_id, title, span })
}
