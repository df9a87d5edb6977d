//! Changes of what is on record that are taken back.

use caller::BusinessScope;
use proto::{
    frontdesk::tenancy::v1::{
        RecordChangeServiceHandler, UndoRecordChangeRequest, UndoRecordChangeResponse,
        record_change_service_methods::UNDO_RECORD_CHANGE,
    },
    parse::id,
};
use tonic::{Status, async_trait};

use crate::{app::undo_record_change, store::Store};

/// Serves `RecordChangeService`.
#[derive(Debug)]
pub(crate) struct RecordChanges {
    store: Store,
}

impl RecordChanges {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl RecordChangeServiceHandler for RecordChanges {
    async fn undo_record_change(
        &self,
        scope: BusinessScope,
        request: UndoRecordChangeRequest,
    ) -> Result<UndoRecordChangeResponse, Status> {
        let change = id("change_id", &request.change_id)?;
        self.store
            .idempotent(&scope, &UNDO_RECORD_CHANGE, &request, async |tx| {
                undo_record_change(tx, change).await?;
                Ok(UndoRecordChangeResponse {})
            })
            .await
    }
}
