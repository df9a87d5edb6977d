//! Which calls are wanted, parsed once.

use jiff::civil::Date;
use proto::{
    error::invalid,
    frontdesk::telemetry::v1::{CallFilter as WireFilter, CallOutcome, CallState, MissedReason},
    parse,
};
use tonic::Status;

use crate::domain::{call_filter::CallFilter, latency, missed::Missed, outcome::Outcome, span::is_counted};

const LONGEST_WORDS: usize = 200;
const LONGEST_PLATFORM: usize = 255;

/// What a list is wanted of; nothing wants all.
pub(super) fn filter(wire: Option<WireFilter>) -> Result<CallFilter, Status> {
    let Some(wire) = wire else { return Ok(CallFilter::default()) };
    let hour = wire.hour.map(|hour| i8::try_from(hour).ok().filter(|hour| (0..24).contains(hour)));
    let filter = CallFilter {
        first: date("filter.first_date", &wire.first_date)?,
        last: date("filter.last_date", &wire.last_date)?,
        live: live(wire.state)?,
        outcomes: wire.outcomes.iter().map(|outcome| came_to(*outcome)).collect::<Result<_, _>>()?,
        platform: parse::optional_line("filter.platform", &wire.platform, LONGEST_PLATFORM)?,
        missed: missed(wire.missed_reason)?,
        wanted_booking: wire.wanted_booking,
        booked_by_team: wire.booked_by_team,
        failed_tool: wire.failed_tool,
        service: parse::optional_id("filter.service_id", &wire.service_id)?,
        service_booked: wire.service_booked,
        lookup_step: (wire.lookup_ms > 0).then(|| latency::step(wire.lookup_ms)),
        hour: hour
            .map(|hour| hour.ok_or_else(|| invalid("filter.hour", "must lie between 0 and 23")))
            .transpose()?,
        words: parse::optional_raw_text("filter.words", &wire.words, LONGEST_WORDS)?,
    };
    if filter.outcomes.len() > Outcome::ALL.len() {
        return Err(invalid("filter.outcomes", "names one twice"));
    }
    if filter.service_booked && filter.service.is_none() {
        return Err(invalid("filter.service_booked", "needs a service_id"));
    }
    if wire.lookup_ms < 0 {
        return Err(invalid("filter.lookup_ms", "must not be negative"));
    }
    if let (Some(first), Some(last)) = (filter.first, filter.last)
        && last < first
    {
        return Err(invalid("filter.last_date", "must not lie before first_date"));
    }
    Ok(filter)
}

/// A local date, or none.
pub(super) fn date(field: &str, text: &str) -> Result<Option<Date>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    let date = text.parse::<Date>().ok().filter(|date| is_counted(*date) && date.to_string() == text);
    date.map(Some).ok_or_else(|| invalid(field, "is not a date of the years 2000 to 2199, as 2026-06-01"))
}

fn live(state: i32) -> Result<Option<bool>, Status> {
    match CallState::try_from(state) {
        Ok(CallState::Unspecified) => Ok(None),
        Ok(CallState::Live) => Ok(Some(true)),
        Ok(CallState::Ended) => Ok(Some(false)),
        Ok(CallState::Unheard) | Err(_) => Err(invalid("filter.state", "is no state to filter by")),
    }
}

fn came_to(outcome: i32) -> Result<Outcome, Status> {
    match CallOutcome::try_from(outcome) {
        Ok(CallOutcome::Booked) => Ok(Outcome::Booked),
        Ok(CallOutcome::Moved) => Ok(Outcome::Moved),
        Ok(CallOutcome::Cancelled) => Ok(Outcome::Cancelled),
        Ok(CallOutcome::Answered) => Ok(Outcome::Answered),
        Ok(CallOutcome::Message) => Ok(Outcome::Message),
        Ok(CallOutcome::Transferred) => Ok(Outcome::Transferred),
        Ok(CallOutcome::Abandoned) => Ok(Outcome::Abandoned),
        Ok(CallOutcome::Unspecified) | Err(_) => Err(invalid("filter.outcomes", "has what is no outcome")),
    }
}

fn missed(reason: i32) -> Result<Option<Missed>, Status> {
    let reason =
        MissedReason::try_from(reason).map_err(|_| invalid("filter.missed_reason", "is not a reason"))?;
    Ok(Missed::ALL.into_iter().find(|missed| wire(*missed) == reason))
}

/// A reason as it travels.
pub(super) fn wire(missed: Missed) -> MissedReason {
    match missed {
        Missed::NoFreeTime => MissedReason::NoFreeTime,
        Missed::TimeTaken => MissedReason::TimeTaken,
        Missed::NotOffered => MissedReason::NotOffered,
        Missed::NotAllowed => MissedReason::NotAllowed,
        Missed::Fault => MissedReason::Fault,
        Missed::Unclear => MissedReason::Unclear,
        Missed::NotTaken => MissedReason::NotTaken,
    }
}
