//! Busy facts from calendars and booking systems outside.

use std::collections::HashSet;

use caller::BusinessScope;
use engine::id::EmployeeId;
use jiff::Timestamp;
use proto::{
    error::{FieldFault, invalid},
    frontdesk::scheduling::internal::v1::{
        self as pb, BusyFact, BusyServiceHandler, ImportBusyRequest, ImportBusyResponse,
        ReportSourcesRequest, ReportSourcesResponse, shortfall::Kind,
    },
    parse::{id, optional_id, optional_raw_text, raw_text},
    time::{required, to_proto},
};
use tonic::{Status, async_trait};

use super::busy_source::reports;
use crate::{
    app::{ImportBusy, Named, People, report_sources},
    domain::{
        busy::{Held, Origin, Report, Source},
        person::PersonId,
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
    people: People,
}

/// A fact that was sent: what is held of it, and what is not.
type Sent = (Option<Report>, Option<Kind>);

impl Busy {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }

    /// The facts of a request, each by itself.
    async fn facts(
        &self,
        scope: &BusinessScope,
        request: &ImportBusyRequest,
        now: Timestamp,
    ) -> Result<Vec<Sent>, Status> {
        let employee: Option<EmployeeId> = optional_id("employee_id", &request.employee_id)?;
        let mut seen = HashSet::new();
        let mut sent: Vec<Sent> =
            request.facts.iter().map(|fact| sent(fact, employee, now, &mut seen)).collect();
        let named =
            sent.iter().map(|(report, _)| report.as_ref().filter(is_busy).map(|report| report.employee));
        let unknown = self.people.unknown(scope, Named::employees("facts", named)).await?;
        for (report, shortfall) in &mut sent {
            let named = report.as_ref().filter(is_busy).map(|report| PersonId::Employee(report.employee));
            if unknown.iter().any(|(_, id)| Some(*id) == named) {
                *report = None;
                *shortfall =
                    Some(refused(FieldFault::new("employee_id", "names no employee of this business")));
            }
        }
        Ok(sent)
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
        if request.facts.len() > MAX_FACTS {
            return Err(invalid("facts", "must be at most 500"));
        }
        let tx = self.store.begin(&scope);
        let sent = self.facts(&scope, &request, tx.now()).await?;
        let shortfalls = shortfalls(&sent);
        let reports = sent.into_iter().filter_map(|(report, _)| report).collect();
        let conflicts = ImportBusy { source, reports }.run(tx).await?;
        let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
        Ok(ImportBusyResponse { conflicts, shortfalls })
    }

    async fn report_sources(
        &self,
        scope: BusinessScope,
        request: ReportSourcesRequest,
    ) -> Result<ReportSourcesResponse, Status> {
        let reported_at = required("reported_at", request.reported_at.as_ref())?;
        let reports = reports(&request)?;
        let tx = self.store.begin(&scope);
        report_sources(&tx, &reports, reported_at).await?;
        tx.commit().await?;
        Ok(ReportSourcesResponse {})
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
    if origin == Origin::Calendar && request.employee_id.is_empty() {
        return Err(invalid("employee_id", "must be set beside a calendar"));
    }
    Ok(Source { origin, id })
}

fn is_busy(report: &&Report) -> bool {
    report.span.is_some()
}

fn sent(fact: &BusyFact, employee: Option<EmployeeId>, now: Timestamp, seen: &mut HashSet<String>) -> Sent {
    match report(fact, employee, now) {
        Ok((report, _)) if !seen.insert(report.external_id.clone()) => {
            (None, Some(refused(FieldFault::new("external_id", "appears twice"))))
        }
        Ok((report, shortfall)) => (Some(report), shortfall),
        Err(status) => (None, Some(refused(FieldFault::of(&status)))),
    }
}

fn report(
    fact: &BusyFact,
    employee: Option<EmployeeId>,
    now: Timestamp,
) -> Result<(Report, Option<Kind>), Status> {
    let external_id = raw_text("external_id", &fact.external_id, MAX_EXTERNAL_ID)?;
    let own = optional_id("employee_id", &fact.employee_id)?;
    let employee = own.or(employee).ok_or_else(|| invalid("employee_id", "must be set, or the request's"))?;
    if fact.removed {
        return Ok((Report { external_id, employee, title: String::new(), span: None }, None));
    }
    let title = optional_raw_text("title", &fact.title, MAX_TITLE)?.unwrap_or_default();
    let starts_at = required("starts_at", fact.starts_at.as_ref())?;
    let ends_at = required("ends_at", fact.ends_at.as_ref())?;
    let held = Held::of(starts_at, ends_at, now).map_err(|error| invalid("ends_at", &error.to_string()))?;
    let (span, shortfall) = match held {
        Held::Whole(span) => (span, None),
        Held::Until(span) => (Some(span), Some(Kind::HeldUntil(to_proto(span.ends_at())))),
        Held::Outside => (None, Some(Kind::OutOfRange(pb::OutOfRange {}))),
    };
    Ok((Report { external_id, employee, title, span }, shortfall))
}

fn refused(fault: FieldFault) -> Kind {
    Kind::Refused(pb::Refused { field: fault.field, fault: fault.description })
}

fn shortfalls(sent: &[Sent]) -> Vec<pb::Shortfall> {
    let shortfall = |(index, (_, kind)): (usize, &Sent)| {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        kind.clone().map(|kind| pb::Shortfall { index, kind: Some(kind) })
    };
    sent.iter().enumerate().filter_map(shortfall).collect()
}
