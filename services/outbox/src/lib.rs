//! The event log: serve one's own, follow another's. A transaction appends to it (`database::Tx::publish_change`).
//!
//! A producer's outbox table is the log and the truth. Redis only wakes readers;
//! losing it costs at most one poll interval. A follower saves its position and
//! the event's effects in one transaction, so each event takes effect exactly once.

mod effect;
mod follow;
mod forget;
mod log;
mod measure;
mod migration;
mod restore;

pub use effect::{Apply, FollowError};
pub use follow::{Follower, caught_up};
pub use forget::{forget_before, forget_older, forget_parked, known_records, knows};
pub use log::{Log, head};
pub use migration::{identity_sql, migration_sql};
pub use restore::{renew, require_own};
