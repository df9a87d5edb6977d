//! What is served: translates between the contract and the domain, decides nothing.

mod cache;
mod calls;
mod intake;
mod received;

pub use cache::Caches;
pub use calls::Calls;
pub use intake::Intake;
