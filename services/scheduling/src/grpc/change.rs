//! Changes that are taken back.

use caller::BusinessScope;
use proto::{
    contact::ContactReach,
    frontdesk::scheduling::v1::{
        self as pb, ChangeServiceHandler, UndoChangeRequest, UndoChangeResponse,
        change_service_methods::UNDO_CHANGE,
    },
    parse::id,
};
use tonic::{Status, async_trait};

use crate::{app::UndoChange, domain::id::ChangeId, store::Store};

/// Serves `ChangeService`.
#[derive(Debug)]
pub(crate) struct Changes {
    store: Store,
}

impl Changes {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ChangeServiceHandler for Changes {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn undo_change(
        &self,
        scope: BusinessScope,
        request: UndoChangeRequest,
    ) -> Result<UndoChangeResponse, Status> {
        let id: ChangeId = id("change_id", &request.change_id)?;
        let role = scope.role();
        self.store
            .idempotent(&scope, &UNDO_CHANGE, &request, async |tx| {
                let appointments = UndoChange { id, role }.run(tx).await?;
                Ok(UndoChangeResponse {
                    appointments: appointments.iter().map(pb::Appointment::from).collect(),
                })
            })
            .await
    }
}
