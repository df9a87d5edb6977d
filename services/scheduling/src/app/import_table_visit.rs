//! Books a visit of a table, or says why not.

use std::collections::BTreeMap;

use caller::{BusinessScope, Tenant, UserId};
use engine::{
    appointment::{Appointment, BookingDetails},
    id::{EmployeeId, SubjectId, VisitId},
    item::Item,
    policy::Booker,
    span::Span,
    visit::{Occupied, Placement},
};
use proto::frontdesk::scheduling::v1::appointment_service_methods::BOOK_APPOINTMENT;

use super::check_people::{Named, People};
use crate::{
    Error,
    domain::table_visit::{Fault, KnownVisit, TableVisit},
    measure::Figure,
    store::{Store, Tx},
};

/// What became of a visit, or would.
#[derive(Debug)]
pub enum TableOutcome {
    /// It is in the book now, or could be; the time that it takes from the employees whom the table names.
    Booked(VisitId, Vec<(EmployeeId, Span)>),
    /// It was in the book already.
    Known(VisitId),
    /// Why it can't be.
    Refused(Fault),
}

/// Books visits of tables, each in a transaction of its own.
#[derive(Debug)]
pub struct ImportTableVisits<'a> {
    /// Where they are booked.
    pub store: &'a Store,
    /// Who comes and who does it.
    pub people: &'a People,
    /// In which business.
    pub scope: &'a BusinessScope,
    /// Who books them, if that is a person.
    pub importer: Option<UserId>,
    /// Whether to say what would become of them, and book nothing.
    pub check_only: bool,
}

impl ImportTableVisits<'_> {
    /// Books a visit unless it is in the book already.
    ///
    /// # Errors
    /// What is not the visit's fault, so that it is worth another try.
    pub async fn run(
        &self,
        visit: &TableVisit,
        names: &BTreeMap<EmployeeId, String>,
    ) -> Result<TableOutcome, Error> {
        let customer = Named::customer("customer", visit.customer);
        if !self.people.unknown(self.scope, customer).await?.is_empty() {
            return Ok(TableOutcome::Refused(Fault::unknown_customer()));
        }
        let tx = match self.importer {
            Some(person) => self.store.begin_for(self.scope, person),
            None => self.store.begin(self.scope),
        };
        let outcome = match self.import(&tx, visit, names).await {
            Ok(outcome) => outcome,
            Err(error) => TableOutcome::Refused(fault_of(error)?),
        };
        if !self.check_only && matches!(outcome, TableOutcome::Booked(..)) {
            tx.commit().await?;
        }
        Ok(outcome)
    }

    async fn import(
        &self,
        tx: &Tx,
        visit: &TableVisit,
        names: &BTreeMap<EmployeeId, String>,
    ) -> Result<TableOutcome, Error> {
        let schedule = tx.settled_schedule().await?;
        let known = match visit.resolve(&schedule, names) {
            Ok(known) => known,
            Err(fault) => return Ok(TableOutcome::Refused(fault)),
        };
        let ids = visit.ids(self.scope.business(), &known);
        if let Some(id) = tx.visits_among(&ids).await?.first() {
            return Ok(TableOutcome::Known(*id));
        }
        let KnownVisit { items, starts_at, .. } = &known;
        let request = tx.admitted(&schedule, items, *starts_at, Booker::Desk).await?;
        let request = match known.as_it_begins(request, &schedule.zone) {
            Ok(request) => request,
            Err(fault) => return Ok(TableOutcome::Refused(fault)),
        };
        let placed = if self.check_only {
            tx.find_place(&schedule, &request, *starts_at).await
        } else {
            tx.place_request(&schedule, &request, *starts_at).await
        };
        // Only a refusal leaves the transaction able to look again.
        let placed = match placed {
            Err(error) if !matches!(error, Error::Refused(_)) => return Err(error),
            placed => placed,
        };
        // Another import may have booked it meanwhile, which the days that are taken now show.
        if let Some(id) = tx.visits_among(&ids).await?.first() {
            return Ok(TableOutcome::Known(*id));
        }
        let (placement, id) = (placed?, ids.first().copied().unwrap_or_else(|| tx.new_id()));
        if !self.check_only {
            book(tx, id, visit, &placement).await?;
        }
        Ok(TableOutcome::Booked(id, taken_from(items, &placement.occupied)))
    }
}

async fn book(tx: &Tx, id: VisitId, visit: &TableVisit, placement: &Placement) -> Result<(), Error> {
    let details =
        BookingDetails { customer: visit.customer, notes: visit.notes.clone(), ..BookingDetails::default() };
    let booked = Appointment::book(id, placement, details, tx.now());
    let appointment = Appointment { state: visit.state(), ..booked };
    tx.add_appointment(&appointment, &placement.occupied).await?;
    tx.tally(Figure::Booked, 1);
    tx.publish_appointment(&BOOK_APPOINTMENT, id).await.map(drop)
}

/// What an error says of the visit.
///
/// # Errors
/// One that says nothing of it.
fn fault_of(error: Error) -> Result<Fault, Error> {
    match error {
        Error::Refused(refusal) => Ok(Fault::refused(refusal)),
        Error::UnknownService(item) => Ok(Fault::unknown_service(item)),
        Error::Length(item) => Ok(Fault::length(item)),
        other => Err(other),
    }
}

/// The time that it takes from the employees whom the table names.
fn taken_from(named: &[Item], occupied: &[Occupied]) -> Vec<(EmployeeId, Span)> {
    let of = |row: &Occupied| {
        let employee =
            named.iter().filter_map(|item| item.employee).find(|id| row.subject == SubjectId::from(*id))?;
        Some((employee, row.during))
    };
    occupied.iter().filter_map(of).collect()
}
