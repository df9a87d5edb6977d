//! Use cases: what the service does with a delivery, one file each. A use case owns its transaction and decides with
//! `domain`; `store` alone speaks SQL.

mod add_past_calls;
mod attribute_visit;
mod begin_tool_call;
mod count_calls;
mod erase_person;
mod export_calls;
mod find_calls;
mod finish_tool_call;
mod keep_recordings;
mod list_untold_calls;
mod read_insights;
mod record_call_event;
mod take_over_call;
mod update_figures;
mod write_call_note;

pub use add_past_calls::{PastCall, PastRun, add_past_calls};
pub use attribute_visit::AttributeVisit;
pub use begin_tool_call::BeginToolCall;
pub use count_calls::count_calls;
pub use erase_person::ErasePerson;
pub use export_calls::export_calls;
pub use find_calls::{FindCalls, find_reach};
pub use finish_tool_call::FinishToolCall;
pub use keep_recordings::KeepRecordings;
pub use list_untold_calls::{EndedCall, ListUntoldCalls};
pub use read_insights::{Insights, ReadInsights};
pub use record_call_event::RecordCallEvent;
pub use take_over_call::{find_take_over, take_over_call};
pub use update_figures::update_figures;
pub use write_call_note::{CreateCallNote, DeleteCallNote, restore_call_note};
