//! Booked visits.

use caller::BusinessScope;
use engine::{id::VisitId, window::Window};
use jiff::Timestamp;
use proto::{
    contact::ContactReach,
    frontdesk::scheduling::v1::{
        self as pb, AppointmentServiceHandler, BookAppointmentRequest, BookAppointmentResponse,
        BookWalkInRequest, BookWalkInResponse, CancelAppointmentRequest, CancelAppointmentResponse,
        ChangeAppointmentRequest, ChangeAppointmentResponse, GetAppointmentRequest, GetAppointmentResponse,
        ListAppointmentsRequest, ListAppointmentsResponse, ListConflictsRequest, ListConflictsResponse,
        ListCustomerAppointmentsRequest, ListCustomerAppointmentsResponse, MoveAppointmentRequest,
        MoveAppointmentResponse, RestoreAppointmentRequest, RestoreAppointmentResponse,
        SetAppointmentStateRequest, SetAppointmentStateResponse,
        appointment_service_methods::{
            BOOK_APPOINTMENT, BOOK_WALK_IN, CANCEL_APPOINTMENT, CHANGE_APPOINTMENT, MOVE_APPOINTMENT,
            RESTORE_APPOINTMENT, SET_APPOINTMENT_STATE,
        },
    },
    page::page,
    parse::id,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::{
    appointment_request::{book, cancel, change, move_to, restore, set_state, walk_in},
    fields,
    schedule::zone_name,
    stranding::contacts,
};
use crate::{
    Error,
    app::{Calls, FindUndoable, Named, People},
    contract::{FromEngine, step, text},
    domain::squeeze_in::may_squeeze_in,
    store::{OfCustomer, OpenConflict, Store, StoredAppointment},
};

/// Serves `AppointmentService`.
#[derive(Debug)]
pub(crate) struct Appointments {
    store: Store,
    people: People,
    calls: Calls,
}

impl Appointments {
    pub(crate) fn new(store: Store, people: People, calls: Calls) -> Self {
        Self { store, people, calls }
    }
}

#[async_trait]
impl AppointmentServiceHandler for Appointments {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn book_appointment(
        &self,
        scope: BusinessScope,
        request: BookAppointmentRequest,
    ) -> Result<BookAppointmentResponse, Status> {
        let command = book(&scope, &request)?;
        if command.time.is_squeezed_in() && !may_squeeze_in(scope.role()) {
            return Err(Error::SqueezeIn.into());
        }
        let named = Named::customer("customer_id", command.occasion.customer).in_items(command.time.items());
        self.people.check(&scope, named).await?;
        self.calls.check(&scope, command.occasion.call).await?;
        self.store
            .idempotent(&scope, &BOOK_APPOINTMENT, &request, async |tx| {
                let (stored, change) = command.run(tx).await?;
                let appointment = Some(pb::Appointment::from(&stored));
                Ok(BookAppointmentResponse { appointment, change_id: text(change) })
            })
            .await
    }

    async fn book_walk_in(
        &self,
        scope: BusinessScope,
        request: BookWalkInRequest,
    ) -> Result<BookWalkInResponse, Status> {
        let command = walk_in(&request)?;
        let named = Named::customer("customer_id", command.occasion.customer).in_items(&command.items);
        self.people.check(&scope, named).await?;
        self.store
            .idempotent(&scope, &BOOK_WALK_IN, &request, async |tx| {
                let (stored, change) = command.run(tx).await?;
                let appointment = Some(pb::Appointment::from(&stored));
                Ok(BookWalkInResponse { appointment, change_id: change.to_string() })
            })
            .await
    }

    async fn cancel_appointment(
        &self,
        scope: BusinessScope,
        request: CancelAppointmentRequest,
    ) -> Result<CancelAppointmentResponse, Status> {
        let command = cancel(&scope, &request)?;
        self.store
            .idempotent(&scope, &CANCEL_APPOINTMENT, &request, async |tx| {
                let (stored, change) = command.run(tx).await?;
                let appointment = Some(pb::Appointment::from(&stored));
                Ok(CancelAppointmentResponse { appointment, change_id: change.to_string() })
            })
            .await
    }

    async fn set_appointment_state(
        &self,
        scope: BusinessScope,
        request: SetAppointmentStateRequest,
    ) -> Result<SetAppointmentStateResponse, Status> {
        let command = set_state(&request)?;
        self.store
            .idempotent(&scope, &SET_APPOINTMENT_STATE, &request, async |tx| {
                let (stored, change) = command.run(tx).await?;
                let appointment = Some(pb::Appointment::from(&stored));
                Ok(SetAppointmentStateResponse { appointment, change_id: change.to_string() })
            })
            .await
    }

    async fn restore_appointment(
        &self,
        scope: BusinessScope,
        request: RestoreAppointmentRequest,
    ) -> Result<RestoreAppointmentResponse, Status> {
        let command = restore(&request)?;
        self.store
            .idempotent(&scope, &RESTORE_APPOINTMENT, &request, async |tx| {
                let (stored, change) = command.run(tx).await?;
                let appointment = Some(pb::Appointment::from(&stored));
                Ok(RestoreAppointmentResponse { appointment, change_id: change.to_string() })
            })
            .await
    }

    async fn move_appointment(
        &self,
        scope: BusinessScope,
        request: MoveAppointmentRequest,
    ) -> Result<MoveAppointmentResponse, Status> {
        let command = move_to(&request)?;
        if command.squeezed_in && !may_squeeze_in(scope.role()) {
            return Err(Error::SqueezeIn.into());
        }
        let employees = command.employees.iter().flatten().copied();
        self.people.check(&scope, Named::employees("employee_ids", employees)).await?;
        self.store
            .idempotent(&scope, &MOVE_APPOINTMENT, &request, async |tx| {
                let (stored, change) = command.run(tx).await.map_err(of_move)?;
                let appointment = Some(pb::Appointment::from(&stored));
                Ok(MoveAppointmentResponse { appointment, change_id: change.to_string() })
            })
            .await
    }

    async fn change_appointment(
        &self,
        scope: BusinessScope,
        request: ChangeAppointmentRequest,
    ) -> Result<ChangeAppointmentResponse, Status> {
        let command = change(&request)?;
        let items = command.items.as_deref().unwrap_or_default();
        self.people.check(&scope, Named::default().in_items(items).wished_in_items(items)).await?;
        self.store
            .idempotent(&scope, &CHANGE_APPOINTMENT, &request, async |tx| {
                let changed = command.run(tx).await?;
                Ok(ChangeAppointmentResponse {
                    appointment: Some(pb::Appointment::from(&changed.appointment)),
                    change_id: text(changed.change),
                    changed_count: i32::try_from(changed.count).unwrap_or(i32::MAX),
                    left_appointment_ids: changed.left.iter().map(VisitId::to_string).collect(),
                })
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
        let called = tx.contacts_of(&[id]).await?.remove(&id).unwrap_or_default();
        let (places, edits) = (tx.places_left(id).await?, tx.edits(id).await?);
        let (now, zone) = (tx.now(), tx.zone().await?);
        tx.release();
        let undoable = FindUndoable(id).run(&self.store, &scope).await?;
        let visit = &appointment.appointment;
        let back = visit.back(&progress, now, &zone);
        Ok(GetAppointmentResponse {
            appointment: Some(pb::Appointment::from(&appointment)),
            time_zone: zone_name(&zone),
            state_changes: progress.entries().iter().map(pb::StateChange::from_engine).collect(),
            steps: visit.onward().map(|(stage, window)| step(stage, window)).collect(),
            step_back: back.map(|(stage, until)| step(stage, Window::until(until))),
            contacts: contacts(&called),
            delay_window: visit.delay_window().map(pb::DelayWindow::from_engine),
            places_left: places.iter().map(pb::PlaceLeft::from).collect(),
            edits: edits.iter().map(pb::AppointmentEdit::from).collect(),
            undoable: undoable.as_ref().map(pb::UndoableChange::from),
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
        let own = match scope.limited_to_own_visits() {
            Some(person) => tx.employees_of(person).await?,
            None => vec![],
        };
        tx.release();
        let key = |row: &&OpenConflict| (row.span.starts_at(), row.id.0);
        let shown = |row: &OpenConflict| {
            let mut conflict = pb::Conflict::from(row);
            if !row.source.origin.names_entries_to(scope.role(), own.contains(&row.employee)) {
                conflict.title.clear();
            }
            conflict
        };
        let (conflicts, next_page_token) = page.answer(&rows, key, shown);
        Ok(ListConflictsResponse { conflicts, next_page_token })
    }
}

/// The position in a list after this appointment.
pub(super) fn key(row: &StoredAppointment) -> (Timestamp, Uuid) {
    (row.appointment.starts_at, row.appointment.id.0)
}

/// A move has its lengths in a field of their own.
fn of_move(error: Error) -> Error {
    match error {
        Error::Length(item) => Error::invalid(format!("extra_minutes[{item}]"), error),
        other => other,
    }
}
