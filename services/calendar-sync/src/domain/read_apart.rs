//! Connections to booking systems whose employees are read one by one for a while, because reading them together failed.

use core::time::Duration;
use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::{ConnectionId, pause};

/// How long after the first time: shorter than between two readings.
const FIRST: Duration = Duration::from_secs(30);
/// How long a failure is remembered.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(1);

/// The connections.
#[derive(Debug, Default)]
pub struct ReadApart(HashMap<ConnectionId, Failed>);

#[derive(Debug)]
struct Failed {
    times: i32,
    until: Timestamp,
}

impl ReadApart {
    /// The employees of a connection could not be read together.
    pub fn failed(&mut self, connection: ConnectionId, now: Timestamp) {
        self.0.retain(|_, failed| now.duration_since(failed.until) < REMEMBERED);
        let failed = self.0.entry(connection).or_insert(Failed { times: 0, until: now });
        failed.times = failed.times.saturating_add(1);
        failed.until = now + SignedDuration::try_from(pause::after(failed.times, FIRST)).unwrap_or_default();
    }

    /// They were.
    pub fn succeeded(&mut self, connection: ConnectionId) {
        self.0.remove(&connection);
    }

    /// The connections whose employees are read one by one now.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Vec<ConnectionId> {
        let apart = self.0.iter().filter(|(_, failed)| now < failed.until);
        apart.map(|(connection, _)| *connection).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn seconds(seconds: i64) -> Timestamp {
        NOW + SignedDuration::from_secs(seconds)
    }

    #[test]
    fn employees_are_read_one_by_one_for_longer_each_time_until_they_were_read_together() {
        let (connection, mut apart) = (ConnectionId(Uuid::from_u128(1)), ReadApart::default());
        apart.failed(connection, NOW);
        assert_eq!((apart.at(seconds(29)), apart.at(seconds(30))), (vec![connection], vec![]));
        apart.failed(connection, seconds(30));
        assert_eq!((apart.at(seconds(89)), apart.at(seconds(90))), (vec![connection], vec![]));
        apart.succeeded(connection);
        assert_eq!(apart.at(seconds(31)), []);
        apart.failed(connection, seconds(90));
        assert_eq!(apart.at(seconds(120)), []);
    }

    #[test]
    fn an_old_failure_is_forgotten() {
        let mut apart = ReadApart::default();
        apart.failed(ConnectionId(Uuid::from_u128(1)), NOW);
        apart.failed(ConnectionId(Uuid::from_u128(2)), seconds(3_629));
        assert_eq!(apart.0.len(), 2);
        apart.failed(ConnectionId(Uuid::from_u128(2)), seconds(3_630));
        assert_eq!(apart.0.len(), 1);
    }
}
