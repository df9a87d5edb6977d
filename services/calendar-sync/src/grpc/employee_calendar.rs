//! Calendars of employees who are added from a table.

use caller::BusinessScope;
use proto::{
    error::{FieldFault, invalid},
    frontdesk::calendarsync::internal::v1::{
        CheckEmployeeCalendarsRequest, CheckEmployeeCalendarsResponse, ConnectEmployeeCalendarRequest,
        ConnectEmployeeCalendarResponse, EmployeeCalendarServiceHandler,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::calendar::MAX_ADDRESS;
use crate::{app::ConnectEmployeeCalendar, domain::ics::AddressFault, error::Error};

/// Cells that are checked at once.
const MOST_CELLS: usize = 1_000;

/// Serves `EmployeeCalendarService`.
#[derive(Debug)]
pub struct EmployeeCalendars(pub ConnectEmployeeCalendar);

#[async_trait]
impl EmployeeCalendarServiceHandler for EmployeeCalendars {
    async fn check_employee_calendars(
        &self,
        scope: BusinessScope,
        request: CheckEmployeeCalendarsRequest,
    ) -> Result<CheckEmployeeCalendarsResponse, Status> {
        if request.calendars.len() > MOST_CELLS {
            return Err(invalid("calendars", "must be at most 1,000"));
        }
        let importer = parse::optional_id("user_id", &request.user_id)?;
        let faults = self.0.check(&scope, importer, &request.calendars).await?;
        let faults = faults.into_iter().map(|fault| fault.map(fault_text).unwrap_or_default());
        Ok(CheckEmployeeCalendarsResponse { faults: faults.collect() })
    }

    async fn connect_employee_calendar(
        &self,
        scope: BusinessScope,
        request: ConnectEmployeeCalendarRequest,
    ) -> Result<ConnectEmployeeCalendarResponse, Status> {
        let importer = parse::optional_id("user_id", &request.user_id)?;
        let cell = parse::text("calendar", &request.calendar, MAX_ADDRESS)?;
        let employee = parse::id("employee_id", &request.employee_id)?;
        let id = parse::id("calendar_id", &request.calendar_id)?;
        self.0.connect(&scope, importer, &cell, employee, id).await.map_err(refusal)?;
        Ok(ConnectEmployeeCalendarResponse {})
    }
}

/// What is wrong with a cell.
fn fault_text(fault: Error) -> String {
    match fault {
        Error::Connected => "is connected already".to_owned(),
        other => FieldFault::of(&Status::from(other)).description,
    }
}

/// A published calendar that can't be read now is a person's to see to: an import does not wait for its server.
fn refusal(error: Error) -> Status {
    match error {
        Error::Address(AddressFault::Unreachable(reason)) => {
            invalid("calendar", &format!("can't be read now ({reason}): connect it once its server answers"))
        }
        Error::Address(AddressFault::Later(_)) => {
            invalid("calendar", "can't be read now: its server asks to come back later")
        }
        other => other.into(),
    }
}
