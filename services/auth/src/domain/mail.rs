//! Mails, and how long it is tried to send one.

use core::fmt;

use jiff::SignedDuration;

use super::email::Email;

/// A mail that takes longer is given up: the links in it have long expired.
const LIFE: SignedDuration = SignedDuration::from_hours(24);
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(2);
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(10);

/// A mail of plain text.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// Whom it goes to.
    pub to: Email,
    /// One line.
    pub subject: String,
    /// What it says; links and codes in it are secret.
    pub text: String,
}

// Neither addresses nor links go into logs.
impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mail(…)")
    }
}

/// Why a mail was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It may be taken later.
    ForNow(String),
    /// It never will be.
    ForGood(String),
}

impl Refusal {
    /// What happened, without address or content.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::ForNow(reason) | Self::ForGood(reason) => reason,
        }
    }

    /// How long to wait before the next attempt, of a mail that is `age` old and was tried
    /// `attempts` times; `None` gives it up.
    #[must_use]
    pub fn pause(&self, attempts: u32, age: SignedDuration) -> Option<SignedDuration> {
        match self {
            Self::ForGood(_) => None,
            Self::ForNow(_) if age >= LIFE => None,
            Self::ForNow(_) => {
                let doublings = 1_i32 << attempts.saturating_sub(1).min(16);
                Some((FIRST_PAUSE * doublings).min(LONGEST_PAUSE))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH: SignedDuration = SignedDuration::ZERO;

    #[test]
    fn the_pauses_double_up_to_ten_minutes() {
        let refusal = Refusal::ForNow("451".to_owned());
        let seconds = |attempts| refusal.pause(attempts, FRESH).unwrap().as_secs();
        assert_eq!([1, 2, 3, 4].map(seconds), [2, 4, 8, 16]);
        assert_eq!([9, 10, 11, u32::MAX].map(seconds), [512, 600, 600, 600]);
    }

    #[test]
    fn a_mail_is_given_up_when_it_is_refused_for_good_or_a_day_old() {
        let for_now = Refusal::ForNow("451".to_owned());
        assert_eq!(Refusal::ForGood("550".to_owned()).pause(1, FRESH), None);
        assert_eq!(for_now.pause(3, LIFE), None);
        assert!(for_now.pause(3, LIFE - SignedDuration::from_secs(1)).is_some());
    }

    #[test]
    fn printing_a_mail_shows_nothing_of_it() {
        let to = Email::parse("owner@demo.test").unwrap();
        let mail = Mail { to, subject: "Hello".to_owned(), text: "secret".to_owned() };
        assert_eq!(format!("{mail:?}"), "Mail(…)");
    }
}
