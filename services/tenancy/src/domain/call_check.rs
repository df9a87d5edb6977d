//! When calls of which no webhook told are looked for at a platform, and from where to where.

use jiff::{SignedDuration, Timestamp};

use super::{PublicationError, PublicationFault, UnreadCall, VoiceConnection, VoicePlatform};

/// How far a check reaches back behind the one before: a call is listed from its start, and taken in after its end.
const OVERLAP: SignedDuration = SignedDuration::from_hours(4);
/// The longest span of one check; after a long outage several follow each other.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);
const EVERY: SignedDuration = SignedDuration::from_mins(5);
/// How long after its end a call is left to its webhooks.
const SETTLED: SignedDuration = SignedDuration::from_mins(3);
/// When a check that failed here is repeated.
const AGAIN: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_CALL_ID: usize = 100;
/// How long to wait before the next attempt where a person must act first.
const HOPELESS: SignedDuration = SignedDuration::from_hours(1);

/// From where to where calls are looked for, by their start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// From here
    pub since: Timestamp,
    /// to here.
    pub until: Timestamp,
}

impl Span {
    /// What a check covers that goes on from `seen_until`; calls from before `first` are not the salon's here.
    #[must_use]
    pub fn after(seen_until: Timestamp, first: Timestamp, now: Timestamp) -> Self {
        Self {
            since: (seen_until - OVERLAP).max(first),
            until: (seen_until + LONGEST).min(now).max(seen_until),
        }
    }
}

/// When calls are looked for next after a check that covered all up to `until`: at once while there is more to catch up.
#[must_use]
pub fn next_call_check(until: Timestamp, now: Timestamp) -> Timestamp {
    if now.duration_since(until) > EVERY { now } else { now + EVERY }
}

/// When a check is repeated that did not keep all it found.
#[must_use]
pub fn next_after_ours(now: Timestamp) -> Timestamp {
    now + AGAIN
}

/// When to ask a platform again after this many failures in a row.
#[must_use]
pub fn next_after(fault: &PublicationFault, failures: i32, now: Timestamp) -> Timestamp {
    now + fault.pause(failures).unwrap_or(HOPELESS)
}

/// Whether a platform's id of a call can be kept: any other is passed over.
#[must_use]
pub fn is_call_id(id: &str) -> bool {
    let length = id.chars().count();
    (1..=LONGEST_CALL_ID).contains(&length) && !id.contains(char::is_control)
}

/// Whether a call that ended then is left to its webhooks no longer.
#[must_use]
pub fn has_settled(ended: Timestamp, now: Timestamp) -> bool {
    now.duration_since(ended) >= SETTLED
}

/// How calls are looked for over a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallCheckStatus {
    /// When they were last looked for.
    pub checked_at: Option<Timestamp>,
    /// Calls that were taken in so.
    pub taken: i32,
    /// When the latest of them was.
    pub taken_at: Option<Timestamp>,
    /// When they are looked for next.
    pub due_at: Option<Timestamp>,
    /// What went wrong last.
    pub error: Option<PublicationError>,
    /// The latest of the calls that were given up.
    pub unread: Vec<UnreadCall>,
    /// How many there are of them.
    pub unread_count: i64,
    /// When the latest of them was asked for last.
    pub unread_at: Option<Timestamp>,
}

impl CallCheckStatus {
    /// Whether calls are looked for, or have been.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.due_at.is_some() || self.checked_at.is_some()
    }
}

impl VoiceConnection {
    /// Whether its platform can be asked for its calls.
    #[must_use]
    pub fn lists_calls(&self) -> bool {
        match self.platform {
            VoicePlatform::Twilio => !self.account.is_empty(),
            VoicePlatform::Retell | VoicePlatform::Vapi | VoicePlatform::ElevenLabs => {
                self.takes_no_publication().is_none()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_780_300_800 + 60 * minutes).unwrap()
    }

    #[test]
    fn a_look_reaches_back_over_the_one_before_and_never_behind_the_connection() {
        assert_eq!(Span::after(at(600), at(0), at(605)), Span { since: at(360), until: at(605) });
        assert_eq!(Span::after(at(60), at(0), at(65)), Span { since: at(0), until: at(65) });
        // A clock that was set back leaves an empty span, and no check is skipped later.
        assert_eq!(Span::after(at(60), at(0), at(50)), Span { since: at(0), until: at(60) });
    }

    #[test]
    fn what_a_person_must_put_right_is_asked_for_hourly_and_the_rest_sooner() {
        assert_eq!(next_after(&PublicationFault::ApiKey, 9, at(0)), at(60));
        let down = PublicationFault::Unreachable("it is down".to_owned());
        assert_eq!(next_after(&down, 1, at(0)).duration_since(at(0)).as_secs(), 10);
        assert!(!has_settled(at(0), at(2)) && has_settled(at(0), at(3)));
    }

    #[test]
    fn an_id_that_is_empty_too_long_or_no_text_is_passed_over() {
        assert!(is_call_id("call_1") && is_call_id(&"ü".repeat(100)));
        for id in ["", "call\0", "a\nb", &"c".repeat(101)] {
            assert!(!is_call_id(id), "{id:?}");
        }
    }

    proptest! {
        /// However long it was away, checks that follow each other leave no minute out, and end less than a turn ago.
        #[test]
        fn checks_after_an_outage_cover_it_whole(away in 0_i64..30_000) {
            let now = at(away);
            let mut seen = at(0);
            for checks in 0.. {
                let span = Span::after(seen, at(-10_000), now);
                prop_assert!(span.since <= seen && span.until >= seen, "nothing is left out");
                seen = span.until;
                if next_call_check(seen, now) > now {
                    break;
                }
                prop_assert!(checks < 25, "each check covers a day");
            }
            prop_assert!(now.duration_since(seen) <= EVERY);
        }
    }
}
