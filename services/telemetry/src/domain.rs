//! What a call is and how deliveries add up to it. Pure: the clock is passed in.

pub mod call;
pub mod call_filter;
pub mod call_note;
pub mod counted;
pub mod excerpt;
pub mod facts;
pub mod finding;
pub mod insights;
pub mod latency;
pub mod missed;
pub mod outcome;
pub mod person;
pub mod phone;
pub mod product_event;
pub mod recording;
pub mod runs;
pub mod span;
pub mod spoken_contact;
pub mod take_over;
pub mod tool_call;
pub mod transcript;
pub mod visit;

typed_id::typed_id! {
    /// A telephone call.
    CallId,
    /// A delivery that names no call.
    NoticeId,
    /// One run of a tool of the agent.
    ToolCallId,
    /// A voice connection of a business.
    ConnectionId,
    /// A customer, as tenancy knows it.
    CustomerId,
    /// An appointment, as scheduling knows it.
    AppointmentId,
    /// A service, as scheduling knows it.
    ServiceId,
    /// The pieces of a recording that a platform delivers.
    UploadId,
    /// Filters that a person saved.
    CallViewId,
    /// A note about a call.
    CallNoteId,
    /// Something that was done with the product.
    ProductEventId,
}
