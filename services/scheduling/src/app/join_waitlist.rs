//! Puts a customer on the waitlist, and takes them off it.

use engine::{
    id::WaitlistEntryId,
    waitlist::{End, Entry, may_wait},
};
use proto::frontdesk::scheduling::v1::waitlist_service_methods::{JOIN_WAITLIST, LEAVE_WAITLIST};

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{EntryChange, Undoable},
    },
    store::{StoredEntry, Tx},
};

/// A customer who wants a time that was not free.
#[derive(Debug)]
pub struct JoinWaitlist(pub Entry);

impl JoinWaitlist {
    /// Adds the customer; their entry, and the change.
    ///
    /// # Errors
    /// Dates that are over, or services that no employee does.
    pub async fn run(self, tx: &Tx) -> Result<(StoredEntry, ChangeId), Error> {
        let Self(entry) = self;
        let schedule = tx.settled_schedule().await?;
        let today = schedule.zone.to_datetime(tx.now()).date();
        may_wait(entry.dates, today).map_err(|error| Error::invalid("last_date", error))?;
        schedule.request(&entry.items)?;
        tx.add_waitlist_entry(&entry).await?;
        let stored = published(tx, entry.id).await?;
        tx.audit(&JOIN_WAITLIST, entry.id).await?;
        let undoable = Undoable { joined: vec![EntryChange::of(&entry)], ..Undoable::default() };
        Ok((stored, tx.add_undoable(&undoable).await?))
    }
}

/// A customer who waits no more.
#[derive(Debug)]
pub struct LeaveWaitlist {
    /// Their entry.
    pub id: WaitlistEntryId,
    /// Why; may be empty.
    pub reason: String,
}

impl LeaveWaitlist {
    /// Ends the entry; what it is now, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotWaiting`].
    pub async fn run(self, tx: &Tx) -> Result<(StoredEntry, ChangeId), Error> {
        let Self { id, reason } = self;
        let left = tx.take_waitlist_entry(id).await?.leave(reason, ended(tx))?;
        tx.save_waitlist_entry(&left).await?;
        let stored = published(tx, id).await?;
        tx.audit(&LEAVE_WAITLIST, id).await?;
        let undoable = Undoable { entries: vec![EntryChange::of(&left)], ..Undoable::default() };
        Ok((stored, tx.add_undoable(&undoable).await?))
    }
}

/// Publishes an entry as it is now.
pub(super) async fn published(tx: &Tx, id: WaitlistEntryId) -> Result<StoredEntry, Error> {
    let stored = tx.waitlist_entry(id).await?;
    tx.publish_waitlist(&stored.entry).await?;
    Ok(stored)
}

/// Who ends an entry, and when.
pub(super) fn ended(tx: &Tx) -> End {
    End { at: tx.now(), by: tx.actor().to_owned() }
}
