//! The rules of scheduling: pure, with the clock passed in.

pub mod appointment;
pub mod arrangement;
mod assignment;
pub mod busy;
pub mod dates;
pub mod day;
pub mod dependency;
pub mod explanation;
pub mod hours;
pub mod hypothesis;
pub mod id;
pub mod part_of_day;
pub mod placement;
pub mod plan;
pub mod policy;
pub mod ranking;
pub mod refusal;
pub mod resource;
pub mod schedule;
pub mod sentence;
pub mod service;
pub mod slots;
pub mod span;
pub mod time_off;
pub mod timeline;
pub mod visit;
pub mod working;
