//! What other services do for a new employee: an invitation, and a calendar.

use core::time::Duration;

use boot::peer::Peer;
use caller::BusinessId;
use proto::{
    error::FieldFault,
    frontdesk::{
        auth::v1::{InviteRequest, member_service_client::MemberServiceClient},
        calendarsync::v1::{
            CalendarKind, ConnectCalendarRequest, calendar_service_client::CalendarServiceClient,
        },
    },
};
use tonic::{Code, Status};
use uuid::Uuid;

use crate::{lines::employee::EmployeeLine, store::ImportLine};

/// How long one of them may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The service that is away.
pub type Away = &'static str;

/// Invites employees, and connects their calendars.
#[derive(Debug, Clone)]
pub struct Onboarding {
    /// Invites.
    pub auth: Peer,
    /// Connects calendars.
    pub calendars: Peer,
}

impl Onboarding {
    /// The lines whose invitations would be refused, by their numbers.
    ///
    /// # Errors
    /// When auth is away.
    pub async fn refused(
        &self,
        business: BusinessId,
        lines: &[ImportLine],
    ) -> Result<Vec<(i32, FieldFault)>, Away> {
        let mut refused = Vec::new();
        for line in lines {
            let Ok(EmployeeLine { invitation: Some((email, role)), .. }) = EmployeeLine::parse(&line.cells)
            else {
                continue;
            };
            let request = invitation(business, email.as_str(), role, None, true);
            if let Err(status) = self.invite(business, request).await {
                refused.push((line.number, final_fault(&status, "email").ok_or("auth")?));
            }
        }
        Ok(refused)
    }

    /// Connects the calendar and invites the employee of a line; both are done once, however often they are asked
    /// for. Says what was refused although the check found nothing.
    ///
    /// # Errors
    /// The service that is away.
    pub async fn onboard(&self, business: BusinessId, line: &ImportLine) -> Result<Option<FieldFault>, Away> {
        let Ok(EmployeeLine { invitation: invited, calendar, .. }) = EmployeeLine::parse(&line.cells) else {
            return Ok(None);
        };
        let employee = line.record.unwrap_or_default();
        let mut refused = None;
        if let Some(name) = calendar
            && let Err(status) = self.connect(business, employee, name).await
        {
            refused = Some(final_fault(&status, "calendar").ok_or("calendar-sync")?);
        }
        if let Some((email, role)) = invited {
            let request = invitation(business, email.as_str(), role, Some(employee), false);
            if let Err(status) = self.invite(business, request).await {
                refused = Some(final_fault(&status, "email").ok_or("auth")?);
            }
        }
        Ok(refused)
    }

    async fn invite(&self, business: BusinessId, request: InviteRequest) -> Result<(), Status> {
        let request = self.auth.as_service(Some(business), request, PATIENCE);
        MemberServiceClient::new(self.auth.channel()).invite(request).await.map(drop)
    }

    /// The calendar has the employee's id: connecting it again changes nothing.
    async fn connect(&self, business: BusinessId, employee: Uuid, name: String) -> Result<(), Status> {
        let message = ConnectCalendarRequest {
            business_id: business.to_string(),
            calendar_id: employee.to_string(),
            kind: CalendarKind::Demo.into(),
            employee_id: employee.to_string(),
            name,
        };
        let request = self.calendars.as_service(Some(business), message, PATIENCE);
        CalendarServiceClient::new(self.calendars.channel()).connect_calendar(request).await.map(drop)
    }
}

fn invitation(
    business: BusinessId,
    email: &str,
    role: &str,
    employee: Option<Uuid>,
    check_only: bool,
) -> InviteRequest {
    InviteRequest {
        business_id: business.to_string(),
        email: email.to_owned(),
        role: role.to_owned(),
        employee_id: employee.map(|id| id.to_string()).unwrap_or_default(),
        check_only,
    }
}

/// What a refusal says of `field`; `None` where the call is worth another try.
fn final_fault(status: &Status, field: &str) -> Option<FieldFault> {
    match status.code() {
        Code::InvalidArgument | Code::AlreadyExists | Code::FailedPrecondition | Code::Aborted => {
            Some(FieldFault::new(field, status.message()))
        }
        _ => None,
    }
}
