//! Chats in which a person tries the agent.

use jiff::{SignedDuration, Timestamp};

use super::ReadyAgent;

typed_id::typed_id! {
    /// A chat with the agent.
    AgentChatId,
}

/// A model costs money: one person starts at most so many within an hour.
const MOST_IN_AN_HOUR: usize = 60;
const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// How long it can be gone on with.
const LIFE: SignedDuration = SignedDuration::from_hours(24);

/// A chat with the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentChat {
    /// Unique in the installation.
    pub id: AgentChatId,
    /// Who talks, as the audit trail names them.
    pub by: String,
    /// When it started.
    pub at: Timestamp,
    /// Whether it runs on the draft.
    pub draft: bool,
    /// What it runs on, to its end.
    pub agent: ReadyAgent,
}

/// A person started as many chats as they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("you have started {MOST_IN_AN_HOUR} chats within an hour")]
pub struct TooManyChats {
    /// When one more may be started.
    pub wait: SignedDuration,
}

impl AgentChat {
    /// From when on chats count for who starts one at `now`.
    #[must_use]
    pub fn counted_since(now: Timestamp) -> Timestamp {
        now - HOUR
    }

    /// From when on chats can be gone on with at `now`.
    #[must_use]
    pub fn open_since(now: Timestamp) -> Timestamp {
        now - LIFE
    }

    /// Whether one more may be started at `now` by who started some at `recent`, the latest first.
    ///
    /// # Errors
    /// [`TooManyChats`].
    pub fn may_start(recent: &[Timestamp], now: Timestamp) -> Result<(), TooManyChats> {
        match recent.get(MOST_IN_AN_HOUR - 1) {
            Some(earliest) => Err(TooManyChats { wait: HOUR - now.duration_since(*earliest) }),
            None => Ok(()),
        }
    }

    /// As many as decide whether one more may be started.
    #[must_use]
    pub fn most_counted() -> i64 {
        i64::try_from(MOST_IN_AN_HOUR).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hour_s_last_chat_waits_for_its_first() {
        let now: Timestamp = "2026-06-01T09:00:00Z".parse().unwrap();
        let minutes = |count: i64| -> Vec<Timestamp> {
            (0..count).map(|minute| now - SignedDuration::from_secs(50 * minute)).collect()
        };
        assert_eq!(AgentChat::may_start(&minutes(59), now), Ok(()));
        let wait = SignedDuration::from_secs(3600 - 59 * 50);
        assert_eq!(AgentChat::may_start(&minutes(60), now), Err(TooManyChats { wait }));
    }
}
