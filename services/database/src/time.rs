//! Instants between jiff and the driver.

use chrono::{DateTime, Utc};
use jiff::Timestamp;

/// As Postgres keeps it: cut to the microsecond.
///
/// # Panics
/// Never: chrono's range is wider than jiff's.
#[must_use]
pub fn to_db(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.as_microsecond()).expect("chrono's range is wider than jiff's")
}

/// From Postgres; what lies beyond jiff's range, such as `infinity`, becomes its nearest end.
#[must_use]
pub fn from_db(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from_microsecond(at.timestamp_micros()).unwrap_or(if at.timestamp() < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_comes_back_to_the_microsecond() {
        let at: Timestamp = "2026-03-29T00:59:59.123456789Z".parse().unwrap();
        assert_eq!(from_db(to_db(at)), "2026-03-29T00:59:59.123456Z".parse().unwrap());
        for end in [Timestamp::MIN, Timestamp::MAX] {
            assert_eq!(from_db(to_db(end)).as_microsecond(), end.as_microsecond());
        }
    }

    #[test]
    fn an_instant_before_the_epoch_keeps_its_place() {
        let at: Timestamp = "1969-12-31T23:59:59.999999Z".parse().unwrap();
        assert_eq!(from_db(to_db(at)), at);
    }
}
