//! Where recordings are kept, and how they are fetched from the platforms that made them.

mod platform;
mod shelf;

pub use platform::{FetchError, Incoming, Platform};
pub(crate) use shelf::authorities;
pub use shelf::{Shelf, ShelfConfig, ShelfError, Writing};
