//! What is erased of a person here.

use caller::BusinessScope;
use proto::frontdesk::erasure::internal::v1::{
    ErasePersonRequest, ErasePersonResponse, PersonErasureServiceHandler,
};
use tonic::{Status, async_trait};

use crate::{
    app::{ErasePerson, Erasing},
    store::Store,
};

/// Serves `PersonErasureService`.
#[derive(Debug)]
pub struct PersonErasures {
    store: Store,
}

impl PersonErasures {
    /// Out of `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PersonErasureServiceHandler for PersonErasures {
    async fn erase_person(
        &self,
        scope: BusinessScope,
        request: ErasePersonRequest,
    ) -> Result<ErasePersonResponse, Status> {
        let visits = outbox::known_records("visits.id", &request.visits)?;
        let record_count = i32::try_from(visits.len()).unwrap_or(i32::MAX);
        let customers = outbox::known_records("customers.id", &request.customers)?;
        let customers = customers.into_iter().map(|(id, _)| id).collect();
        let waiting_for = match (ErasePerson { visits, customers }).run(&self.store, &scope).await? {
            Erasing::Hearing => "calendar-sync to hear of the visits".to_owned(),
            Erasing::Writing(1) => "an entry in an employee's calendar to be written".to_owned(),
            Erasing::Writing(entries) => format!("{entries} entries in employees' calendars to be written"),
            Erasing::Done => String::new(),
        };
        Ok(ErasePersonResponse { waiting_for, record_count, ..ErasePersonResponse::default() })
    }
}
