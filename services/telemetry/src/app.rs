//! Use cases: what the service does with a delivery, one file each. A use case owns its transaction and decides with
//! `domain`; `store` alone speaks SQL.

mod begin_tool_call;
mod finish_tool_call;
mod record_call_event;

pub use begin_tool_call::BeginToolCall;
pub use finish_tool_call::FinishToolCall;
pub use record_call_event::RecordCallEvent;
