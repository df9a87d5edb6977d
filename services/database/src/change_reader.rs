//! Reads the log of changes for the service that shows all of them.

use std::collections::BTreeMap;

use caller::{BusinessScope, Tenant};
use chrono::{DateTime, Utc};
use jiff::Timestamp;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::{
        changes::internal::v1::{ChangeLogServiceHandler, ListChangesRequest, ListChangesResponse},
        tenancy::v1::{AuditEntry, FieldChange},
    },
    parse::optional_id,
    time,
};
use sea_orm::{DbErr, FromQueryResult};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    Database, named,
    time::{from_db, to_db},
};

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT id, at, actor, action, record_kind, record_id, before::text AS before, after::text AS after, refusal
            FROM change_entry WHERE business_id = :business_id AND ",
            $condition,
            "(at, id) < (:before_at, :before_id) ORDER BY at DESC, id DESC LIMIT :limit"
        )
    };
}

const CHANGES: &str = select!("");
const CHANGES_OF: &str = select!("record_id = :record_id AND ");
/// A page of the most, and one more.
const MOST: i32 = 201;
/// Fields that each record has, which say nothing of the change.
const ASIDE: [&str; 2] = ["business_id", "id"];

/// Serves a service's part of the audit trail.
#[derive(Debug)]
pub struct ChangeLog(Database);

impl ChangeLog {
    /// Of a service with a log of changes.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    record_kind: String,
    record_id: Option<Uuid>,
    before: Option<String>,
    after: Option<String>,
    refusal: Option<String>,
}

#[async_trait]
impl ChangeLogServiceHandler for ChangeLog {
    async fn list_changes(
        &self,
        scope: BusinessScope,
        request: ListChangesRequest,
    ) -> Result<ListChangesResponse, Status> {
        if !(1..=MOST).contains(&request.limit) {
            return Err(invalid("limit", "must be 1 to 201"));
        }
        let record: Option<Uuid> = optional_id("record_id", &request.record_id)?;
        let before_id: Option<Uuid> = optional_id("before_id", &request.before_id)?;
        let before_at = time::parse("before_at", request.before_at.as_ref())?;
        let tx = self.0.tx::<DbErr>(&scope);
        let values = named! {
            business_id: scope.business().0,
            before_at: to_db(before_at.unwrap_or(Timestamp::MAX)),
            before_id: before_id.unwrap_or(Uuid::max()),
            limit: i64::from(request.limit),
        };
        let rows = match record {
            None => tx.rows::<Row>(CHANGES, values).await,
            Some(record_id) => tx.rows::<Row>(CHANGES_OF, values.and(named! { record_id })).await,
        };
        let rows = rows.map_err(unreadable)?;
        tx.commit().await.map_err(unreadable)?;
        Ok(ListChangesResponse { entries: rows.into_iter().map(wire).collect::<Result<_, _>>()? })
    }
}

fn unreadable(error: DbErr) -> Status {
    tracing::warn!(%error, "the log of changes can't be read");
    refuse(Reason::Unavailable, "the log of changes can't be read right now")
}

fn wire(row: Row) -> Result<AuditEntry, Status> {
    let mut before = fields(row.before.as_deref())?;
    let mut after = fields(row.after.as_deref())?;
    let mut names: Vec<String> = before.keys().chain(after.keys()).cloned().collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !ASIDE.contains(&name.as_str()));
    let changes = names.into_iter().map(|field| {
        let [before, after] =
            [&mut before, &mut after].map(|fields| fields.remove(&field).unwrap_or_default());
        FieldChange { field, before, after }
    });
    Ok(AuditEntry {
        id: row.id.to_string(),
        at: Some(time::to_proto(from_db(row.at))),
        actor: row.actor,
        actor_name: String::new(),
        action: row.action,
        record_kind: row.record_kind,
        record_id: row.record_id.map(|id| id.to_string()).unwrap_or_default(),
        changes: changes.collect(),
        refusal: row.refusal.unwrap_or_default(),
    })
}

/// Each field's value as JSON.
fn fields(json: Option<&str>) -> Result<BTreeMap<String, String>, Status> {
    let Some(json) = json else { return Ok(BTreeMap::new()) };
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_str(json)
        .map_err(|error| Status::internal(format!("a change is no record: {error}")))?;
    Ok(fields.into_iter().map(|(name, value)| (name, value.to_string())).collect())
}
