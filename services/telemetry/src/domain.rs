//! What a call is and how deliveries add up to it. Pure: the clock is passed in.

pub mod call;
pub mod excerpt;
pub mod facts;
pub mod outcome;
pub mod phone;
pub mod tool_call;
pub mod transcript;

typed_id::typed_id! {
    /// A telephone call.
    CallId,
    /// One run of a tool of the agent.
    ToolCallId,
    /// A voice connection of a business.
    ConnectionId,
    /// A customer, as tenancy knows it.
    CustomerId,
    /// An appointment, as scheduling knows it.
    AppointmentId,
}
