//! What is erased of a person here.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::erasure::internal::v1::{
        ErasePersonRequest, ErasePersonResponse, KnownRecord, PersonErasureServiceHandler,
    },
    parse::some_ids,
};
use tonic::{Status, async_trait};

use crate::{app::ErasePerson, store::Store};

/// More calls than a person makes.
const MOST_CALLS: usize = 10_000;

/// Serves `PersonErasureService`.
#[derive(Debug)]
pub(crate) struct PersonErasures {
    store: Store,
}

impl PersonErasures {
    pub(crate) fn new(store: Store) -> Self {
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
        let calls = match request.call_ids.as_slice() {
            [] => vec![],
            ids => some_ids("call_ids", ids, MOST_CALLS)?,
        };
        let Some(erased) = (ErasePerson { customers, calls }).run(&self.store, &scope).await? else {
            let waiting_for = "scheduling to hear of the erasure".to_owned();
            return Ok(ErasePersonResponse { waiting_for, ..ErasePersonResponse::default() });
        };
        let visits = erased.visits.iter();
        let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        Ok(ErasePersonResponse {
            record_count: count(erased.visits.len()),
            cancelled_count: count(erased.cancelled),
            visits: visits
                .map(|(id, version)| KnownRecord { id: id.to_string(), version: *version })
                .collect(),
            ..ErasePersonResponse::default()
        })
    }
}
