//! The voice door, driven as platforms drive it, in front of services that are
//! strict about who calls.

mod admission;
mod conversation;
mod delivery;
mod door;
mod farewells;
mod line;
mod lost_calls;
pub mod model;
mod platforms;
mod privacy;
mod reception;
mod recordings;
mod refusals;
mod relay;
mod salon;
mod services;
mod telephone;
mod transfers;
mod visits;
