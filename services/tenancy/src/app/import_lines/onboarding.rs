//! What other services do for a new employee: a member's account or an invitation, and a calendar.

use core::time::Duration;

use boot::peer::Peer;
use caller::{BusinessId, UserId};
use proto::{
    error::FieldFault,
    frontdesk::{
        auth::v1::{InviteRequest, member_service_client::MemberServiceClient},
        calendarsync::internal::v1::{
            CheckEmployeeCalendarsRequest, ConnectEmployeeCalendarRequest,
            employee_calendar_service_client::EmployeeCalendarServiceClient,
        },
    },
};
use tonic::{Code, Status};
use uuid::Uuid;

use crate::{
    app::{Member, Members},
    domain::Email,
    lines::employee::EmployeeLine,
    store::ImportLine,
};

/// How long one of them may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a calendar may take, which is read once before it is connected.
const READING: Duration = Duration::from_secs(20);

const NOT_INVITED: &str = "was not invited: the person who started this import is not an owner any more";

/// The service that is away.
pub type Away = &'static str;
const AUTH: Away = "auth";
const CALENDARS: Away = "calendar-sync";

/// What other services say of lines, which have these numbers.
#[derive(Debug, Default)]
pub struct Examined {
    /// What would be refused.
    pub refused: Vec<(i32, FieldFault)>,
    /// Whose addresses are in the lines.
    pub members: Vec<(i32, Member)>,
}

/// What was done for the employee of a line.
#[derive(Debug, Default)]
pub struct Onboarded {
    /// What was refused although the check found nothing.
    pub fault: Option<FieldFault>,
    /// The member whose address the line has, who is not invited.
    pub member: Option<Member>,
}

/// Invites employees, and connects their calendars.
#[derive(Debug, Clone)]
pub struct Onboarding {
    /// Invites.
    pub auth: Peer,
    /// Finds those who need no invitation.
    pub members: Members,
    /// Connects calendars.
    pub calendars: Peer,
}

impl Onboarding {
    /// Which lines have members' addresses, and whose calendars, or invitations by `inviter`, would be refused.
    ///
    /// # Errors
    /// The service that is away.
    pub async fn examine(
        &self,
        business: BusinessId,
        importer: Option<UserId>,
        inviter: &str,
        lines: &[ImportLine],
    ) -> Result<Examined, Away> {
        let read = |line: &ImportLine| Some((line.number, EmployeeLine::parse(&line.cells).ok()?));
        let lines: Vec<(i32, EmployeeLine)> = lines.iter().filter_map(read).collect();
        let mut refused = self.refused_calendars(business, importer, &lines).await?;
        let mut members = vec![];
        for (number, line) in &lines {
            let Some((email, role)) = &line.invitation else { continue };
            match self.member(business, email).await? {
                Some(Member { unfit: Some(fault), .. }) => {
                    refused.push((*number, FieldFault::new("email", fault)));
                }
                Some(member) => members.push((*number, member)),
                None => {
                    let request = invitation(business, inviter, email.as_str(), role, None, true);
                    if let Err(status) = self.invite(business, request).await {
                        refused.push((*number, final_fault(&status, "email").ok_or(AUTH)?));
                    }
                }
            }
        }
        Ok(Examined { refused, members })
    }

    /// The member whose address a line has.
    async fn member(&self, business: BusinessId, email: &Email) -> Result<Option<Member>, Away> {
        match self.members.of_address(business, email.as_str()).await {
            Ok(found) => Ok(found),
            // Auth takes it for no address, and says so when it is to invite it.
            Err(status) if status.code() == Code::InvalidArgument => Ok(None),
            Err(_) => Err(AUTH),
        }
    }

