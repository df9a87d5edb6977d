//! What is served: translates between the contract and the domain, decides nothing.

mod calendars;
mod demo;

pub use calendars::Calendars;
pub use demo::DemoEvents;

/// Longest name, title or id.
const MAX_TEXT: usize = 255;
