//! What comes of a call.

/// What came of a call, the weightiest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The caller hung up without a word.
    Abandoned,
    /// The caller got answers and nothing else.
    Answered,
    /// The caller left a message.
    Message,
    /// The caller was put through to a person.
    Transferred,
    /// An appointment was cancelled.
    Cancelled,
    /// An appointment was moved.
    Moved,
    /// An appointment was booked.
    Booked,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 7] = [
        Self::Abandoned,
        Self::Answered,
        Self::Message,
        Self::Transferred,
        Self::Cancelled,
        Self::Moved,
        Self::Booked,
    ];

    /// Its name in the database and in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Abandoned => "ABANDONED",
            Self::Answered => "ANSWERED",
            Self::Message => "MESSAGE",
            Self::Transferred => "TRANSFERRED",
            Self::Cancelled => "CANCELLED",
            Self::Moved => "MOVED",
            Self::Booked => "BOOKED",
        }
    }

    /// The outcome of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// What an ended call came to: the weightiest of what its tools claim, of how the platform says it ended, of
    /// whether the caller was put through, and of whether they spoke.
    #[must_use]
    pub fn decide(claim: Option<Self>, disconnection: Option<&str>, transferred: bool, spoke: bool) -> Self {
        let spoken = if spoke { Self::Answered } else { Self::Abandoned };
        let transferred = transferred.then_some(Self::Transferred);
        let known = [claim, disconnection.and_then(of_disconnection), transferred];
        known.into_iter().flatten().fold(spoken, Self::max)
    }
}

/// The reasons by which Retell, Vapi and ElevenLabs say that the call went on with a person.
fn of_disconnection(reason: &str) -> Option<Outcome> {
    let transferred = matches!(reason, "call_transfer" | "assistant-forwarded-call" | "transferred");
    transferred.then_some(Outcome::Transferred)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_call_is_abandoned_and_a_spoken_one_answered() {
        assert_eq!(Outcome::decide(None, Some("user_hangup"), false, false), Outcome::Abandoned);
        assert_eq!(Outcome::decide(None, Some("user_hangup"), false, true), Outcome::Answered);
    }

    #[test]
    fn what_a_tool_did_outweighs_how_the_call_ended() {
        assert_eq!(
            Outcome::decide(Some(Outcome::Booked), Some("call_transfer"), true, true),
            Outcome::Booked
        );
        assert_eq!(
            Outcome::decide(Some(Outcome::Answered), Some("call_transfer"), false, true),
            Outcome::Transferred
        );
        assert_eq!(Outcome::decide(Some(Outcome::Message), None, false, false), Outcome::Message);
        let unanswered = Outcome::decide(Some(Outcome::Message), Some("completed"), true, true);
        assert_eq!(unanswered, Outcome::Transferred, "a caller who spoke with a person was put through");
    }

    #[test]
    fn booking_outweighs_moving_outweighs_cancelling_outweighs_a_message() {
        let mut ranked =
            [Outcome::Message, Outcome::Booked, Outcome::Answered, Outcome::Moved, Outcome::Cancelled];
        ranked.sort_unstable();
        ranked.reverse();
        let expected =
            [Outcome::Booked, Outcome::Moved, Outcome::Cancelled, Outcome::Message, Outcome::Answered];
        assert_eq!(ranked, expected);
    }

    #[test]
    fn a_name_gives_its_outcome_back() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::parse(outcome.name()), Some(outcome));
        }
        assert_eq!(Outcome::parse("LOST"), None);
    }
}
