//! Patch tests of customers, for other services.

use caller::BusinessScope;
use proto::{
    frontdesk::tenancy::{
        internal::v1::{FindPatchTestsRequest, FindPatchTestsResponse, PatchTestRecordServiceHandler},
        v1 as pb,
    },
    parse::id,
};
use tonic::{Status, async_trait};

use crate::store::Store;

/// Serves `PatchTestRecordService`.
#[derive(Debug)]
pub(crate) struct PatchTestRecords {
    store: Store,
}

impl PatchTestRecords {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PatchTestRecordServiceHandler for PatchTestRecords {
    async fn find_patch_tests(
        &self,
        scope: BusinessScope,
        request: FindPatchTestsRequest,
    ) -> Result<FindPatchTestsResponse, Status> {
        let customer = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        tx.customer(customer).await?;
        let tests = tx.patch_tests(customer).await?;
        tx.commit().await?;
        Ok(FindPatchTestsResponse { patch_tests: tests.iter().map(pb::PatchTest::from).collect() })
    }
}
