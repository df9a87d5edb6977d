//! The voice door, driven as platforms drive it, in front of services that are
//! strict about who calls.

mod admission;
mod conversation;
mod delivery;
mod door;
mod privacy;
mod refusals;
mod salon;
mod services;
