use super::Place;
use crate::id::{VisitId, WaitlistEntryId};

/// What a line changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A visit takes another place.
    Move {
        /// Which.
        visit: VisitId,
        /// Where it was.
        from: Place,
        /// Where it could be.
        to: Place,
    },
    /// A visit that has begun ends later, by who is at it.
    Extension {
        /// Which.
        visit: VisitId,
        /// Where it was.
        from: Place,
        /// Where it could be.
        to: Place,
    },
    /// A visit has no place that day.
    Unplaced {
        /// Which.
        visit: VisitId,
        /// Where it was.
        from: Place,
    },
    /// A waiting customer is booked.
    Booking {
        /// Who.
        entry: WaitlistEntryId,
        /// Where they could be.
        to: Place,
    },
}

impl Change {
    /// The visit that it changes; `None` if one is booked.
    #[must_use]
    pub fn visit(&self) -> Option<VisitId> {
        match self {
            Self::Move { visit, .. } | Self::Extension { visit, .. } | Self::Unplaced { visit, .. } => {
                Some(*visit)
            }
            Self::Booking { .. } => None,
        }
    }

    /// The waitlist entry that is booked; `None` if a visit is changed.
    #[must_use]
    pub fn entry(&self) -> Option<WaitlistEntryId> {
        match self {
            Self::Booking { entry, .. } => Some(*entry),
            Self::Move { .. } | Self::Extension { .. } | Self::Unplaced { .. } => None,
        }
    }

    /// Where the visit was when the line was worked out.
    #[must_use]
    pub fn from(&self) -> Option<&Place> {
        match self {
            Self::Move { from, .. } | Self::Extension { from, .. } | Self::Unplaced { from, .. } => {
                Some(from)
            }
            Self::Booking { .. } => None,
        }
    }

    /// Where it could be.
    #[must_use]
    pub fn to(&self) -> Option<&Place> {
        match self {
            Self::Move { to, .. } | Self::Extension { to, .. } | Self::Booking { to, .. } => Some(to),
            Self::Unplaced { .. } => None,
        }
    }
}
