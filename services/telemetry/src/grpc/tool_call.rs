//! How a run of a tool was answered, parsed once.

use proto::{
    error::invalid,
    frontdesk::telemetry::{internal::v1::FinishToolCallRequest, v1::CallOutcome},
    parse,
};
use tonic::Status;

use super::delivery::{MAX_BODY, MAX_NAME, natural};
use crate::domain::{
    outcome::Outcome,
    tool_call::{Answer, Effect},
};

/// What was read from a body is no longer than a body may be: a long call must not be lost.
const MAX_JSON: usize = MAX_BODY;

/// How a run was answered, and what it found or did.
pub(super) fn answer(wire: FinishToolCallRequest) -> Result<(Answer, Effect), Status> {
    let name = parse::optional_raw_text("customer_name", &wire.customer_name, MAX_NAME)?;
    let customer = parse::optional_id("customer_id", &wire.customer_id)?;
    let effect = Effect {
        customer: customer.map(|id| (id, name.unwrap_or_default())),
        appointment: parse::optional_id("appointment_id", &wire.appointment_id)?,
        outcome: outcome(wire.outcome)?,
    };
    let result = json("result", wire.result)?;
    Ok((Answer { result, ok: wire.ok, latency_ms: natural("latency_ms", wire.latency_ms)? }, effect))
}

fn outcome(wire: i32) -> Result<Option<Outcome>, Status> {
    let refused = || invalid("outcome", "is not an outcome");
    match CallOutcome::try_from(wire).map_err(|_| refused())? {
        CallOutcome::Unspecified => Ok(None),
        known => {
            let name = known.as_str_name().trim_start_matches("CALL_OUTCOME_");
            Outcome::parse(name).map(Some).ok_or_else(refused)
        }
    }
}

/// JSON, kept as it was sent.
pub(super) fn json(field: &str, text: String) -> Result<String, Status> {
    if text.len() > MAX_JSON {
        return Err(invalid(field, "is larger than 2 MiB"));
    }
    match serde_json::from_str::<serde::de::IgnoredAny>(&text) {
        // Postgres keeps no NUL, and JSON needs none: it writes one as an escape.
        Ok(_) if !text.contains('\0') => Ok(text),
        _ => Err(invalid(field, "is not JSON")),
    }
}
