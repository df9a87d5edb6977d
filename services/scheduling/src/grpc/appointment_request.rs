//! Requests that change appointments, as use cases.

use caller::{Actor, BusinessScope, Tenant};
use engine::{
    appointment::{BookingDetails, Canceller, Consent},
    id::{CustomerId, EmployeeId},
    policy::Booker,
    progress::Stage,
    schedule::{MAX_GUESTS, MAX_ITEMS},
};
use jiff::SignedDuration;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        AppointmentState, BookAppointmentRequest, BookWalkInRequest, CancelAppointmentRequest,
        ChangeAppointmentRequest, MoveAppointmentRequest, RestoreAppointmentRequest, SeriesScope,
        SetAppointmentStateRequest,
    },
    parse::{id, optional_id, optional_text},
};
use tonic::Status;

use super::fields::{self, MAX_NOTES, MAX_REASON};
use crate::app::{
    BookAppointment, BookWalkIn, CancelAppointment, ChangeAppointment, MoveAppointment, Reach,
    RestoreAppointment, SetAppointmentState, Time,
};

const USUALLY_WITHIN: SignedDuration = SignedDuration::from_mins(60);

pub(super) fn book(
    scope: &BusinessScope,
    request: &BookAppointmentRequest,
) -> Result<BookAppointment, Status> {
    let occasion = BookingDetails {
        customer: optional_id("customer_id", &request.customer_id)?,
        call: optional_id("call_id", &request.call_id)?,
        notes: notes(&request.notes)?,
        ..BookingDetails::default()
    };
    Ok(BookAppointment {
        time: time(request, occasion.customer)?,
        occasion,
        booker: booker(scope),
        by_person: matches!(scope.actor(), Actor::Person { .. }),
    })
}

fn time(request: &BookAppointmentRequest, customer: Option<CustomerId>) -> Result<Time, Status> {
    let Some(hold) = optional_id("hold_id", &request.hold_id)? else {
        let items = fields::items(&request.items, customer)?;
        let start = fields::start(request.starts_at.as_ref())?;
        if !request.squeeze_in {
            return Ok(Time::Free(items, start));
        }
        if let Some(unassigned) = items.iter().position(|item| item.employee.is_none()) {
            return Err(required_to_squeeze_in(&format!("items[{unassigned}].employee_id")));
        }
        return Ok(Time::Squeezed(items, start));
    };
    if request.squeeze_in {
        return Err(invalid("squeeze_in", "must be false when a hold is booked"));
    }
    if !request.items.is_empty() {
        return Err(invalid("items", "must be empty when a hold is booked"));
    }
    if request.starts_at.is_some() {
        return Err(invalid("starts_at", "must be empty when a hold is booked"));
    }
    Ok(Time::Held(hold))
}

pub(super) fn walk_in(request: &BookWalkInRequest) -> Result<BookWalkIn, Status> {
    let occasion = BookingDetails {
        customer: optional_id("customer_id", &request.customer_id)?,
        notes: notes(&request.notes)?,
        ..BookingDetails::default()
    };
    let within = within(request.within_minutes)?;
    Ok(BookWalkIn { items: fields::items(&request.items, occasion.customer)?, within, occasion })
}

pub(super) fn cancel(
    scope: &BusinessScope,
    request: &CancelAppointmentRequest,
) -> Result<CancelAppointment, Status> {
    Ok(CancelAppointment {
        id: id("appointment_id", &request.appointment_id)?,
        canceller: canceller(scope),
        reason: optional_text("reason", &request.reason, MAX_REASON)?.unwrap_or_default(),
    })
}

pub(super) fn set_state(request: &SetAppointmentStateRequest) -> Result<SetAppointmentState, Status> {
    Ok(SetAppointmentState {
        id: id("appointment_id", &request.appointment_id)?,
        stage: stage(request.state())?,
        seen: seen(request.version)?,
    })
}

pub(super) fn restore(request: &RestoreAppointmentRequest) -> Result<RestoreAppointment, Status> {
    Ok(RestoreAppointment {
        id: id("appointment_id", &request.appointment_id)?,
        seen: seen(request.version)?,
    })
}

pub(super) fn move_to(request: &MoveAppointmentRequest) -> Result<MoveAppointment, Status> {
    let employees = employees(&request.employee_ids)?;
    let unnamed = employees.iter().flatten().position(Option::is_none);
    if let (true, Some(unnamed)) = (request.squeeze_in, unnamed) {
        return Err(required_to_squeeze_in(&format!("employee_ids[{unnamed}]")));
    }
    Ok(MoveAppointment {
        id: id("appointment_id", &request.appointment_id)?,
        start: request.starts_at.as_ref().map(|start| fields::start(Some(start))).transpose()?,
        employees,
        extra_minutes: extra_minutes(&request.extra_minutes)?,
        squeezed_in: request.squeeze_in,
        seen: seen(request.version)?,
        consent: consent(request.customer_agreed),
    })
}

