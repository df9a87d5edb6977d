//! Use cases: what the service does, one file each. They own the order of locks and decide with `engine` and
//! `domain`; `store` alone speaks SQL.

mod apply_proposal;
mod change_remainder;
mod change_visit;
mod explain_time;
mod find_times;
mod match_waitlist;
mod optimise_day;
mod place_visit;
mod plan_series;
mod propose_changes;

pub use change_remainder::TakenRest;
pub use explain_time::Explained;
pub use find_times::Agenda;
pub use optimise_day::{DayWish, OptimisableDay};
pub use plan_series::Outlook;
