//! Erases a person from the calls of a business. What came of each call stays for the figures.

use caller::{BusinessScope, Tenant};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{
    domain::{
        CallId, CustomerId,
        person::Person,
        recording::{Place, Recording},
    },
    error::Error,
    recordings::Shelf,
    store::Store,
};

/// When a copy of a recording that was under way has ended, and what it left is deleted.
const COPIES_END: SignedDuration = SignedDuration::from_mins(10);

/// A person to erase.
#[derive(Debug)]
pub struct ErasePerson {
    /// The person's records, as the erasure left them.
    pub customers: Vec<(Uuid, i64)>,
    /// What the person is found by besides.
    pub person: Person,
    /// Where recordings are kept, if they are.
    pub shelf: Option<Shelf>,
}

impl ErasePerson {
    /// Erases the person call by call; the person's calls, or `None` before tenancy's log has told of the erasure.
    ///
    /// # Errors
    /// When the database fails. What is done is done, and the rest is done when it is asked again.
    pub async fn run(self, store: &Store, scope: &BusinessScope) -> Result<Option<Vec<CallId>>, Error> {
        let Self { customers, person, shelf } = self;
        let tx = store.begin(scope);
        if !outbox::knows(&tx, ("tenancy", "customer"), &customers).await? {
            return Ok(None);
        }
        let ids: Vec<Uuid> = customers.into_iter().map(|(id, _)| id).collect();
        let calls = tx.calls_of(&ids, &person.phones).await?;
        tx.delete_views_of(&person).await?;
        tx.empty_notices().await?;
        tx.commit().await?;
        for call in &calls {
            if let Some(shelf) = &shelf {
                let place = Place { business: scope.business(), call: *call };
                shelf.delete(&place.key()).await.map_err(Error::Recordings)?;
            }
            erase(store, scope, *call, CustomerId(ids[0]), shelf.is_some()).await?;
        }
        if store.forget_parked(scope.business(), ids.clone()).await? {
            let tx = store.begin(scope);
            tx.unname_customers(&ids).await?;
            tx.commit().await?;
        }
        // Last: until its call is erased, a note can still be written or put back.
        let tx = store.begin(scope);
        tx.forget_written_answers().await?;
        tx.commit().await?;
        Ok(Some(calls))
    }
}

async fn erase(
    store: &Store,
    scope: &BusinessScope,
    id: CallId,
    customer: CustomerId,
    reaches_recordings: bool,
) -> Result<(), Error> {
    let tx = store.begin(scope);
    let before = tx.call_by_id(id).await?;
    if !reaches_recordings && matches!(tx.recording(id).await?, Some(Recording::Kept(_))) {
        return Err(Error::RecordingsOutOfReach);
    }
    tx.erase_beside(id).await?;
    tx.erase_recording(id, tx.now() + COPIES_END).await?;
    if before.erased_at.is_none() {
        let after = before.clone().erased(customer, tx.now());
        tx.save_call(&before, &after).await?;
    }
    tx.commit().await
}
