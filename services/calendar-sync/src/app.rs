//! Use cases and workers, one file each. They own their transactions and decide with `domain`; `store` alone speaks SQL.

mod ask_consent;
mod check_consistency;
mod check_employee;
mod connect_caldav;
mod connect_calendar;
mod erase_person;
mod manage_demo_events;
mod plan_events;
mod read_calendar;
mod repair_event;
mod rewrap_data_keys;
mod sweep_history;
mod take_turns;
mod write_event;

pub use ask_consent::AskConsent;
pub use check_consistency::{CheckConsistency, Found, Side};
pub use check_employee::CheckEmployee;
pub use connect_caldav::ConnectCaldav;
pub use connect_calendar::{ConnectCalendar, may_connect_others};
pub use erase_person::{ErasePerson, Erasing};
pub use manage_demo_events::ManageDemoEvents;
pub use read_calendar::Reader;
pub use repair_event::RepairEvents;
pub use rewrap_data_keys::rewrap_data_keys;
pub use sweep_history::sweep_history;
pub use take_turns::{Pace, take_turns};
pub use write_event::{POLL, Writer};
