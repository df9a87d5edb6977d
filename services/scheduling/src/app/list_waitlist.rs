//! Lists who waits, each with the first time that suits them now.

use std::sync::Arc;

use engine::{
    id::{CustomerId, WaitlistEntryId},
    schedule::Schedule,
    visit::Placement,
};
use jiff::Timestamp;

use crate::{
    Error,
    store::{StoredEntry, Tx},
};

/// Where the page begins.
#[derive(Debug, Clone, Copy)]
pub struct ListWaitlist {
    /// When the entry before it was made, and its id.
    pub after: (Timestamp, WaitlistEntryId),
    /// Whose entries, however they ended; without, all who wait.
    pub customer: Option<CustomerId>,
}

/// Who waits, and what there is for each.
#[derive(Debug)]
pub struct Waiting {
    /// Entries, the longest waiting first.
    pub entries: Vec<StoredEntry>,
    /// The first time that suits each, if any does.
    pub offers: Vec<Option<Placement>>,
    /// The schedule that the offers were found by.
    pub schedule: Arc<Schedule>,
}

impl ListWaitlist {
    /// The page; of all who wait, entries for dates that are over are left out.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`], [`Error::Unsettled`].
    pub async fn run(self, tx: &Tx, rows: u32) -> Result<Waiting, Error> {
        if let Some(customer) = self.customer {
            let entries = tx.waitlist_of(customer, self.after, rows).await?;
            let schedule = tx.known_schedule().await?;
            let offers = vec![None; entries.len()];
            return Ok(Waiting { entries, offers, schedule });
        }
        let today = tx.zone().await?.to_datetime(tx.now()).date();
        let entries = tx.waiting(self.after, today, rows).await?;
        let (schedule, offers) = tx.first_offers(entries.iter().map(|row| &row.entry)).await?;
        Ok(Waiting { entries, offers, schedule })
    }
}
