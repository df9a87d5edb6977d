//! What becomes of a booked visit.

use caller::{BusinessScope, Method};
use engine::{
    id::{EmployeeId, VisitId},
    progress::{Stage, Step},
    schedule::{MAX_GUESTS, MAX_ITEMS},
};
use proto::{
    error::invalid,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            self as pb, AppointmentState, MoveAppointmentRequest, MoveAppointmentResponse,
            RestoreAppointmentRequest, RestoreAppointmentResponse, SetAppointmentStateRequest,
            SetAppointmentStateResponse, VisitServiceHandler,
            visit_service_methods::{MOVE_APPOINTMENT, RESTORE_APPOINTMENT, SET_APPOINTMENT_STATE},
        },
    },
    parse::{id, optional_id},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    Error,
    people::{Named, People},
    store::{Store, Tx},
};

/// Serves `VisitService`.
#[derive(Debug)]
pub(crate) struct Visits {
    store: Store,
    people: People,
}

impl Visits {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl VisitServiceHandler for Visits {
    async fn set_appointment_state(
        &self,
        scope: BusinessScope,
        request: SetAppointmentStateRequest,
    ) -> Result<SetAppointmentStateResponse, Status> {
        let id: VisitId = id("appointment_id", &request.appointment_id)?;
        let (stage, seen) = (stage(request.state())?, seen(request.version)?);
        self.store
            .idempotent(&scope, &SET_APPOINTMENT_STATE, &request, async |tx| {
                let visit = tx.take_visit(id).await?;
                let appointment = visit.appointment.clone().seen_at(seen).map_err(Error::from)?;
                let entered = appointment.enter(stage, &visit.progress, tx.now(), &visit.schedule.zone);
                let (entered, step) = entered.map_err(Error::from)?;
                tx.save_step(&visit, &entered, step).await?;
                let appointment = Some(announce(tx, &SET_APPOINTMENT_STATE, id).await?);
                let response = SetAppointmentStateResponse { appointment };
                Ok(response)
            })
            .await
    }

    async fn restore_appointment(
        &self,
        scope: BusinessScope,
        request: RestoreAppointmentRequest,
    ) -> Result<RestoreAppointmentResponse, Status> {
        let id: VisitId = id("appointment_id", &request.appointment_id)?;
        let seen = seen(request.version)?;
        self.store
            .idempotent(&scope, &RESTORE_APPOINTMENT, &request, async |tx| {
                let visit = tx.take_visit(id).await?;
                let appointment = visit.appointment.clone().seen_at(seen).map_err(Error::from)?;
                let restored = appointment.restore(&visit.progress, tx.now(), &visit.schedule.zone);
                tx.save_step(&visit, &restored.map_err(Error::from)?, Step::Back).await?;
                let appointment = Some(announce(tx, &RESTORE_APPOINTMENT, id).await?);
                let response = RestoreAppointmentResponse { appointment };
                Ok(response)
            })
            .await
    }

    async fn move_appointment(
        &self,
        scope: BusinessScope,
        request: MoveAppointmentRequest,
    ) -> Result<MoveAppointmentResponse, Status> {
        let id: VisitId = id("appointment_id", &request.appointment_id)?;
        let (employees, seen) = (employees(&request.employee_ids)?, seen(request.version)?);
        let extra = extra_minutes(&request.extra_minutes)?;
        let start = request.starts_at.as_ref().map(|start| fields::start(Some(start))).transpose()?;
        self.people
            .check(&scope, Named::employees("employee_ids", employees.iter().flatten().copied()))
            .await?;
        self.store
            .idempotent(&scope, &MOVE_APPOINTMENT, &request, async |tx| {
                let visit = tx.take_visit(id).await?;
                let appointment = visit.appointment.clone().seen_at(seen).map_err(Error::from)?;
                let wanted = match &extra {
                    Some(extra) => appointment.resized(employees.as_deref(), extra),
                    None => appointment.rearranged(employees.as_deref()),
                };
                let start = start.unwrap_or(appointment.starts_at);
                let placement = tx.place_anew(&visit, &wanted.map_err(Error::from)?, start).await;
                let placement = placement.map_err(of_move)?;
                tx.save_moved(&visit, &appointment.moved_to(&placement), &placement).await?;
                let appointment = Some(announce(tx, &MOVE_APPOINTMENT, id).await?);
                let response = MoveAppointmentResponse { appointment };
                Ok(response)
            })
            .await
    }
}

/// Tells others of an appointment as it is now, and notes who made it so.
pub(super) async fn announce(tx: &Tx, method: &Method, id: VisitId) -> Result<pb::Appointment, Error> {
    let appointment = pb::Appointment::from(&tx.appointment(id).await?);
    let payload = Payload::Appointment(appointment.clone());
    tx.announce_audited(method, id, appointment.version, payload).await?;
    Ok(appointment)
}

/// The version somebody saw, if they say so.
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

/// One employee or anyone per service, or nobody where they stay.
pub(super) fn employees(ids: &[String]) -> Result<Option<Vec<Option<EmployeeId>>>, Status> {
    if ids.len() > MAX_ITEMS * MAX_GUESTS {
        return Err(invalid("employee_ids", "must be one per service"));
    }
    let employee = |(index, id): (usize, &String)| optional_id(&format!("employee_ids[{index}]"), id);
    let employees: Vec<_> = ids.iter().enumerate().map(employee).collect::<Result<_, _>>()?;
    Ok((!employees.is_empty()).then_some(employees))
}

/// The length of each service, or nothing where they stay.
fn extra_minutes(minutes: &[i32]) -> Result<Option<Vec<i16>>, Status> {
    if minutes.len() > MAX_ITEMS * MAX_GUESTS {
        return Err(invalid("extra_minutes", "must be one per service"));
    }
    let extra =
        |(index, extra): (usize, &i32)| fields::extra_minutes(&format!("extra_minutes[{index}]"), *extra);
    let extra: Vec<_> = minutes.iter().enumerate().map(extra).collect::<Result<_, _>>()?;
    Ok((!extra.is_empty()).then_some(extra))
}

/// A move has its lengths in a field of their own.
fn of_move(error: Error) -> Error {
    match error {
        Error::Length(item) => Error::invalid(format!("extra_minutes[{item}]"), error),
        other => other,
    }
}
