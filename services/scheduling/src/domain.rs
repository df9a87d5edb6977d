//! The rules of scheduling: pure, with the clock passed in.

pub mod absence;
pub mod appointment_export;
pub mod block;
pub mod busy;
pub mod busy_source;
pub mod contact;
pub mod contact_reach;
pub mod demand;
pub mod hypothesis;
pub mod id;
pub mod intelligence;
pub mod matching;
pub mod pairing;
pub mod past_visit;
pub mod patch_test;
pub mod person;
pub mod phrase;
pub mod sentence;
pub mod squeeze_in;
pub mod table_visit;
pub mod time_off;
pub mod undoable;
