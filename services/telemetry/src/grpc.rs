//! What is served: each method parses its request, calls one use case or one read of the store, and answers.

mod cache;
mod call;
mod call_directory;
mod call_export;
mod call_filter;
mod call_health;
mod call_note;
mod call_view;
mod delivery;
mod erasure;
mod insight;
mod intake;
mod notice;
mod past_call;
mod product_event;
mod recording;
mod shown_call;
mod take_over;
mod tool_call;

pub use cache::Caches;
pub use call::Calls;
pub use call_directory::CallDirectory;
pub use call_view::CallViews;
pub use erasure::PersonErasures;
pub use insight::InsightReads;
pub use intake::Intake;
pub use past_call::PastCalls;
pub use product_event::ProductEvents;
pub use recording::Recordings;
