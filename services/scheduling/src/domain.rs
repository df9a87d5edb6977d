//! The rules of scheduling: pure, with the clock passed in.

pub mod appointment;
pub mod block;
pub mod busy;
pub mod dates;
pub mod day;
pub mod explanation;
pub mod hours;
pub mod id;
pub mod placement;
pub mod plan;
pub mod policy;
pub mod progress;
pub mod refusal;
pub mod schedule;
pub mod sentence;
pub mod service;
pub mod slots;
pub mod span;
pub mod squeeze_in;
pub mod time_off;
pub mod timeline;
pub mod visit;
pub mod walk_in;
pub mod working;
