//! What rows of the ledger are for.

use engine::{appointment::Appointment, id::VisitId};
use jiff::Timestamp;

pub(crate) const BOOKING: &str = "BOOKING";

/// What rows are for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Booking(VisitId),
    /// A booking beside whatever else takes the time.
    SqueezeIn(VisitId),
    Hold {
        visit: VisitId,
        expires_at: Timestamp,
    },
    Busy,
    Block,
}

impl Purpose {
    /// Of an appointment's rows.
    pub(crate) fn of(appointment: &Appointment) -> Self {
        if appointment.squeezed_in { Self::SqueezeIn(appointment.id) } else { Self::Booking(appointment.id) }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Booking(_) | Self::SqueezeIn(_) => BOOKING,
            Self::Hold { .. } => "HOLD",
            Self::Busy => "BUSY",
            Self::Block => "BLOCK",
        }
    }

    /// The visit they carry.
    pub(crate) fn visit(self) -> VisitId {
        match self {
            Self::Booking(visit) | Self::SqueezeIn(visit) | Self::Hold { visit, .. } => visit,
            Self::Busy | Self::Block => VisitId::NONE,
        }
    }

    pub(crate) fn expires_at(self) -> Option<Timestamp> {
        match self {
            Self::Hold { expires_at, .. } => Some(expires_at),
            Self::Booking(_) | Self::SqueezeIn(_) | Self::Busy | Self::Block => None,
        }
    }

    /// Whether nothing else may take the same time.
    pub(crate) fn is_blocking(self) -> bool {
        match self {
            Self::Booking(_) | Self::Hold { .. } | Self::Busy | Self::Block => true,
            Self::SqueezeIn(_) => false,
        }
    }
}
