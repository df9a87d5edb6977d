//! Erases a person from the book. Visits to come are cancelled; those that were stay, without whose they were.

use caller::{BusinessScope, Tenant};
use engine::{appointment::Canceller, id::VisitId};
use proto::frontdesk::erasure::internal::v1::person_erasure_service_methods::ERASE_PERSON;
use uuid::Uuid;

use super::{CancelAppointment, LeaveWaitlist};
use crate::{Error, store::Store};

/// A person to erase.
#[derive(Debug)]
pub struct ErasePerson {
    /// The person's records, as the erasure left them.
    pub customers: Vec<(Uuid, i64)>,
    /// The person's calls.
    pub calls: Vec<Uuid>,
}

/// What is left of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasedPerson {
    /// All visits, each with the version that nothing of the person is in.
    pub visits: Vec<(VisitId, i64)>,
    /// How many of those to come were cancelled.
    pub cancelled: usize,
}

impl ErasePerson {
    /// Erases the person; `None` before tenancy's log has told of the erasure.
    ///
    /// # Errors
    /// When the database fails. What is done is done, and the rest is done when it is asked again.
    pub async fn run(self, store: &Store, scope: &BusinessScope) -> Result<Option<ErasedPerson>, Error> {
        let Self { customers, calls } = self;
        let tx = store.begin(scope);
        if !outbox::knows(&tx, ("tenancy", "customer"), &customers).await? {
            return Ok(None);
        }
        let ids: Vec<Uuid> = customers.into_iter().map(|(id, _)| id).collect();
        let (ahead, waiting) = (tx.visits_ahead_of(&ids).await?, tx.waiting_of(&ids).await?);
        tx.release();
        for id in &ahead {
            let tx = store.begin(scope);
            let cancel = CancelAppointment { id: *id, canceller: Canceller::Staff, reason: String::new() };
            cancel.run(&tx).await?;
            tx.commit().await?;
        }
        for id in waiting {
            let tx = store.begin(scope);
            LeaveWaitlist { id, reason: String::new() }.run(&tx).await?;
            tx.commit().await?;
        }
        let visits = erase_words(store, scope, &ids, &calls).await?;
        let visit_ids = visits.iter().map(|(visit, _)| visit.0).collect();
        if store.forget_events(scope.business(), visit_ids, ids.clone()).await? {
            let tx = store.begin(scope);
            tx.unname_customers(&ids).await?;
            tx.commit().await?;
        }
        Ok(Some(ErasedPerson { visits, cancelled: ahead.len() }))
    }
}

/// Each visit is told to those who keep it under the person's name.
async fn erase_words(
    store: &Store,
    scope: &BusinessScope,
    customers: &[Uuid],
    calls: &[Uuid],
) -> Result<Vec<(VisitId, i64)>, Error> {
    let tx = store.begin(scope);
    let mut versions = vec![];
    for visit in tx.erase_words(customers, calls).await? {
        let stored = tx.publish_appointment(&ERASE_PERSON, visit).await?;
        versions.push((visit, stored.appointment.version));
    }
    tx.commit().await?;
    Ok(versions)
}
