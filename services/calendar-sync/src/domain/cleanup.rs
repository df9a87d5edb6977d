//! Taking what Frontdesk wrote out of calendars that are being disconnected.

use caller::UserId;
use jiff::Timestamp;

use super::calendar::Calendar;

/// What becomes of the appointments to come in a calendar that is disconnected. Past ones stay as its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// They are taken out first.
    TakenOut,
    /// They stay there.
    Left,
}

/// How a calendar stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is kept in step.
    Connected,
    /// It is being disconnected: appointments are taken out of it.
    CleanedUp,
    /// It is forgotten with its next turn.
    Left,
}

impl Standing {
    /// How one stands that is leaving, or is not, and that appointments are taken out of, or are not.
    #[must_use]
    pub fn of(leaving: bool, cleaned_up: bool) -> Self {
        match (leaving, cleaned_up) {
            (false, _) => Self::Connected,
            (true, true) => Self::CleanedUp,
            (true, false) => Self::Left,
        }
    }
}

/// How far taking appointments out is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleanup {
    /// Since when.
    pub begun_at: Timestamp,
    /// How many there were.
    pub events: i32,
    /// How many are still there.
    pub left: i32,
    /// Those of them that were refused: they wait for a person.
    pub refused: i32,
    /// Why the last attempt failed.
    pub fault: Option<String>,
}

impl Cleanup {
    /// Both as one, as of the calendars of one booking system.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            begun_at: self.begun_at.min(other.begun_at),
            events: self.events.saturating_add(other.events),
            left: self.left.saturating_add(other.left),
            refused: self.refused.saturating_add(other.refused),
            fault: self.fault.or(other.fault),
        }
    }
}

/// A calendar that appointments are taken out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndingCalendar {
    /// The calendar.
    pub calendar: Calendar,
    /// How far that is.
    pub cleanup: Cleanup,
    /// Whose account at its provider it is in, where that person consents.
    pub account_of: Option<UserId>,
    /// Whether that consent is missing.
    pub authorization_required: bool,
    /// Whether that consent is being withdrawn.
    pub access_withdrawn: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_out_of_several_calendars_of_a_system_is_counted_together() {
        let cleanup = |begun, left, fault: Option<&str>| Cleanup {
            begun_at: Timestamp::from_second(begun).unwrap(),
            events: 10,
            left,
            refused: 1,
            fault: fault.map(str::to_owned),
        };
        let both = cleanup(5, 3, None).with(cleanup(2, 4, Some("it does not answer")));
        let expected = Cleanup { events: 20, refused: 2, ..cleanup(2, 7, Some("it does not answer")) };
        assert_eq!(both, expected);
    }
}
