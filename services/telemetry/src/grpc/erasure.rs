//! `PersonErasureService`: what is erased of a person here.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::erasure::internal::v1::{
        ErasePersonRequest, ErasePersonResponse, PersonErasureServiceHandler,
    },
};
use tonic::{Status, async_trait};

use crate::{app::ErasePerson, domain::person::Person, recordings::Shelf, store::Store};

/// Serves `PersonErasureService`.
#[derive(Debug)]
pub struct PersonErasures {
    store: Store,
    shelf: Option<Shelf>,
}

impl PersonErasures {
    /// Out of `store`, and off the shelf of recordings.
    #[must_use]
    pub fn new(store: Store, shelf: Option<Shelf>) -> Self {
        Self { store, shelf }
    }
}

#[async_trait]
impl PersonErasureServiceHandler for PersonErasures {
    async fn erase_person(
        &self,
        scope: BusinessScope,
        request: ErasePersonRequest,
    ) -> Result<ErasePersonResponse, Status> {
        let customers = outbox::known_records("customers.id", &request.customers)?;
        if customers.is_empty() {
            return Err(invalid("customers", "must not be empty"));
        }
        let names = [request.names, request.emails].concat();
        let person = Person { names, phones: request.phones };
        let erase = ErasePerson { customers, person, shelf: self.shelf.clone() };
        let Some(calls) = erase.run(&self.store, &scope).await? else {
            let waiting_for = "telemetry to hear of the erasure".to_owned();
            return Ok(ErasePersonResponse { waiting_for, ..ErasePersonResponse::default() });
        };
        Ok(ErasePersonResponse {
            record_count: i32::try_from(calls.len()).unwrap_or(i32::MAX),
            call_ids: calls.iter().map(ToString::to_string).collect(),
            ..ErasePersonResponse::default()
        })
    }
}
