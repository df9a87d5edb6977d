//! Erases a person from employees' calendars: their visits' entries are written anew, without the name, as scheduling's
//! log tells of them.

use caller::{BusinessScope, Tenant};
use uuid::Uuid;

use crate::{error::Error, store::Store};

/// A person to erase.
#[derive(Debug)]
pub struct ErasePerson {
    /// The person's visits, as scheduling left them.
    pub visits: Vec<(Uuid, i64)>,
    /// The person's records.
    pub customers: Vec<Uuid>,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erasing {
    /// Scheduling's log has not told of all visits yet.
    Hearing,
    /// So many entries are not written yet.
    Writing(i64),
    /// Nothing of the person is left.
    Done,
}

impl ErasePerson {
    /// Erases what is left once everything is written.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn run(self, store: &Store, scope: &BusinessScope) -> Result<Erasing, Error> {
        let tx = store.begin(scope);
        if !outbox::knows(&tx, ("scheduling", "appointment"), &self.visits).await? {
            return Ok(Erasing::Hearing);
        }
        let ids: Vec<Uuid> = self.visits.into_iter().map(|(id, _)| id).collect();
        let unwritten = tx.unwritten_of(&ids).await?;
        if unwritten > 0 {
            return Ok(Erasing::Writing(unwritten));
        }
        tx.erase_titles(&ids).await?;
        tx.commit().await?;
        let records = ids.into_iter().chain(self.customers).collect();
        store.forget_parked(scope.business(), records).await?;
        Ok(Erasing::Done)
    }
}
