//! Channels that Google pushes hints through.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// How long one is asked for; Google grants no more.
pub const LIFE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long before its end the next one is opened: both push meanwhile.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);
/// When it is tried again, where none could be opened.
pub const LOOK_AGAIN: SignedDuration = SignedDuration::from_mins(10);

/// An open channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its id, which we chose.
    pub id: Uuid,
    /// What Google calls the events that it watches.
    pub resource_id: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl Channel {
    /// When the next one is opened: a day before its end, or halfway where it lives shorter than that.
    #[must_use]
    pub fn renewed_at(&self, now: Timestamp) -> Timestamp {
        let left = self.expires_at.duration_since(now);
        if left > OVERLAP * 2 { self.expires_at - OVERLAP } else { now + left / 2 }
    }

    /// Whether it lasts long enough that none has to be opened yet.
    #[must_use]
    pub fn lasts(&self, now: Timestamp) -> bool {
        self.expires_at.duration_since(now) > OVERLAP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_channel_is_opened_before_this_one_ends() {
        let now = Timestamp::UNIX_EPOCH;
        let lasting = |hours| Channel {
            id: Uuid::nil(),
            resource_id: String::new(),
            expires_at: now + SignedDuration::from_hours(hours),
        };
        let after = |channel: &Channel| channel.renewed_at(now).duration_since(now).as_hours();
        assert_eq!([168, 49, 48, 2].map(|hours| after(&lasting(hours))), [144, 25, 24, 1]);
        assert!(lasting(25).lasts(now) && !lasting(24).lasts(now));
    }
}
