//! What tools change, each a call of a service under the key of the tool's call.

use proto::frontdesk::{
    scheduling::v1::{
        BookAppointmentRequest, BookAppointmentResponse, CancelAppointmentRequest, CancelAppointmentResponse,
        CreateHoldRequest, CreateHoldResponse, JoinWaitlistRequest, JoinWaitlistResponse,
        MoveAppointmentRequest, MoveAppointmentResponse,
        appointment_service_methods::{BOOK_APPOINTMENT, CANCEL_APPOINTMENT, MOVE_APPOINTMENT},
        availability_service_methods::CREATE_HOLD,
        waitlist_service_methods::JOIN_WAITLIST,
    },
    tenancy::v1::{
        CreateCustomerRequest, CreateCustomerResponse, CreateFollowUpRequest, CreateFollowUpResponse,
        customer_service_methods::CREATE_CUSTOMER, follow_up_service_methods::CREATE_FOLLOW_UP,
    },
};
use tonic::Status;

use super::{desk::Desk, writing::Writing};

macro_rules! writes {
    ($($(#[$doc:meta])* $name:ident($method:ident, $request:ty) -> $response:ty;)*) => {
        impl Desk {
            $($(#[$doc])*
            pub async fn $name(&self, message: $request) -> Result<$response, Status> {
                match &self.writing {
                    Writing::Kept(key) => self.agent.call(&$method, Some(key), message).await,
                    Writing::Dry(run) => run.$name(self.salon(), message).await,
                }
            })*
        }
    };
}

writes! {
    /// Adds a customer.
    create_customer(CREATE_CUSTOMER, CreateCustomerRequest) -> CreateCustomerResponse;
    /// Keeps a time for a few minutes.
    create_hold(CREATE_HOLD, CreateHoldRequest) -> CreateHoldResponse;
    /// Books the time that is kept.
    book_appointment(BOOK_APPOINTMENT, BookAppointmentRequest) -> BookAppointmentResponse;
    /// Moves a visit.
    move_appointment(MOVE_APPOINTMENT, MoveAppointmentRequest) -> MoveAppointmentResponse;
    /// Cancels one.
    cancel_appointment(CANCEL_APPOINTMENT, CancelAppointmentRequest) -> CancelAppointmentResponse;
    /// Puts a customer on the waitlist.
    join_waitlist(JOIN_WAITLIST, JoinWaitlistRequest) -> JoinWaitlistResponse;
    /// Leaves the salon a message.
    create_follow_up(CREATE_FOLLOW_UP, CreateFollowUpRequest) -> CreateFollowUpResponse;
}
