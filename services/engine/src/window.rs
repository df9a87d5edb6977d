//! From when and until when something may be done.

use jiff::Timestamp;

/// When something may be done, as far as time decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    /// Not before; `None` means at once.
    pub from: Option<Timestamp>,
    /// Only before; `None` means for good.
    pub until: Option<Timestamp>,
}

/// It is too early or too late for this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Untimely {
    /// The window opens at this instant.
    #[error("this is possible from {0} on")]
    NotYet(Timestamp),
    /// The window closed at this instant.
    #[error("this was possible until {0}")]
    NoLonger(Timestamp),
}

impl Window {
    /// Open from `from` on.
    #[must_use]
    pub fn from(from: Timestamp) -> Self {
        Self { from: Some(from), until: None }
    }

    /// Open until `until`.
    #[must_use]
    pub fn until(until: Timestamp) -> Self {
        Self { from: None, until: Some(until) }
    }

    /// Checks that it is open.
    ///
    /// # Errors
    /// [`Untimely`], with the bound that `now` lies beyond.
    pub fn check(self, now: Timestamp) -> Result<(), Untimely> {
        match self {
            Self { from: Some(from), .. } if now < from => Err(Untimely::NotYet(from)),
            Self { until: Some(until), .. } if until <= now => Err(Untimely::NoLonger(until)),
            Self { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_its_first_instant_and_not_its_last() {
        let [before, first, inside, last] =
            [0, 1, 2, 3].map(|second| Timestamp::from_second(second).unwrap());
        let window = Window { from: Some(first), until: Some(last) };
        let checked = [before, first, inside, last].map(|now| window.check(now));
        assert_eq!(checked, [Err(Untimely::NotYet(first)), Ok(()), Ok(()), Err(Untimely::NoLonger(last))]);
        assert!(Window::default().check(before).is_ok());
    }
}
