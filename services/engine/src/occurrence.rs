//! A visit's place in a series.

use jiff::Timestamp;

use super::id::SeriesId;

/// A visit's place in a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Which series.
    pub series: SeriesId,
    /// Which visit of it, from 1.
    pub number: u8,
    /// Where the series has it start. A visit that starts elsewhere was moved by itself.
    pub planned_at: Timestamp,
}