/// A manager decides whose time is taken twice.
fn required_to_squeeze_in(field: &str) -> Status {
    invalid(field, "is required to squeeze a visit in")
}

pub(super) fn change(request: &ChangeAppointmentRequest) -> Result<ChangeAppointment, Status> {
    let start = request.starts_at.as_ref().map(|start| fields::start(Some(start))).transpose()?;
    let reach = reach(request.scope());
    if start.is_some() && reach != Reach::One {
        return Err(invalid("starts_at", "must be empty for several visits of a series"));
    }
    let items = fields::changed_items(&request.items)?;
    Ok(ChangeAppointment {
        id: id("appointment_id", &request.appointment_id)?,
        items: (!items.is_empty()).then_some(items),
        start,
        notes: request.notes.as_deref().map(notes).transpose()?,
        seen: seen(request.version)?,
        consent: consent(request.customer_agreed),
        reach,
        leave_taken: request.leave_taken,
    })
}

/// Which visits of a series a change is meant for.
pub(super) fn reach(scope: SeriesScope) -> Reach {
    match scope {
        SeriesScope::Unspecified => Reach::One,
        SeriesScope::Following => Reach::Following,
        SeriesScope::All => Reach::All,
    }
}

pub(super) fn consent(agreed: bool) -> Consent {
    if agreed { Consent::Given } else { Consent::Unknown }
}

fn notes(text: &str) -> Result<String, Status> {
    Ok(optional_text("notes", text, MAX_NOTES)?.unwrap_or_default())
}

/// Whose notice counts: people are staff, and know whether a customer can come at once.
pub(super) fn booker(scope: &BusinessScope) -> Booker {
    match scope.actor() {
        Actor::Person { .. } => Booker::Desk,
        Actor::Agent { .. } => Booker::Customer,
        Actor::Service { .. } => Booker::Installation,
    }
}

/// Whose notice counts in a search: a person may search as a customer would.
pub(super) fn searcher(scope: &BusinessScope, for_customer: bool) -> Booker {
    match booker(scope) {
        Booker::Desk if for_customer => Booker::Customer,
        booker => booker,
    }
}

fn canceller(scope: &BusinessScope) -> Canceller {
    match scope.actor() {
        Actor::Agent { .. } => Canceller::Customer,
        Actor::Person { .. } | Actor::Service { .. } => Canceller::Staff,
    }
}

fn within(minutes: i32) -> Result<SignedDuration, Status> {
    match minutes {
        0 => Ok(USUALLY_WITHIN),
        5..=720 => Ok(SignedDuration::from_mins(minutes.into())),
        _ => Err(invalid("within_minutes", "must be 5 to 720, or 0")),
    }
}

/// The version that the caller has read, if given.
pub(super) fn seen(version: i64) -> Result<Option<i64>, Status> {
    match version {
        0 => Ok(None),
        1.. => Ok(Some(version)),
        _ => Err(invalid("version", "must not be negative")),
    }
}

fn stage(state: AppointmentState) -> Result<Stage, Status> {
    match state {
        AppointmentState::Unspecified => Err(invalid("state", "is required")),
        AppointmentState::Booked => Ok(Stage::Booked),
        AppointmentState::Confirmed => Ok(Stage::Confirmed),
        AppointmentState::Arrived => Ok(Stage::Arrived),
        AppointmentState::InService => Ok(Stage::InService),
        AppointmentState::Completed => Ok(Stage::Completed),
        AppointmentState::NoShow => Ok(Stage::NoShow),
        AppointmentState::Cancelled => Err(invalid("state", "is for CancelAppointment to reach")),
    }
}

/// An employee (or any) per service; `None` if the request keeps the employees.
pub(super) fn employees(ids: &[String]) -> Result<Option<Vec<Option<EmployeeId>>>, Status> {
    if ids.len() > MAX_ITEMS * MAX_GUESTS {
        return Err(invalid("employee_ids", "must be one per service"));
    }
    let employee = |(index, id): (usize, &String)| optional_id(&format!("employee_ids[{index}]"), id);
    let employees: Vec<_> = ids.iter().enumerate().map(employee).collect::<Result<_, _>>()?;
    Ok((!employees.is_empty()).then_some(employees))
}

/// The extra minutes of each service; `None` if the request keeps the lengths.
pub(super) fn extra_minutes(minutes: &[i32]) -> Result<Option<Vec<i16>>, Status> {
    if minutes.len() > MAX_ITEMS * MAX_GUESTS {
        return Err(invalid("extra_minutes", "must be one per service"));
    }
    let extra =
        |(index, extra): (usize, &i32)| fields::extra_minutes(&format!("extra_minutes[{index}]"), *extra);
    let extra: Vec<_> = minutes.iter().enumerate().map(extra).collect::<Result<_, _>>()?;
    Ok((!extra.is_empty()).then_some(extra))
}
