//! Reads the log of changes, and serves it to the service that shows all of them.

use std::collections::{BTreeMap, BTreeSet};

use caller::{BusinessScope, Tenant};
use chrono::{DateTime, Utc};
use jiff::Timestamp;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::{
        changes::internal::v1::{
            ChangeLogServiceHandler, ListChangesRequest, ListChangesResponse, NameRecordsRequest,
            NameRecordsResponse, RecordsOfKind,
        },
        tenancy::v1::{AuditEntry, FieldChange},
    },
    parse::{id, optional_id},
    time,
};
use sea_orm::{DbErr, FromQueryResult};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{
    Database, Naming, Tx, named,
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

/// A page of all entries.
pub const CHANGES: &str = select!("");
/// A page of the entries about one record.
pub const CHANGES_OF: &str = select!("record_id = :record_id AND ");
/// A page of the most, and one more.
const MOST: i32 = 201;
/// Records that are named at once.
const MOST_RECORDS: usize = 2_000;
/// Fields that each record has, which say nothing of the change.
const ASIDE: [&str; 2] = ["business_id", "id"];

/// Serves a service's part of the audit trail.
#[derive(Debug)]
pub struct ChangeLog {
    database: Database,
    namings: &'static [Naming],
}

impl ChangeLog {
    /// Of a service with a log of changes, which keeps records of these kinds.
    #[must_use]
    pub fn new(database: Database, namings: &'static [Naming]) -> Self {
        Self { database, namings }
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

impl<E: From<DbErr>> Tx<E> {
    /// A page of a business's entries, the latest first, `limit` of them before a place; about one record if one is
    /// given. Who acted is not named.
    ///
    /// # Errors
    /// What Postgres refuses, or an entry that is no JSON.
    pub async fn changes(
        &self,
        business: Uuid,
        record: Option<Uuid>,
        before: Option<(Timestamp, Uuid)>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, E> {
        let (at, id) = before.unwrap_or((Timestamp::MAX, Uuid::max()));
        let values = named! {
            business_id: business, before_at: to_db(at), before_id: id, limit: i64::from(limit),
        };
        let rows = match record {
            None => self.rows::<Row>(CHANGES, values).await?,
            Some(record_id) => self.rows::<Row>(CHANGES_OF, values.and(named! { record_id })).await?,
        };
        Ok(rows.into_iter().map(wire).collect::<Result<_, _>>()?)
    }
}

#[async_trait]
impl ChangeLogServiceHandler for ChangeLog {
    async fn list_changes(
        &self,
        scope: BusinessScope,
        request: ListChangesRequest,
    ) -> Result<ListChangesResponse, Status> {
        let limit = u32::try_from(request.limit).ok().filter(|_| (1..=MOST).contains(&request.limit));
        let limit = limit.ok_or_else(|| invalid("limit", "must be 1 to 201"))?;
        let record: Option<Uuid> = optional_id("record_id", &request.record_id)?;
        let before_id: Option<Uuid> = optional_id("before_id", &request.before_id)?;
        let before_at = time::parse("before_at", request.before_at.as_ref())?;
        let before = before_at.map(|at| (at, before_id.unwrap_or(Uuid::max())));
        let tx = self.database.tx::<DbErr>(&scope);
        let entries = tx.changes(scope.business().0, record, before, limit).await.map_err(unreadable)?;
        tx.commit().await.map_err(unreadable)?;
        Ok(ListChangesResponse { entries })
    }

    async fn name_records(
        &self,
        scope: BusinessScope,
        request: NameRecordsRequest,
    ) -> Result<NameRecordsResponse, Status> {
        let wanted = wanted(&request.records)?;
        let tx = self.database.tx::<DbErr>(&scope);
        let mut names = vec![];
        for (kind, ids) in wanted {
            let naming = self.namings.iter().find(|naming| naming.kind == kind);
            let naming =
                naming.ok_or_else(|| invalid("records.kind", "is no kind of this service's records"))?;
            let ids: Vec<Uuid> = ids.into_iter().collect();
            names.extend(tx.record_names(scope.business().0, naming, &ids).await.map_err(unreadable)?);
        }
        tx.commit().await.map_err(unreadable)?;
        Ok(NameRecordsResponse { names })
    }
}

/// The records of each kind, each once.
fn wanted(records: &[RecordsOfKind]) -> Result<BTreeMap<&str, BTreeSet<Uuid>>, Status> {
    if records.iter().map(|of_kind| of_kind.ids.len()).sum::<usize>() > MOST_RECORDS {
        return Err(invalid("records", "must be at most 2,000"));
    }
    let mut wanted = BTreeMap::<_, BTreeSet<Uuid>>::new();
    for RecordsOfKind { kind, ids } in records {
        let ids: Vec<Uuid> = ids.iter().map(|text| id("records.ids", text)).collect::<Result<_, _>>()?;
        wanted.entry(kind.as_str()).or_default().extend(ids);
    }
    Ok(wanted)
}

fn unreadable(error: DbErr) -> Status {
    tracing::warn!(%error, "the log of changes can't be read");
    refuse(Reason::Unavailable, "the log of changes can't be read right now")
}

fn wire(row: Row) -> Result<AuditEntry, DbErr> {
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
fn fields(json: Option<&str>) -> Result<BTreeMap<String, String>, DbErr> {
    let Some(json) = json else { return Ok(BTreeMap::new()) };
    let fields: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(json).map_err(|error| DbErr::Json(format!("a change is no record: {error}")))?;
    Ok(fields.into_iter().map(|(name, value)| (name, value.to_string())).collect())
}
