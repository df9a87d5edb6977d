//! How much time a caller leaves a call.

use core::time::Duration;
use std::time::Instant;

use tonic::metadata::MetadataMap;

/// Metadata key of the remaining time, as gRPC defines it.
pub const DEADLINE_HEADER: &str = "grpc-timeout";

/// Until when the caller waits, if it says so.
pub(crate) fn deadline(metadata: &MetadataMap) -> Option<Instant> {
    Instant::now().checked_add(parse_timeout(metadata.get(DEADLINE_HEADER)?.to_str().ok()?)?)
}

/// Reads a `grpc-timeout`: at most eight digits and a unit.
#[must_use]
pub fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(amount.checked_mul(3600)?),
        "M" => Duration::from_secs(amount.checked_mul(60)?),
        "S" => Duration::from_secs(amount),
        "m" => Duration::from_millis(amount),
        "u" => Duration::from_micros(amount),
        "n" => Duration::from_nanos(amount),
        _ => return None,
    })
}
