//! Booked visits.

use caller::{Actor, BusinessScope, Tenant};
use engine::{
    appointment::{Appointment, CallingOff, Canceller, Occasion},
    id::{CustomerId, VisitId},
    policy::Booker,
    progress::Step,
    visit::{Item, Placement},
};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, AppointmentServiceHandler, BookAppointmentRequest, BookAppointmentResponse,
        CancelAppointmentRequest, CancelAppointmentResponse, GetAppointmentRequest, GetAppointmentResponse,
        ListAppointmentsRequest, ListAppointmentsResponse, ListConflictsRequest, ListConflictsResponse,
        ListCustomerAppointmentsRequest, ListCustomerAppointmentsResponse,
        appointment_service_methods::{BOOK_APPOINTMENT, CANCEL_APPOINTMENT},
    },
    page::page,
    parse::{id, optional_id, optional_text},
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::{fields, schedule::zone_name, visit::announce};
use crate::{
    Error,
    contract::FromEngine,
    domain::squeeze_in::may_squeeze_in,
    people::{Named, People},
    store::{OfCustomer, OpenConflict, Store, StoredAppointment, Tx},
};

pub(super) const MAX_NOTES: usize = 2000;
pub(super) const MAX_REASON: usize = 500;

/// Serves `AppointmentService`.
#[derive(Debug)]
pub(crate) struct Appointments {
    store: Store,
    people: People,
}

impl Appointments {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl AppointmentServiceHandler for Appointments {
    async fn book_appointment(
        &self,
        scope: BusinessScope,
        request: BookAppointmentRequest,
    ) -> Result<BookAppointmentResponse, Status> {
        let occasion = occasion(&request)?;
        let time = Time::parse(&request, occasion.customer)?;
        let squeezed_in = time.is_squeezed_in();
        if squeezed_in && !may_squeeze_in(scope.role()) {
            return Err(Error::SqueezeIn.into());
        }
        let named = Named::customer("customer_id", occasion.customer).in_items(time.items());
        self.people.check(&scope, named).await?;
        self.store
            .idempotent(&scope, &BOOK_APPOINTMENT, &request, async |tx| {
                let (id, placement, occasion) = time.take(tx, occasion, booker(&scope)).await?;
                let booked = Appointment::book(id, &placement, occasion, tx.now());
                let appointment = Appointment { squeezed_in, ..booked };
                tx.add_appointment(&appointment, &placement.occupied).await?;
                let appointment = Some(announce(tx, &BOOK_APPOINTMENT, id).await?);
                let response = BookAppointmentResponse { appointment };
                Ok(response)
            })
            .await
    }

    async fn cancel_appointment(
        &self,
        scope: BusinessScope,
        request: CancelAppointmentRequest,
    ) -> Result<CancelAppointmentResponse, Status> {
        let id: VisitId = id("appointment_id", &request.appointment_id)?;
        let reason = optional_text("reason", &request.reason, MAX_REASON)?.unwrap_or_default();
        self.store
            .idempotent(&scope, &CANCEL_APPOINTMENT, &request, async |tx| {
                let wish = CallingOff {
                    at: tx.now(),
                    by: tx.actor().to_owned(),
                    canceller: canceller(&scope),
                    reason,
                };
                let visit = tx.take_visit(id).await?;
                let cancelled = visit.appointment.clone().cancel(wish, &visit.schedule.policy);
                tx.save_step(&visit, &cancelled.map_err(Error::from)?, Step::Forward).await?;
                let appointment = Some(announce(tx, &CANCEL_APPOINTMENT, id).await?);
                let response = CancelAppointmentResponse { appointment };
                Ok(response)
            })
            .await
    }

    async fn get_appointment(
        &self,
        scope: BusinessScope,
        request: GetAppointmentRequest,
    ) -> Result<GetAppointmentResponse, Status> {
        let id: VisitId = id("appointment_id", &request.appointment_id)?;
        let tx = self.store.begin(&scope);
        let appointment = tx.appointment(id).await?;
        let progress = tx.progress(id).await?;
        let time_zone = zone_name(&tx.zone().await?);
        tx.release();
        Ok(GetAppointmentResponse {
            appointment: Some(pb::Appointment::from(&appointment)),
            time_zone,
            state_changes: progress.entries().iter().map(pb::StateChange::from_engine).collect(),
        })
    }

    async fn list_appointments(
        &self,
        scope: BusinessScope,
        request: ListAppointmentsRequest,
    ) -> Result<ListAppointmentsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = fields::after(&page);
        let tx = self.store.begin(&scope);
        let starts = fields::window(request.from.as_ref(), request.to.as_ref(), tx.now())?;
        let rows = tx.appointments(starts, after, page.limit()).await?;
        let time_zone = zone_name(&tx.zone().await?);
        tx.release();
        let (appointments, next_page_token) = page.answer(&rows, |row| key(row), pb::Appointment::from);
        Ok(ListAppointmentsResponse { appointments, next_page_token, time_zone })
    }

