//! Calls as lines of a file.

use jiff::{Timestamp, tz::TimeZone};
use proto::csv::line;

use crate::domain::{
    call::{CallState, Listed},
    excerpt::excerpt,
};

/// Bytes of a summary in a line: a page stays far below the largest message between services.
const SHOWN_OF_SUMMARY: usize = 1_000;

/// The names of the columns.
pub(super) fn heads() -> String {
    line(&[
        "Started",
        "Minutes",
        "State",
        "Outcome",
        "No booking because",
        "Caller",
        "Customer",
        "Failed look-ups",
        "Platform",
        "Agent version",
        "Summary",
        "Booked by the team",
        "Appointments",
        "Call",
    ])
}

/// A call, its times by the business's clock.
pub(super) fn of(call: &Listed, zone: &TimeZone, now: Timestamp) -> String {
    let started = zone.to_datetime(call.started_at).strftime("%Y-%m-%d %H:%M:%S").to_string();
    let (state, minutes, outcome) = match call.state {
        CallState::Live if call.is_unheard(now) => ("UNHEARD", String::new(), ""),
        CallState::Live => ("LIVE", String::new(), ""),
        CallState::Ended { at, outcome } => {
            let tenths = at.duration_since(call.started_at).as_secs() / 6;
            ("ENDED", format!("{}.{}", tenths / 10, tenths % 10), outcome.name())
        }
    };
    let appointments: Vec<String> =
        call.appointments.iter().chain(&call.team_appointments).map(ToString::to_string).collect();
    line(&[
        &started,
        &minutes,
        state,
        outcome,
        call.missed.map_or("", |missed| missed.name()),
        // Without its plus sign, which begins a formula.
        call.from.as_ref().map_or("", |number| number.as_str().trim_start_matches('+')),
        call.customer.as_ref().map_or("", |(_, name)| name),
        &call.failed_runs.to_string(),
        call.platform.as_deref().unwrap_or_default(),
        &call.agent_version.to_string(),
        &excerpt(call.summary.clone().unwrap_or_default(), SHOWN_OF_SUMMARY),
        if call.booked_by_team { "YES" } else { "" },
        &appointments.join(" "),
        &call.id.to_string(),
    ])
}
