//! Who changed what.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::tenancy::v1::{
        AuditEntry, AuditServiceHandler, FieldChange, ListAuditEntriesRequest, ListAuditEntriesResponse,
    },
    page::page,
    parse::optional_id,
    time::to_proto,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    app::{ListChanges, place},
    store::ChangeEntry,
};

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
        let (entries, next_page_token) = page.answer(changes.entries, place, |entry| entry);
        Ok(ListAuditEntriesResponse { entries, next_page_token, missing_services: changes.missing })
    }
}

impl From<ChangeEntry> for AuditEntry {
    fn from(entry: ChangeEntry) -> Self {
        let changes = entry.changes.into_iter().map(|(field, before, after)| FieldChange {
            field,
            before: before.unwrap_or_default(),
            after: after.unwrap_or_default(),
        });
        Self {
            id: entry.id.to_string(),
            at: Some(to_proto(entry.at)),
            actor: entry.actor,
            actor_name: entry.actor_name,
            action: entry.action,
            record_kind: entry.record_kind,
            record_id: entry.record.map(|id| id.to_string()).unwrap_or_default(),
            changes: changes.collect(),
            refusal: entry.refusal,
        }
    }
}
