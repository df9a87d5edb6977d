//! Books a visit for a customer who waits for one.

use engine::{
    appointment::{Appointment, BookingDetails},
    id::{CallId, WaitlistEntryId},
    policy::Booker,
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::waitlist_service_methods::BOOK_FROM_WAITLIST;

use super::join_waitlist::{ended, published};
use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{EntryChange, Undoable, VisitChange},
    },
    measure::Figure,
    store::{StoredAppointment, StoredEntry, Tx},
};

/// A waiting customer to book.
#[derive(Debug)]
pub struct BookFromWaitlist {
    /// Their entry.
    pub id: WaitlistEntryId,
    /// A start that must be free.
    pub start: Timestamp,
    /// In which call.
    pub call: Option<CallId>,
    /// Whose notice counts.
    pub booker: Booker,
}

/// A customer who got a visit.
#[derive(Debug)]
pub struct Served {
    /// Their visit.
    pub appointment: StoredAppointment,
    /// Their entry, which ended.
    pub entry: StoredEntry,
    /// The change.
    pub change: ChangeId,
}

impl BookFromWaitlist {
    /// Books the visit and ends the entry.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotWaiting`], or why it can't be placed.
    pub async fn run(self, tx: &Tx) -> Result<Served, Error> {
        let Self { id, start, call, booker } = self;
        let schedule = tx.settled_schedule().await?;
        let waiting = tx.waitlist_entry(id).await?.entry;
        waiting.waits()?;
        let placement = tx.place(&schedule, &waiting.items, start, booker).await?;
        let visit = tx.new_id();
        let booked = tx.take_waitlist_entry(id).await?.book(visit, ended(tx))?;
        let (customer, notes) = (Some(booked.customer), booked.note.clone());
        let occasion = BookingDetails { customer, call, notes, ..BookingDetails::default() };
        let appointment = Appointment::book(visit, &placement, occasion, tx.now());
        let undoable = Undoable {
            visits: vec![VisitChange::booked(&appointment)],
            entries: vec![EntryChange::of(&booked)],
            ..Undoable::default()
        };
        tx.add_appointment(&appointment, &placement.occupied).await?;
        tx.save_waitlist_entry(&booked).await?;
        tx.tally(Figure::Booked, 1);
        let appointment = tx.publish_appointment(&BOOK_FROM_WAITLIST, visit).await?;
        let entry = published(tx, id).await?;
        tx.audit(&BOOK_FROM_WAITLIST, id).await?;
        Ok(Served { appointment, entry, change: tx.add_undoable(&undoable).await? })
    }
}
