//! Finds what a person can take back of a visit.

use caller::{Actor, BusinessScope, Tenant};
use engine::id::VisitId;

use super::UndoChange;
use crate::{
    Error,
    store::{OwnChange, Store},
};

/// The viewer's latest change of a visit.
#[derive(Debug)]
pub struct FindUndoable(pub VisitId);

impl FindUndoable {
    /// The change; `None` if there is none that could be taken back now.
    ///
    /// # Errors
    /// If the database can't be read.
    pub async fn run(self, store: &Store, scope: &BusinessScope) -> Result<Option<OwnChange>, Error> {
        if !matches!(scope.actor(), Actor::Person { .. }) {
            return Ok(None);
        }
        let tx = store.begin(scope);
        let Some((latest, change)) = tx.latest_own_change(self.0).await? else {
            tx.release();
            return Ok(None);
        };
        // It is put back, but never committed: whatever refuses that refuses the viewer as well. The kept changes
        // are only read, so that the undo of one neither waits for a look-up nor skips a row that it has locked.
        let undone = UndoChange { id: latest.id, role: scope.role() }.put_back(&tx, change).await;
        Ok(undone.is_ok().then_some(latest))
    }
}
