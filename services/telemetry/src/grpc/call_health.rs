//! How calls go at each business.

use proto::{frontdesk::telemetry::v1::CallHealth as WireHealth, time::to_proto};

use crate::store::CallHealth;

/// A business's.
pub(super) fn wire(health: &CallHealth) -> WireHealth {
    let count = |calls: i64| i32::try_from(calls).unwrap_or(i32::MAX);
    WireHealth {
        business_id: health.business.to_string(),
        call_count: count(health.calls),
        booked_count: count(health.booked),
        abandoned_count: count(health.abandoned),
        failed_tool_call_count: count(health.failed_tool_calls),
        last_call_at: health.last_call_at.map(to_proto),
    }
}
