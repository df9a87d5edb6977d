//! The book, as scheduling answers it: the appointments that were published, and no other method.

use std::sync::Arc;

use caller::{BusinessScope, Tenant};
use proto::{
    contact::ContactReach,
    frontdesk::scheduling::v1::{
        Appointment, AppointmentServiceHandler, BookAppointmentRequest, BookAppointmentResponse,
        BookWalkInRequest, BookWalkInResponse, CancelAppointmentRequest, CancelAppointmentResponse,
        ChangeAppointmentRequest, ChangeAppointmentResponse, GetAppointmentRequest, GetAppointmentResponse,
        ListAppointmentsRequest, ListAppointmentsResponse, ListConflictsRequest, ListConflictsResponse,
        ListCustomerAppointmentsRequest, ListCustomerAppointmentsResponse, MoveAppointmentRequest,
        MoveAppointmentResponse, RestoreAppointmentRequest, RestoreAppointmentResponse,
        SetAppointmentStateRequest, SetAppointmentStateResponse,
    },
    time::required,
};
use tonic::{Status, async_trait};

use crate::scheduling::Scheduling;

/// What is served in the place of scheduling's appointments.
pub struct Book(pub Arc<Scheduling>);

fn other<T>() -> Result<T, Status> {
    Err(Status::unimplemented("calendar-sync only lists appointments"))
}

#[async_trait]
impl AppointmentServiceHandler for Book {
    async fn contact_reach(&self, _: &BusinessScope) -> Result<ContactReach, Status> {
        other()
    }

    async fn list_appointments(
        &self,
        scope: BusinessScope,
        request: ListAppointmentsRequest,
    ) -> Result<ListAppointmentsResponse, Status> {
        assert_eq!(scope.business().to_string(), request.business_id);
        if let Some(refused) = self.0.refused_reading() {
            return Err(refused);
        }
        let [from, to] = [request.from.as_ref(), request.to.as_ref()].map(|at| required("from", at).unwrap());
        let within = |appointment: &Appointment| {
            let starts =
                appointment.items.iter().map(|item| required("starts_at", item.starts_at.as_ref()).unwrap());
            starts.min().is_some_and(|starts| starts >= from && starts < to)
        };
        let begin: usize = request.page_token.parse().unwrap_or_default();
        let (appointments, next) = self.0.page_of_book(within, begin);
        Ok(ListAppointmentsResponse {
            next_page_token: next.map(|next| next.to_string()).unwrap_or_default(),
            appointments,
            time_zone: "Europe/London".to_owned(),
        })
    }

    async fn book_appointment(
        &self,
        _: BusinessScope,
        _: BookAppointmentRequest,
    ) -> Result<BookAppointmentResponse, Status> {
        other()
    }

    async fn book_walk_in(
        &self,
        _: BusinessScope,
        _: BookWalkInRequest,
    ) -> Result<BookWalkInResponse, Status> {
        other()
    }

    async fn cancel_appointment(
        &self,
        _: BusinessScope,
        _: CancelAppointmentRequest,
    ) -> Result<CancelAppointmentResponse, Status> {
        other()
    }

    async fn set_appointment_state(
        &self,
        _: BusinessScope,
        _: SetAppointmentStateRequest,
    ) -> Result<SetAppointmentStateResponse, Status> {
        other()
    }

    async fn restore_appointment(
        &self,
        _: BusinessScope,
        _: RestoreAppointmentRequest,
    ) -> Result<RestoreAppointmentResponse, Status> {
        other()
    }

    async fn move_appointment(
        &self,
        _: BusinessScope,
        _: MoveAppointmentRequest,
    ) -> Result<MoveAppointmentResponse, Status> {
        other()
    }

    async fn change_appointment(
        &self,
        _: BusinessScope,
        _: ChangeAppointmentRequest,
    ) -> Result<ChangeAppointmentResponse, Status> {
        other()
    }

    async fn get_appointment(
        &self,
        _: BusinessScope,
        _: GetAppointmentRequest,
    ) -> Result<GetAppointmentResponse, Status> {
        other()
    }

    async fn list_customer_appointments(
        &self,
        _: BusinessScope,
        _: ListCustomerAppointmentsRequest,
    ) -> Result<ListCustomerAppointmentsResponse, Status> {
        other()
    }

    async fn list_conflicts(
        &self,
        _: BusinessScope,
        _: ListConflictsRequest,
    ) -> Result<ListConflictsResponse, Status> {
        other()
    }
}
