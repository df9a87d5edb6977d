//! What goes wrong on request.

use std::collections::VecDeque;

/// One way to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It answers 503 and does nothing.
    Unavailable,
    /// It does what it is asked, and answers 503 all the same.
    LostAnswer,
    /// It answers 429 with Retry-After.
    TooManyRequests,
    /// It no longer knows up to where it was read.
    Forgotten,
    /// It refuses what it is sent.
    Refused,
}

impl Fault {
    /// Every one, with what the page calls it.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Unavailable, "unavailable"),
        (Self::LostAnswer, "lost answer"),
        (Self::TooManyRequests, "too many requests"),
        (Self::Forgotten, "forgotten"),
        (Self::Refused, "refused"),
    ];

    /// The fault of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(fault, _)| *fault)
    }
}

/// What the next requests meet, in order.
#[derive(Debug, Default)]
pub struct Faults(VecDeque<Fault>);

impl Faults {
    /// Longest row of faults.
    const MOST: usize = 1_000;

    /// Adds `count` of one.
    pub fn add(&mut self, fault: Fault, count: u32) {
        let room = Self::MOST.saturating_sub(self.0.len());
        self.0.extend(std::iter::repeat_n(fault, room.min(count as usize)));
    }

    /// The fault of the next request, where it is one that `concerns` it; others wait.
    pub fn next(&mut self, concerns: impl Fn(Fault) -> bool) -> Option<Fault> {
        let fault = self.0.front().copied().filter(|fault| concerns(*fault))?;
        self.0.pop_front();
        Some(fault)
    }

    /// How many are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.0.len()
    }
}
