//! What is served: each method parses its request, calls one use case or one read of the store, and answers.

mod appointment_sync;
mod calendar;
mod calendar_feed;
mod consent;
mod consistency;
mod demo_event;
mod employee_calendar;
mod erasure;
mod provider;
mod provider_push;
mod push;

pub use appointment_sync::AppointmentSync;
pub use calendar::Calendars;
pub use calendar_feed::CalendarFeeds;
pub use consent::Consents;
pub use consistency::Consistency;
pub use demo_event::DemoEvents;
pub use employee_calendar::EmployeeCalendars;
pub use erasure::PersonErasures;
pub use provider::Providers;
pub use provider_push::ProviderPushes;
pub use push::Pushes;

/// Longest name, title or id.
const MAX_TEXT: usize = 255;
