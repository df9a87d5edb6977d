//! Which calls a business has, for other services.

use caller::BusinessScope;
use proto::{
    frontdesk::telemetry::internal::v1::{CallDirectoryServiceHandler, FindCallRequest, FindCallResponse},
    parse,
};
use tonic::{Status, async_trait};

use crate::store::Store;

/// Serves `CallDirectoryService`.
#[derive(Debug)]
pub struct CallDirectory {
    store: Store,
}

impl CallDirectory {
    /// The calls in `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl CallDirectoryServiceHandler for CallDirectory {
    async fn find_call(
        &self,
        scope: BusinessScope,
        request: FindCallRequest,
    ) -> Result<FindCallResponse, Status> {
        let id = parse::id("call_id", &request.call_id)?;
        let tx = self.store.begin(&scope);
        let is_known = tx.has_call(id).await?;
        tx.release();
        Ok(FindCallResponse { is_known })
    }
}
