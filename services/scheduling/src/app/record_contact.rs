//! Records that the customer of a stranded visit was called.

use std::collections::BTreeSet;

use engine::id::VisitId;
use proto::frontdesk::scheduling::v1::day_service_methods::RECORD_CONTACT;

use super::list_stranded::ListStranded;
use crate::{
    Error,
    domain::{
        contact::{Contact, Outcome},
        id::ChangeId,
        undoable::Undoable,
    },
    store::Tx,
};

/// A call to a customer.
#[derive(Debug)]
pub struct RecordContact {
    /// The customer's visit.
    pub visit: VisitId,
    /// What came of it.
    pub outcome: Outcome,
    /// What was agreed; may be empty.
    pub note: String,
}

impl RecordContact {
    /// Records the call; what is kept of it, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NotStranded`] if the visit is no open line of the inbox.
    pub async fn run(self, tx: &Tx) -> Result<(Contact, ChangeId), Error> {
        let Self { visit, outcome, note } = self;
        // Neither the visit nor the schedule changes until this commits.
        tx.take_visit(visit).await?;
        if ListStranded::among(BTreeSet::from([visit])).run(tx).await?.is_empty() {
            return Err(Error::NotStranded);
        }
        let (by, by_name) = (tx.actor().to_owned(), tx.name_of_actor().await?);
        let contact = Contact { outcome, note, at: tx.now(), by, by_name };
        let id = tx.add_contact(visit, &contact).await?;
        tx.audit(&RECORD_CONTACT, visit).await?;
        let undoable = Undoable { contact: Some(id.0), ..Undoable::default() };
        Ok((contact, tx.add_undoable(&undoable).await?))
    }
}
