//! Timestamps between the wire and `jiff`.

use jiff::Timestamp;
use pbjson_types::Timestamp as Wire;
use tonic::Status;

use crate::error::invalid;

/// An instant as it travels.
#[must_use]
pub fn to_proto(at: Timestamp) -> Wire {
    Wire { seconds: at.as_second(), nanos: at.subsec_nanosecond() }
}

/// Reads an optional instant, naming `field` when it is out of range.
///
/// # Errors
/// INVALID_ARGUMENT.
pub fn parse(field: &str, wire: Option<&Wire>) -> Result<Option<Timestamp>, Status> {
    wire.map(|wire| {
        Timestamp::new(wire.seconds, wire.nanos)
            .map_err(|_| invalid(field, "is not a time between years 1 and 9999"))
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
