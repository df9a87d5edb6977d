//! Calls to servers that this installation does not run: calendars, booking systems, voice platforms. They never lead
//! into a private network, a host that fails is left alone for a while, and answers are bounded.

mod breaker;
mod circuit;
mod records;
pub mod web;

use boot::clock::Clock;

use breaker::Breakers;
pub use reach::Reach;
pub use records::Records;
pub use web::{Answer, Ask, Login, Web, WebError};

/// What calls servers where `reach` allows it.
///
/// # Errors
/// When there is no TLS.
pub fn web(reach: Reach, clock: Clock) -> anyhow::Result<Web> {
    Web::new(reach, Breakers::new(clock))
}
