//! Books a visit: from a hold, at a free time, or squeezed in.

use engine::{
    appointment::{Appointment, BookingDetails},
    id::VisitId,
    item::Item,
    policy::Booker,
    visit::Placement,
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::appointment_service_methods::BOOK_APPOINTMENT;

use crate::{
    Error,
    domain::{id::ChangeId, undoable::Undoable},
    measure::Figure,
    store::{StoredAppointment, Tx},
};

/// The time to book.
#[derive(Debug)]
pub enum Time {
    /// What a hold keeps.
    Held(VisitId),
    /// A start that must be free.
    Free(Vec<Item>, Timestamp),
    /// A start that may be taken.
    Squeezed(Vec<Item>, Timestamp),
}

impl Time {
    /// What is to be placed; a hold has its own.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        match self {
            Self::Held(_) => &[],
            Self::Free(items, _) | Self::Squeezed(items, _) => items,
        }
    }

    /// Whether the visit may lie beside others.
    #[must_use]
    pub fn is_squeezed_in(&self) -> bool {
        matches!(self, Self::Squeezed(..))
    }
}

/// A booking to make.
#[derive(Debug)]
pub struct BookAppointment {
    /// When.
    pub time: Time,
    /// For whom, and in which call.
    pub occasion: BookingDetails,
    /// Whose notice counts.
    pub booker: Booker,
    /// Whether a person booked it, who may take it back.
    pub by_person: bool,
}

impl BookAppointment {
    /// Books it and publishes it; the visit, and a person's change.
    ///
    /// # Errors
    /// Why it can't be placed; a hold that is over or another caller's.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, Option<ChangeId>), Error> {
        let (squeezed_in, by_person) = (self.time.is_squeezed_in(), self.by_person);
        let (id, placement, occasion) = self.take(tx).await?;
        let booked = Appointment::book(id, &placement, occasion, tx.now());
        let appointment = Appointment { squeezed_in, ..booked };
        tx.add_appointment(&appointment, &placement.occupied).await?;
        tx.tally(Figure::Booked, 1);
        let stored = tx.publish_appointment(&BOOK_APPOINTMENT, id).await?;
        if !by_person {
            return Ok((stored, None));
        }
        let change = tx.add_undoable(&Undoable::booked(&appointment)).await?;
        Ok((stored, Some(change)))
    }

    /// Takes the time: the id of the visit, where it is placed, and for whom.
    async fn take(self, tx: &Tx) -> Result<(VisitId, Placement, BookingDetails), Error> {
        let Self { time, occasion, booker, .. } = self;
        match time {
            Time::Held(id) => {
                let (placement, call) = tx.take_hold(id, occasion.customer).await?;
                Ok((id, placement, BookingDetails { call: occasion.call.or(call), ..occasion }))
            }
            Time::Free(items, start) => {
                let schedule = tx.settled_schedule().await?;
                let placement = tx.place(&schedule, &items, start, booker).await?;
                Ok((tx.new_id(), placement, occasion))
            }
            Time::Squeezed(items, start) => {
                let schedule = tx.settled_schedule().await?;
                let placement = tx.place_squeezed(&schedule, &items, start).await?;
                Ok((tx.new_id(), placement, occasion))
            }
        }
    }
}
