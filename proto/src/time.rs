//! Timestamps between the wire and `jiff`.

use jiff::Timestamp;
use pbjson_types::Timestamp as Wire;
use tonic::Status;

use crate::error::invalid;

/// The beginning of year 1: protobuf's first instant.
pub const YEAR_ONE: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// An instant as it travels.
#[must_use]
pub fn to_proto(at: Timestamp) -> Wire {
    Wire { seconds: at.as_second(), nanos: at.subsec_nanosecond() }
}

/// An instant between years 1 and 9999, which protobuf and Postgres both have; what clients hand
/// back as text may be any.
#[must_use]
pub fn in_range(at: Timestamp) -> Option<Timestamp> {
    (at >= YEAR_ONE).then_some(at)
}

/// Reads an optional instant, naming `field` when it is out of range.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn parse(field: &str, wire: Option<&Wire>) -> Result<Option<Timestamp>, Status> {
    wire.map(|wire| {
        let at = Timestamp::new(wire.seconds, wire.nanos).ok().and_then(in_range);
        at.ok_or_else(|| invalid(field, "is not a time between years 1 and 9999"))
    })
    .transpose()
}

/// Reads an instant that must be there.
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn required(field: &str, wire: Option<&Wire>) -> Result<Timestamp, Status> {
    parse(field, wire)?.ok_or_else(|| invalid(field, "is required"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_between_years_1_and_9999() {
        for (text, fits) in [("0001-01-01T00:00:00Z", true), ("0000-12-31T23:59:59Z", false)] {
            let wire = to_proto(text.parse().unwrap());
            assert_eq!(parse("at", Some(&wire)).is_ok(), fits, "{text}");
        }
        assert!(parse("at", Some(&Wire { seconds: i64::MAX, nanos: 0 })).is_err());
        assert_eq!(parse("at", None).unwrap(), None);
    }
}
