//! Why a call led to no booking.

use serde::{Deserialize, Serialize};

use super::tool_call::is_fault;

/// What a tool on the way to a booking came to, other than a booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Missed {
    /// There was no free time.
    NoFreeTime,
    /// Another took the time meanwhile, or it was kept no longer.
    TimeTaken,
    /// The salon does not offer the requested service.
    NotOffered,
    /// The salon's rules did not allow it.
    NotAllowed,
    /// The book could not be reached.
    Fault,
    /// The agent had to ask again.
    Unclear,
    /// Times were offered, and the caller took none.
    NotTaken,
}

impl Missed {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::NoFreeTime,
        Self::TimeTaken,
        Self::NotOffered,
        Self::NotAllowed,
        Self::Fault,
        Self::Unclear,
        Self::NotTaken,
    ];

    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoFreeTime => "NO_FREE_TIME",
            Self::TimeTaken => "TIME_TAKEN",
            Self::NotOffered => "NOT_OFFERED",
            Self::NotAllowed => "NOT_ALLOWED",
            Self::Fault => "FAULT",
            Self::Unclear => "UNCLEAR",
            Self::NotTaken => "NOT_TAKEN",
        }
    }

    /// The reason of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|missed| missed.name() == name)
    }

    /// What a refusal of a booking tool amounts to; `reason` is the contract's.
    #[must_use]
    pub fn of_refusal(reason: &str) -> Self {
        match reason {
            _ if is_fault(reason) => Self::Fault,
            "SLOT_TAKEN" | "HOLD_GONE" | "TOO_MANY_HOLDS" => Self::TimeTaken,
            "NOT_FOUND" => Self::NotOffered,
            "INVALID_FIELD" => Self::Unclear,
            _ => Self::NotAllowed,
        }
    }
}

#[cfg(test)]
mod tests {
    use proto::error::Reason;

    use super::*;

    #[test]
    fn a_booking_is_missed_by_a_fault_where_the_look_up_counts_as_failed() {
        let reasons: Vec<Reason> = (0_i32..200).filter_map(|number| Reason::try_from(number).ok()).collect();
        assert!(reasons.contains(&Reason::Busy));
        for reason in reasons {
            assert_eq!(Missed::of_refusal(reason.name()) == Missed::Fault, reason.is_fault(), "{reason:?}");
        }
    }
}
