//! Books the first free start from now on for a customer who is here.

use engine::{
    appointment::{Appointment, BookingDetails},
    item::Item,
    walk_in::starts,
};
use jiff::SignedDuration;
use proto::frontdesk::scheduling::v1::appointment_service_methods::BOOK_WALK_IN;

use crate::{
    Error,
    domain::{id::ChangeId, undoable::Undoable},
    measure::Figure,
    store::{StoredAppointment, Tx},
};

/// A walk-in to book.
#[derive(Debug)]
pub struct BookWalkIn {
    /// The services.
    pub items: Vec<Item>,
    /// The latest start, from now.
    pub within: SignedDuration,
    /// For whom.
    pub occasion: BookingDetails,
}

impl BookWalkIn {
    /// Books it and publishes it; the visit, and the change.
    ///
    /// # Errors
    /// Why no start within that time is free.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, ChangeId), Error> {
        let schedule = tx.settled_schedule().await?;
        let placement = tx.place_walk_in(&schedule, &self.items, starts(tx.now(), self.within)).await?;
        let appointment = Appointment::walk_in(tx.new_id(), &placement, self.occasion, tx.now());
        tx.add_appointment(&appointment, &placement.occupied).await?;
        tx.tally(Figure::Booked, 1);
        let stored = tx.publish_appointment(&BOOK_WALK_IN, appointment.id).await?;
        Ok((stored, tx.add_undoable(&Undoable::booked(&appointment)).await?))
    }
}
