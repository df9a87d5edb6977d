//! Use cases: what the service does, one file each. They own the order of locks and decide with `engine` and
//! `domain`; `store` alone speaks SQL.

mod apply_proposal;
mod book_appointment;
mod book_walk_in;
mod cancel_appointment;
mod change_remainder;
mod change_schedule;
mod change_visit;
mod decide_time_off;
mod delay_appointment;
mod dismiss_proposal;
mod explain_time;
mod find_times;
mod list_day_hours;
mod list_stranded;
mod match_waitlist;
mod move_appointment;
mod optimise_day;
mod place_visit;
mod plan_series;
mod propose_changes;
mod publish_appointment;
mod read_day;
mod report_absence;
mod set_appointment_state;

pub use apply_proposal::ApplyProposal;
pub use book_appointment::{BookAppointment, Time};
pub use book_walk_in::BookWalkIn;
pub use cancel_appointment::CancelAppointment;
pub use change_remainder::TakenRemainder;
pub use change_schedule::WorkingTimeChange;
pub use decide_time_off::{DecideTimeOff, RequestTimeOff, Verdict};
pub use delay_appointment::DelayAppointment;
pub use dismiss_proposal::DismissProposal;
pub use explain_time::Explained;
pub use find_times::Agenda;
pub use list_day_hours::ListDayHours;
pub use list_stranded::ListStranded;
pub use move_appointment::MoveAppointment;
pub use optimise_day::{DayWish, OptimisableDay};
pub use plan_series::Outlook;
pub use read_day::{Column, OpeningOn, ReadDay, Unavailable, VisitOn, Why};
pub use report_absence::ReportAbsence;
pub use set_appointment_state::{RestoreAppointment, SetAppointmentState};
