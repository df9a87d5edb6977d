//! What goes wrong on request.

use std::collections::VecDeque;

/// What goes wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done, and 503 answered.
    Unavailable,
    /// It is done, and 503 answered: met by requests that write.
    LostAnswer,
    /// 429.
    TooManyRequests,
    /// What is written is refused.
    Refused,
}

/// What the next requests meet, in order.
#[derive(Debug, Default)]
pub(crate) struct Faults(VecDeque<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, fault: Fault, count: usize) {
        self.0.extend(core::iter::repeat_n(fault, count));
    }

    /// The fault of the next request, where it is one that such a request meets; others wait.
    pub(crate) fn next(&mut self, writes: bool) -> Option<Fault> {
        let is_met = |fault: &Fault| writes || !matches!(fault, Fault::LostAnswer | Fault::Refused);
        self.0.front().copied().filter(is_met)?;
        self.0.pop_front()
    }
}