    /// The lines whose calendars can't be connected.
    async fn refused_calendars(
        &self,
        business: BusinessId,
        importer: Option<UserId>,
        lines: &[(i32, EmployeeLine)],
    ) -> Result<Vec<(i32, FieldFault)>, Away> {
        let named = |(number, line): &(i32, EmployeeLine)| Some((*number, line.calendar.clone()?));
        let (numbers, calendars): (Vec<i32>, Vec<String>) = lines.iter().filter_map(named).unzip();
        if calendars.is_empty() {
            return Ok(vec![]);
        }
        let message = CheckEmployeeCalendarsRequest {
            business_id: business.to_string(),
            user_id: written(importer),
            calendars,
        };
        let request = self.calendars.as_service(Some(business), message, READING);
        let mut client = EmployeeCalendarServiceClient::new(self.calendars.channel());
        let answer = client.check_employee_calendars(request).await.map_err(|_| CALENDARS)?;
        let faults = numbers.into_iter().zip(answer.into_inner().faults);
        let faults = faults.filter(|(_, fault)| !fault.is_empty());
        Ok(faults.map(|(number, fault)| (number, FieldFault::new("calendar", &fault))).collect())
    }

    /// Connects the calendar and, unless a member has the address, invites the employee of a line in the name of
    /// `inviter`; both are done once, however often they are asked for.
    ///
    /// # Errors
    /// The service that is away.
    pub async fn onboard(
        &self,
        business: BusinessId,
        importer: Option<UserId>,
        inviter: &str,
        line: &ImportLine,
    ) -> Result<Onboarded, Away> {
        let mut done = Onboarded::default();
        let Ok(EmployeeLine { invitation: invited, calendar, .. }) = EmployeeLine::parse(&line.cells) else {
            return Ok(done);
        };
        let employee = line.record.unwrap_or_default();
        if let Some(calendar) = calendar
            && let Err(status) = self.connect(business, importer, employee, calendar).await
        {
            done.fault = Some(final_fault(&status, "calendar").ok_or(CALENDARS)?);
        }
        let Some((email, role)) = invited else { return Ok(done) };
        match self.member(business, &email).await? {
            Some(Member { unfit: Some(fault), .. }) => done.fault = Some(FieldFault::new("email", fault)),
            Some(member) => done.member = Some(member),
            None => {
                let request = invitation(business, inviter, email.as_str(), role, Some(employee), false);
                if let Err(status) = self.invite(business, request).await {
                    done.fault = Some(final_fault(&status, "email").ok_or(AUTH)?);
                }
            }
        }
        Ok(done)
    }

    async fn invite(&self, business: BusinessId, request: InviteRequest) -> Result<(), Status> {
        let request = self.auth.as_service(Some(business), request, PATIENCE);
        MemberServiceClient::new(self.auth.channel()).invite(request).await.map(drop)
    }

    /// The calendar has the employee's id: connecting it again changes nothing.
    async fn connect(
        &self,
        business: BusinessId,
        importer: Option<UserId>,
        employee: Uuid,
        calendar: String,
    ) -> Result<(), Status> {
        let message = ConnectEmployeeCalendarRequest {
            business_id: business.to_string(),
            user_id: written(importer),
            calendar,
            employee_id: employee.to_string(),
            calendar_id: employee.to_string(),
        };
        let request = self.calendars.as_service(Some(business), message, READING);
        let mut client = EmployeeCalendarServiceClient::new(self.calendars.channel());
        client.connect_employee_calendar(request).await.map(drop)
    }
}

fn written(importer: Option<UserId>) -> String {
    importer.map(|user| user.to_string()).unwrap_or_default()
}

fn invitation(
    business: BusinessId,
    inviter: &str,
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
        on_behalf_of: inviter.to_owned(),
    }
}

/// What a refusal says of `field`; `None` where the call is worth another try.
fn final_fault(status: &Status, field: &str) -> Option<FieldFault> {
    match status.code() {
        // Who started the import may invite no more.
        Code::PermissionDenied if field == "email" => Some(FieldFault::new(field, NOT_INVITED)),
        Code::InvalidArgument | Code::AlreadyExists | Code::FailedPrecondition | Code::Aborted => {
            Some(FieldFault::new(field, &FieldFault::of(status).description))
        }
        _ => None,
    }
}
