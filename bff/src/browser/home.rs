//! The home page's first glance: its parts are asked for side by side, and one that fails leaves the others.

use core::{any::Any, time::Duration};

use caller::{Bearer, BusinessId, Method, Role};
use proto::{
    error::{Reason, reason_of, refuse},
    frontdesk::{
        home::v1::{GetHomeRequest, GetHomeResponse, HomeFailure, home_service_methods::GET_HOME},
        scheduling::v1::{
            GetDayRequest, GetOpeningHoursRequest, ListAppointmentsRequest, ListConflictsRequest,
            appointment_service_methods::{LIST_APPOINTMENTS, LIST_CONFLICTS},
            day_service_methods::GET_DAY,
            schedule_service_methods::GET_OPENING_HOURS,
        },
        telemetry::v1::{ListCallsRequest, call_service_methods::LIST_CALLS},
        tenancy::v1::{GetBusinessRequest, business_service_methods::GET_BUSINESS},
    },
};
use tokio::time::timeout;
use tonic::Status;

use super::visitor::Visitor;

/// How long a part may take: one service that hangs must not hold up what the others have answered.
const PATIENCE: Duration = Duration::from_secs(2);

/// A request for the first glance.
#[derive(Debug)]
pub(super) struct Home(GetHomeRequest);

impl Home {
    /// The request, if `method` is the one that the door answers itself.
    pub fn of(method: &'static Method, request: &impl Any) -> Option<Self> {
        let request = || <dyn Any>::downcast_ref::<GetHomeRequest>(request).cloned().map(Self);
        (method.path == GET_HOME.path).then(request).flatten()
    }

    /// Reads the parts that the visitor may read.
    ///
    /// # Errors
    /// The rule's refusal. A part that fails is named in the answer.
    pub async fn read<Response: Default + 'static>(
        self,
        visitor: &Visitor,
        business: Option<BusinessId>,
    ) -> Result<Response, Status> {
        let role = match visitor.passport(&GET_HOME, business).await?.bearer {
            Bearer::User { role, .. } => role,
            Bearer::Agent { .. } | Bearer::Service { .. } => None,
        };
        let business_id = self.0.business_id;
        let part = Parts { visitor, business, role };
        let day = GetDayRequest { business_id: business_id.clone(), ..GetDayRequest::default() };
        let appointments = ListAppointmentsRequest {
            business_id: business_id.clone(),
            page_size: self.0.appointments,
            ..ListAppointmentsRequest::default()
        };
        let conflicts = ListConflictsRequest {
            business_id: business_id.clone(),
            page_size: self.0.conflicts,
            ..ListConflictsRequest::default()
        };
        let calls = ListCallsRequest {
            business_id: business_id.clone(),
            page_size: self.0.calls,
            ..ListCallsRequest::default()
        };
        let hours = GetOpeningHoursRequest { business_id: business_id.clone() };
        let (business, opening_hours, today, appointments, conflicts, calls) = tokio::join!(
            part.read("business", &GET_BUSINESS, GetBusinessRequest { business_id }),
            part.read("opening_hours", &GET_OPENING_HOURS, hours),
            part.read("today", &GET_DAY, day),
            part.read("appointments", &LIST_APPOINTMENTS, appointments),
            part.read("conflicts", &LIST_CONFLICTS, conflicts),
            part.read("calls", &LIST_CALLS, calls),
        );
        let mut failures = vec![];
        let answer = GetHomeResponse {
            business: found(business, &mut failures),
            opening_hours: found(opening_hours, &mut failures),
            today: found(today, &mut failures),
            appointments: found(appointments, &mut failures),
            conflicts: found(conflicts, &mut failures),
            calls: found(calls, &mut failures),
            failures,
        };
        let answer: Box<dyn Any> = Box::new(answer);
        Ok(answer.downcast().map_or_else(|_| Response::default(), |answer| *answer))
    }
}

/// Asks for parts of the answer.
struct Parts<'a> {
    visitor: &'a Visitor,
    business: Option<BusinessId>,
    role: Option<Role>,
}

impl Parts<'_> {
    /// One part; `None` where the viewer may not read it.
    async fn read<Request, Response>(
        &self,
        name: &'static str,
        method: &'static Method,
        request: Request,
    ) -> Result<Option<Response>, HomeFailure>
    where
        Request: prost::Message + 'static,
        Response: prost::Message + Default + 'static,
    {
        if self.role < Some(method.rule.least_role) {
            return Ok(None);
        }
        let asked = timeout(PATIENCE, self.visitor.ask(method, self.business, request)).await;
        let answered = asked.unwrap_or_else(|_| Err(refuse(Reason::Unavailable, "no answer in time")));
        answered.map(Some).map_err(|status| {
            let reason = reason_of(&status).unwrap_or(Reason::Unavailable);
            HomeFailure { part: name.to_owned(), reason: reason.name().to_owned() }
        })
    }
}

fn found<T>(part: Result<Option<T>, HomeFailure>, failures: &mut Vec<HomeFailure>) -> Option<T> {
    part.unwrap_or_else(|failure| {
        failures.push(failure);
        None
    })
}
