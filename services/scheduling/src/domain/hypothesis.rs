//! An instant other than now, and time other than what is taken.

use engine::{
    id::{SubjectId, VisitId},
    span::Span,
};
use jiff::Timestamp;

/// What an answer shall be worked out with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hypothesis {
    /// As it was answered then; now, where it is not given.
    pub as_of: Option<Timestamp>,
    /// Time that is taken, too.
    pub taken: Vec<(SubjectId, Span)>,
    /// Visits and holds that take no time.
    pub without: Vec<VisitId>,
}

impl Hypothesis {
    /// Whether it is what is.
    #[must_use]
    pub fn is_real(&self) -> bool {
        *self == Self::default()
    }
}
