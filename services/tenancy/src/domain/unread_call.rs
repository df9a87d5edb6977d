//! A call that a platform lists and does not tell: it is asked for some times, and then no more, so that it does not keep
//! newer ones from being looked for.

use jiff::{SignedDuration, Timestamp};

/// Attempts at a call, the last one half a day after the first: half of what one check covers.
const MOST_ATTEMPTS: i32 = 12;
const FIRST_WAIT: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(3);
/// How long one that was given up is shown.
const SHOWN: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadCall {
    /// The platform's id.
    pub id: String,
    /// Attempts so far.
    pub attempts: i32,
    /// What the platform answered last.
    pub reason: String,
    /// When it was asked last.
    pub at: Timestamp,
    /// When it is asked again; `None` once the call is given up.
    pub next: Option<Timestamp>,
}

impl UnreadCall {
    /// After one more attempt, which may go better later.
    #[must_use]
    pub fn failed(id: &str, attempts_before: i32, reason: String, now: Timestamp) -> Self {
        let attempts = attempts_before.saturating_add(1);
        let doublings = attempts.clamp(1, 16) - 1;
        let wait = FIRST_WAIT.saturating_mul(1 << doublings).min(LONGEST_WAIT);
        let next = (attempts < MOST_ATTEMPTS).then(|| now + wait);
        Self { id: id.to_owned(), attempts, reason, at: now, next }
    }

    /// After an attempt that would end the same way every time.
    #[must_use]
    pub fn given_up(id: &str, attempts_before: i32, reason: String, now: Timestamp) -> Self {
        let attempts = attempts_before.saturating_add(1);
        Self { id: id.to_owned(), attempts, reason, at: now, next: None }
    }

    /// Whether it is left alone at this time.
    #[must_use]
    pub fn rests(&self, now: Timestamp) -> bool {
        self.next.is_none_or(|next| next > now)
    }
}

/// Calls that were given up before are no longer shown.
#[must_use]
pub fn shown_since(now: Timestamp) -> Timestamp {
    now - SHOWN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_asked_for_ever_later_and_given_up_long_before_newer_ones_are_missed() {
        let start = Timestamp::from_second(1_780_300_800).unwrap();
        let mut call = UnreadCall::failed("c", 0, "503".to_owned(), start);
        while let Some(next) = call.next {
            assert!(call.rests(next - SignedDuration::from_secs(1)) && !call.rests(next));
            let wait = next.duration_since(call.at);
            assert!((FIRST_WAIT..=LONGEST_WAIT).contains(&wait), "{wait}");
            call = UnreadCall::failed("c", call.attempts, "503".to_owned(), next);
        }
        assert_eq!(call.attempts, MOST_ATTEMPTS);
        let lasted = call.at.duration_since(start);
        assert!(
            lasted > SignedDuration::from_hours(12) && lasted < SignedDuration::from_hours(18),
            "{lasted}"
        );
        assert!(call.rests(call.at + SHOWN));
        assert_eq!(UnreadCall::given_up("c", 0, "400".to_owned(), start).next, None);
    }
}
