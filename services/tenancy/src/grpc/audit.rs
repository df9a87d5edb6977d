//! Who changed what.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::tenancy::v1::{AuditServiceHandler, ListAuditEntriesRequest, ListAuditEntriesResponse},
    page::page,
    parse::optional_id,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::app::{Changes, ListChanges, place};

/// Serves `AuditService`.
#[derive(Debug)]
pub(crate) struct Audit {
    list: ListChanges,
}

impl Audit {
    pub(crate) fn new(list: ListChanges) -> Self {
        Self { list }
    }
}

#[async_trait]
impl AuditServiceHandler for Audit {
    async fn list_audit_entries(
        &self,
        scope: BusinessScope,
        request: ListAuditEntriesRequest,
    ) -> Result<ListAuditEntriesResponse, Status> {
        let record: Option<Uuid> = optional_id("record_id", &request.record_id)?;
        let page = page::<(Timestamp, Uuid)>(request.page_size, &request.page_token)?;
        let changes = self.list.run(&scope, record, page.after, page.limit()).await?;
        let Changes { entries, names, missing } = changes;
        let (entries, next_page_token) = page.answer(entries, place, |entry| entry);
        Ok(ListAuditEntriesResponse { entries, next_page_token, missing_services: missing, names })
    }
}