    async fn list_customer_appointments(
        &self,
        scope: BusinessScope,
        request: ListCustomerAppointmentsRequest,
    ) -> Result<ListCustomerAppointmentsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.is_some().then(|| fields::after(&page));
        let which = OfCustomer {
            customer: id("customer_id", &request.customer_id)?,
            upcoming: request.upcoming,
            cancelled: request.include_cancelled,
        };
        self.people.check(&scope, Named::customer("customer_id", which.customer)).await?;
        let tx = self.store.begin(&scope);
        let rows = tx.appointments_of_customer(which, after, page.limit()).await?;
        let time_zone = zone_name(&tx.zone().await?);
        tx.release();
        let (appointments, next_page_token) = page.answer(&rows, |row| key(row), pb::Appointment::from);
        Ok(ListCustomerAppointmentsResponse { appointments, next_page_token, time_zone })
    }

    async fn list_conflicts(
        &self,
        scope: BusinessScope,
        request: ListConflictsRequest,
    ) -> Result<ListConflictsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = fields::after(&page);
        let tx = self.store.begin(&scope);
        let rows = tx.conflicts(after, page.limit()).await?;
        tx.release();
        let key = |row: &&OpenConflict| (row.span.starts_at(), row.id.0);
        let (conflicts, next_page_token) = page.answer(&rows, key, pb::Conflict::from);
        Ok(ListConflictsResponse { conflicts, next_page_token })
    }
}

/// Where a list goes on after an appointment.
fn key(row: &StoredAppointment) -> (Timestamp, Uuid) {
    (row.appointment.starts_at, row.appointment.id.0)
}

/// The time somebody asks for.
enum Time {
    /// What a hold keeps.
    Held(VisitId),
    /// A start that is still free.
    Free(Vec<Item>, Timestamp),
    /// A start that may be taken.
    Squeezed(Vec<Item>, Timestamp),
}

impl Time {
    fn parse(request: &BookAppointmentRequest, customer: Option<CustomerId>) -> Result<Self, Status> {
        let Some(hold) = optional_id("hold_id", &request.hold_id)? else {
            let items = fields::items(&request.items, customer)?;
            let start = fields::start(request.starts_at.as_ref())?;
            if !request.squeeze_in {
                return Ok(Self::Free(items, start));
            }
            if let Some(nobody) = items.iter().position(|item| item.employee.is_none()) {
                let field = format!("items[{nobody}].employee_id");
                return Err(invalid(&field, "is required to squeeze a visit in"));
            }
            return Ok(Self::Squeezed(items, start));
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
        Ok(Self::Held(hold))
    }

    /// What is to be placed; a hold has its own.
    fn items(&self) -> &[Item] {
        match self {
            Self::Held(_) => &[],
            Self::Free(items, _) | Self::Squeezed(items, _) => items,
        }
    }

    fn is_squeezed_in(&self) -> bool {
        matches!(self, Self::Squeezed(..))
    }

    /// Takes it: the id of the visit, where it is placed, and what it is for.
    async fn take(
        self,
        tx: &Tx,
        occasion: Occasion,
        booker: Booker,
    ) -> Result<(VisitId, Placement, Occasion), Error> {
        match self {
            Self::Held(id) => {
                let (placement, call) = tx.take_hold(id, occasion.customer).await?;
                Ok((id, placement, Occasion { call: occasion.call.or(call), ..occasion }))
            }
            Self::Free(items, start) => {
                let schedule = tx.settled_schedule().await?;
                let placement = tx.place(&schedule, &items, start, booker).await?;
                Ok((tx.new_id(), placement, occasion))
            }
            Self::Squeezed(items, start) => {
                let schedule = tx.settled_schedule().await?;
                let placement = tx.place_squeezed(&schedule, &items, start).await?;
                Ok((tx.new_id(), placement, occasion))
            }
        }
    }
}

fn occasion(request: &BookAppointmentRequest) -> Result<Occasion, Status> {
    Ok(Occasion {
        customer: optional_id("customer_id", &request.customer_id)?,
        call: optional_id("call_id", &request.call_id)?,
        notes: optional_text("notes", &request.notes, MAX_NOTES)?.unwrap_or_default(),
        ..Occasion::default()
    })
}

pub(super) fn booker(scope: &BusinessScope) -> Booker {
    match scope.actor() {
        Actor::Person { .. } | Actor::Agent { .. } => Booker::Customer,
        Actor::Service { .. } => Booker::Installation,
    }
}

fn canceller(scope: &BusinessScope) -> Canceller {
    match scope.actor() {
        Actor::Agent { .. } => Canceller::Customer,
        Actor::Person { .. } | Actor::Service { .. } => Canceller::Staff,
    }
}
