//! A stretch of time.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// From one instant up to, and without, another; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    starts_at: Timestamp,
    ends_at: Timestamp,
}

impl Span {
    /// The instant `at` alone.
    #[must_use]
    pub fn at(at: Timestamp) -> Self {
        Self::new(at, at + SignedDuration::from_nanos(1)).expect("it ends later")
    }

    /// A span, unless it would be empty.
    #[must_use]
    pub fn new(starts_at: Timestamp, ends_at: Timestamp) -> Option<Self> {
        (starts_at < ends_at).then_some(Self { starts_at, ends_at })
    }

    /// Its first instant.
    #[must_use]
    pub fn starts_at(self) -> Timestamp {
        self.starts_at
    }

    /// The first instant after it.
    #[must_use]
    pub fn ends_at(self) -> Timestamp {
        self.ends_at
    }

    /// How long it is.
    #[must_use]
    pub fn length(self) -> SignedDuration {
        self.ends_at.duration_since(self.starts_at)
    }

    /// Whether the two share an instant.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.starts_at < other.ends_at && other.starts_at < self.ends_at
    }

    /// What the two share.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        Self::new(self.starts_at.max(other.starts_at), self.ends_at.min(other.ends_at))
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { starts_at: self.starts_at.min(other.starts_at), ends_at: self.ends_at.max(other.ends_at) }
    }

    /// Cut at each of `instants` that lies inside; they must ascend.
    #[must_use]
    pub fn cut_at(self, instants: impl IntoIterator<Item = Timestamp>) -> Vec<Self> {
        let mut pieces = vec![];
        let mut rest = self;
        for instant in instants {
            if let (Some(piece), Some(remainder)) =
                (Self::new(rest.starts_at, instant), Self::new(instant, rest.ends_at))
            {
                pieces.push(piece);
                rest = remainder;
            }
        }
        pieces.push(rest);
        pieces
    }

    /// What is left of it without `others`, which must ascend by start.
    #[must_use]
    pub fn without(self, others: &[Self]) -> Vec<Self> {
        debug_assert!(others.is_sorted());
        let mut left = vec![];
        let mut from = self.starts_at;
        for other in others.iter().filter(|other| self.overlaps(**other)) {
            left.extend(Self::new(from, other.starts_at));
            from = from.max(other.ends_at);
        }
        left.extend(Self::new(from, self.ends_at));
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(minute * 60).unwrap()
    }

    fn span(from: i64, to: i64) -> Span {
        Span::new(at(from), at(to)).unwrap()
    }

    #[test]
    fn no_span_is_empty_or_runs_backwards() {
        assert_eq!(Span::new(at(5), at(5)), None);
        assert_eq!(Span::new(at(6), at(5)), None);
    }

    #[test]
    fn spans_that_touch_do_not_overlap() {
        assert!(!span(0, 10).overlaps(span(10, 20)));
        assert!(span(0, 11).overlaps(span(10, 20)));
        assert_eq!(span(0, 10).intersection(span(10, 20)), None);
        assert_eq!(span(0, 15).intersection(span(10, 20)), Some(span(10, 15)));
    }

    #[test]
    fn what_is_left_of_a_span_lies_around_the_others() {
        let others = [span(-5, 2), span(4, 6), span(5, 7), span(20, 30)];
        assert_eq!(span(0, 10).without(&others), [span(2, 4), span(7, 10)]);
        assert_eq!(span(5, 6).without(&others), []);
        assert_eq!(span(8, 10).without(&others), [span(8, 10)]);
    }

    #[test]
    fn a_cut_span_keeps_every_instant_once() {
        assert_eq!(span(0, 10).cut_at([at(-1), at(0), at(4), at(10), at(11)]), [span(0, 4), span(4, 10)]);
    }
}
