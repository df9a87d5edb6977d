//! A live call that a person takes over from its page.

use jiff::{SignedDuration, Timestamp};

use super::call::{Call, CallState, TakenOver};

/// How long a telephone rings, and a little more: after that another may try.
const RINGS: SignedDuration = SignedDuration::from_secs(60);

/// Why no person can take a call over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hindrance {
    /// It has ended.
    Ended,
    /// It is being put through already.
    UnderWay,
    /// The published agent has no number to pass callers on to.
    NoNumber,
    /// The platform has no API that puts a live call through.
    Platform,
    /// There is no key, or no account, for the platform's API.
    NoApiKey,
}

impl Call {
    /// Why it can't be taken over now, as far as the call itself says.
    #[must_use]
    pub fn hinders_take_over(&self, now: Timestamp) -> Option<Hindrance> {
        let rings = self.taken_over.as_ref().is_some_and(|taken| now.duration_since(taken.at) < RINGS);
        match self.state() {
            CallState::Ended { .. } => Some(Hindrance::Ended),
            CallState::Live if rings => Some(Hindrance::UnderWay),
            CallState::Live => None,
        }
    }

    /// The call, taken over. The time is as precise as the database keeps it, so that the call equals what is read back.
    #[must_use]
    pub fn taken_over(self, by: &str, at: Timestamp) -> Self {
        let at = Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at);
        Self { taken_over: Some(TakenOver { by: by.to_owned(), at }), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::facts::{End, Facts};

    #[test]
    fn one_person_takes_a_live_call_over_at_a_time() {
        let at = |second: i64| Timestamp::from_second(1_780_000_000 + second).unwrap();
        let live = Call::seen_at(crate::domain::CallId(uuid::Uuid::nil()), at(0));
        assert_eq!(live.hinders_take_over(at(1)), None);
        let taken = live.clone().taken_over("user:1", at(1));
        assert_eq!(taken.hinders_take_over(at(60)), Some(Hindrance::UnderWay));
        assert_eq!(taken.hinders_take_over(at(61)), None, "no one answered");
        let end = End { seen: at(9), reported: None };
        let ended = taken.learn(Facts { ended: Some(end), ..Facts::seen_at(at(9)) });
        assert_eq!(ended.hinders_take_over(at(10)), Some(Hindrance::Ended));
    }

    #[test]
    fn the_time_is_kept_to_the_microsecond() {
        let now: Timestamp = "2026-05-28T20:26:40.123456789Z".parse().unwrap();
        let live = Call::seen_at(crate::domain::CallId(uuid::Uuid::nil()), now);
        let kept: Timestamp = "2026-05-28T20:26:40.123456Z".parse().unwrap();
        assert_eq!(live.taken_over("user:1", now).taken_over.unwrap().at, kept);
    }
}
