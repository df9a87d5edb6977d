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

use crate::store::{ChangeEntry, Store};

/// Serves `AuditService`.
#[derive(Debug)]
pub(crate) struct Audit {
    store: Store,
}

impl Audit {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
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
        let tx = self.store.begin(&scope);
        let rows = tx.changes(record, page.after, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &ChangeEntry| (row.at, row.id);
        let (entries, next_page_token) = page.answer(rows, key, wire);
        Ok(ListAuditEntriesResponse { entries, next_page_token })
    }
}

fn wire(entry: ChangeEntry) -> AuditEntry {
    let changes = entry.changes.into_iter().map(|(field, before, after)| FieldChange {
        field,
        before: before.unwrap_or_default(),
        after: after.unwrap_or_default(),
    });
    AuditEntry {
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
