//! `PersonErasureService`: what is erased of a person here.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::erasure::internal::v1::{
        ErasePersonRequest, ErasePersonResponse, PersonErasureServiceHandler,
    },
};
use tonic::{Status, async_trait};

use crate::{app::ErasePerson, domain::person::Person, store::Store};

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
        let customers = outbox::known_records("customers.id", &request.customers)?;
        if customers.is_empty() {
            return Err(invalid("customers", "must not be empty"));
        }
        let names = [request.names, request.emails].concat();
        let person = Person { names, phones: request.phones };
        let Some(calls) = (ErasePerson { customers, person }).run(&self.store, &scope).await? else {
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
