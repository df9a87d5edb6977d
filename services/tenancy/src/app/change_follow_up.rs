//! Assigns, completes or reopens a follow-up.

use jiff::Timestamp;

use crate::{
    Error,
    domain::{ChangeId, EmployeeId, FollowUp, FollowUpId, Undoable},
    store::{NamedFollowUp, Tx},
};

/// What is changed.
#[derive(Debug, Clone, Copy)]
pub enum FollowUpChange {
    /// Whose it is, and until when.
    Assign {
        /// Whose; `None` leaves it unassigned.
        employee: Option<EmployeeId>,
        /// Until when.
        due_at: Option<Timestamp>,
    },
    /// It is done.
    Complete,
    /// It is to be done after all.
    Reopen,
}

/// A change of a follow-up.
#[derive(Debug)]
pub struct ChangeFollowUp {
    /// The follow-up.
    pub id: FollowUpId,
    /// What is changed.
    pub change: FollowUpChange,
}

impl ChangeFollowUp {
    /// Changes it and publishes it, if anything is different; the follow-up, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Unknown`] for an employee whom the business doesn't have.
    pub async fn run(self, tx: &Tx) -> Result<(NamedFollowUp, Option<ChangeId>), Error> {
        let before = tx.take_follow_up(self.id).await?;
        let id = self.id;
        let changed = self.apply(before.follow_up.clone(), tx);
        if changed == before.follow_up {
            return Ok((before, None));
        }
        tx.save_follow_up(&changed).await?;
        let named = tx.publish_follow_up(&changed).await?;
        let change = Undoable::FollowUpChanged(id, before.follow_up.standing());
        let change = tx.add_undoable(&change.leaving(changed.version)).await?;
        Ok((named, Some(change)))
    }

    fn apply(self, follow_up: FollowUp, tx: &Tx) -> FollowUp {
        match self.change {
            FollowUpChange::Assign { employee, due_at } => follow_up.assigned(employee, due_at),
            FollowUpChange::Complete => follow_up.completed(tx.actor(), tx.now()),
            FollowUpChange::Reopen => follow_up.reopened(),
        }
    }
}
