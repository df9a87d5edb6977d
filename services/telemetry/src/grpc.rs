//! What is served: each method parses its request, calls one use case or one read of the store, and answers.

mod cache;
mod call;
mod delivery;
mod intake;
mod tool_call;

pub use cache::Caches;
pub use call::Calls;
pub use intake::Intake;
