//! Booking systems of others on this machine, as strict as they document themselves to be: they refuse what the
//! real ones refuse, and fail on request.

mod fault;
pub mod phorest;
pub mod square;

pub use fault::Fault;
