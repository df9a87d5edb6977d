//! Busy facts from calendars and booking systems outside.

use std::collections::HashSet;

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::scheduling::internal::v1::{
        BusyFact, BusyServiceHandler, ImportBusyRequest, ImportBusyResponse,
        busy_service_methods::IMPORT_BUSY,
    },
    parse::{id, optional_id, optional_text, text},
    time::required,
};
use tonic::{Status, async_trait};

use crate::{
    domain::{
        busy::{Origin, Report, Source, SpanError, span},
        id::EmployeeId,
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
        let source = source(&request)?;
        let reports = reports(&request)?;
        let tx = self.store.begin(&scope);
        let imported = tx.import_busy(source, &reports).await?;
        tx.audit(&IMPORT_BUSY, source.id).await?;
        tx.commit().await?;
        Ok(ImportBusyResponse { conflicts: i32::try_from(imported.conflicts).unwrap_or(i32::MAX) })
    }
}

fn source(request: &ImportBusyRequest) -> Result<Source, Status> {
    let origin = match (request.calendar_id.as_str(), request.provider_connection_id.as_str()) {
        ("", "") => return Err(invalid("calendar_id", "must be set, or a provider's connection")),
        (_, "") => Origin::Calendar,
        ("", _) => Origin::Provider,
        _ => return Err(invalid("provider_connection_id", "must not be set beside a calendar")),
    };
    let id = match origin {
        Origin::Calendar => id("calendar_id", &request.calendar_id)?,
        Origin::Provider => id("provider_connection_id", &request.provider_connection_id)?,
    };
    Ok(Source { origin, id })
}

fn reports(request: &ImportBusyRequest) -> Result<Vec<Report>, Status> {
    let facts = &request.facts;
    if facts.len() > MAX_FACTS {
        return Err(invalid("facts", "must be at most 500"));
    }
    let employee: Option<EmployeeId> = optional_id("employee_id", &request.employee_id)?;
    let mut seen = HashSet::new();
    let report = |(index, fact): (usize, &BusyFact)| {
        let report = report(&format!("facts[{index}]"), fact, employee)?;
        if !seen.insert(report.external_id.clone()) {
            return Err(invalid(&format!("facts[{index}].external_id"), "appears twice"));
        }
        Ok(report)
    };
    facts.iter().enumerate().map(report).collect()
}

fn report(field: &str, fact: &BusyFact, employee: Option<EmployeeId>) -> Result<Report, Status> {
    let external_id = text(&format!("{field}.external_id"), &fact.external_id, MAX_EXTERNAL_ID)?;
    let own = optional_id(&format!("{field}.employee_id"), &fact.employee_id)?;
    let employee = own.or(employee).ok_or_else(|| invalid("employee_id", "must be set, or each fact's"))?;
    if fact.removed {
        return Ok(Report { external_id, employee, title: String::new(), span: None });
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
    Ok(Report { external_id, employee, title, span })
}
