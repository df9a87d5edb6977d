//! Appointments from tables of other systems.

use caller::BusinessScope;
use engine::{
    id::EmployeeId,
    schedule::{MAX_GUESTS, MAX_ITEMS},
    span::Span,
};
use jiff::civil::DateTime;
use proto::{
    error::invalid,
    frontdesk::scheduling::internal::v1::{
        self as pb, AppointmentImportServiceHandler, ImportAppointmentsRequest, ImportAppointmentsResponse,
        TableVisitOutcome, TakenTime, VisitFault,
    },
    parse::{optional_id, optional_line, optional_text},
    time::{parse, to_proto},
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::fields::MAX_NOTES;
use crate::{
    app::{ImportTableVisits, People, TableOutcome},
    domain::table_visit::{Fault, Reference, TableItem, TableTime, TableVisit},
    store::Store,
};

const MOST: usize = 50;
const LONGEST_NAME: usize = 200;

/// Serves `AppointmentImportService`.
#[derive(Debug)]
pub(crate) struct AppointmentImports {
    store: Store,
    people: People,
}

impl AppointmentImports {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl AppointmentImportServiceHandler for AppointmentImports {
    async fn import_appointments(
        &self,
        scope: BusinessScope,
        request: ImportAppointmentsRequest,
    ) -> Result<ImportAppointmentsResponse, Status> {
        if request.visits.len() > MOST {
            return Err(invalid("visits", "must be at most 50"));
        }
        let importer = optional_id("on_behalf_of", &request.on_behalf_of)?;
        let visits = request.visits.iter().map(visit).collect::<Result<Vec<_>, _>>()?;
        let tx = self.store.begin(&scope);
        let names = tx.names().await?;
        tx.release();
        let (store, people, check_only) = (&self.store, &self.people, request.check_only);
        let import = ImportTableVisits { store, people, scope: &scope, importer, check_only };
        let mut outcomes = Vec::with_capacity(visits.len());
        for visit in &visits {
            outcomes.push(match import.run(visit, &names).await? {
                TableOutcome::Booked(id, times) => TableVisitOutcome {
                    appointment_id: id.to_string(),
                    taken: times.into_iter().map(taken).collect(),
                    ..TableVisitOutcome::default()
                },
                TableOutcome::Known(id) => TableVisitOutcome {
                    appointment_id: id.to_string(),
                    known: true,
                    ..TableVisitOutcome::default()
                },
                TableOutcome::Refused(fault) => {
                    TableVisitOutcome { fault: Some(fault.into()), ..TableVisitOutcome::default() }
                }
            });
        }
        Ok(ImportAppointmentsResponse { outcomes })
    }
}

impl From<Fault> for VisitFault {
    fn from(fault: Fault) -> Self {
        let Fault { item, field, rule } = fault;
        Self { item: i32::try_from(item).unwrap_or(i32::MAX), field: field.to_owned(), fault: rule }
    }
}

fn taken((employee, span): (EmployeeId, Span)) -> TakenTime {
    TakenTime {
        employee_id: employee.to_string(),
        starts_at: Some(to_proto(span.starts_at())),
        ends_at: Some(to_proto(span.ends_at())),
    }
}

fn visit(wire: &pb::TableVisit) -> Result<TableVisit, Status> {
    if !(1..=MAX_ITEMS * MAX_GUESTS).contains(&wire.items.len()) {
        return Err(invalid("visits.items", "must be 1 to 48"));
    }
    Ok(TableVisit {
        reference: optional_line("visits.reference", &wire.reference, LONGEST_NAME)?.unwrap_or_default(),
        customer: optional_id("visits.customer_id", &wire.customer_id)?,
        notes: optional_text("visits.notes", &wire.notes, MAX_NOTES)?.unwrap_or_default(),
        confirmed: wire.confirmed,
        items: wire.items.iter().map(item).collect::<Result<_, _>>()?,
    })
}

fn item(wire: &pb::TableItem) -> Result<TableItem, Status> {
    let guest = u8::try_from(wire.guest).ok().filter(|guest| usize::from(*guest) < MAX_GUESTS);
    Ok(TableItem {
        service: reference("visits.items.service", &wire.service_id, &wire.service_name)?,
        employee: reference("visits.items.employee", &wire.employee_id, &wire.employee_name)?,
        starts_at: time("visits.items.starts_at", wire.starts_at.as_ref())?
            .unwrap_or(TableTime { local: None, at: None }),
        ends_at: time("visits.items.ends_at", wire.ends_at.as_ref())?,
        guest: guest.ok_or_else(|| invalid("visits.items.guest", "must be 0 to 7"))?,
    })
}

fn reference<T: From<Uuid>>(field: &str, id: &str, name: &str) -> Result<Reference<T>, Status> {
    Ok(Reference {
        id: optional_id(&format!("{field}_id"), id)?,
        name: optional_line(&format!("{field}_name"), name, LONGEST_NAME)?.unwrap_or_default(),
    })
}

fn time(field: &str, wire: Option<&pb::TableTime>) -> Result<Option<TableTime>, Status> {
    let Some(wire) = wire else { return Ok(None) };
    let local = match wire.local.as_str() {
        "" => None,
        text => Some(text.parse::<DateTime>().map_err(|_| invalid(field, "must be a date with a time"))?),
    };
    Ok(Some(TableTime { local, at: parse(field, wire.at.as_ref())? }))
}
