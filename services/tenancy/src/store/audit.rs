//! Who changed what.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::Error;

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT c.id, c.at, c.actor, e.name AS actor_name, c.action, c.record_kind, c.record_id,
                c.before::text AS before, c.after::text AS after, c.refusal
            FROM change_entry c
            -- One by one, so that the page stays in the index's order.
            LEFT JOIN LATERAL (
                SELECT employee.name FROM employee
                WHERE employee.business_id = c.business_id AND employee.user_id =
                    CASE WHEN c.actor LIKE 'user:%' THEN substr(c.actor, 6)::uuid END LIMIT 1
            ) e ON true
            WHERE c.business_id = :business_id AND ",
            $condition,
            "(c.at, c.id) < (:before_at, :before_id) ORDER BY c.at DESC, c.id DESC LIMIT :limit"
        )
    };
}

/// A page of all entries.
pub const CHANGES: &str = select!("");
/// A page of the entries about one record.
pub const CHANGES_OF: &str = select!("c.record_id = :record_id AND ");

const NAMES: &str = "SELECT user_id, name FROM employee WHERE business_id = :business_id AND user_id = ANY(:accounts::uuid[])";

#[derive(FromQueryResult)]
struct NameRow {
    user_id: Uuid,
    name: String,
}

/// A record that was changed, or a change that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeEntry {
    /// Unique in the business.
    pub id: Uuid,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// The employee whose account that is; empty where it is no employee's.
    pub actor_name: String,
    /// The method that was called.
    pub action: String,
    /// The table of the record; empty where the change was refused.
    pub record_kind: String,
    /// The record.
    pub record: Option<Uuid>,
    /// What was changed: field, before and after, as JSON.
    pub changes: Vec<(String, Option<String>, Option<String>)>,
    /// Why the change was refused.
    pub refusal: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    at: DateTime<Utc>,
    actor: String,
    actor_name: Option<String>,
    action: String,
    record_kind: String,
    record_id: Option<Uuid>,
    before: Option<String>,
    after: Option<String>,
    refusal: Option<String>,
}

/// Fields that each record has, which say nothing of the change.
const ASIDE: [&str; 2] = ["business_id", "id"];

impl TryFrom<Row> for ChangeEntry {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let mut before = fields(row.before.as_deref())?;
        let mut after = fields(row.after.as_deref())?;
        let mut names: Vec<String> = before.keys().chain(after.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !ASIDE.contains(&name.as_str()));
        let changes = names.into_iter().map(|name| {
            let (was, is) = (before.remove(&name), after.remove(&name));
            (name, was, is)
        });
        Ok(Self {
            id: row.id,
            at: from_db(row.at),
            actor: row.actor,
            actor_name: row.actor_name.unwrap_or_default(),
            action: row.action,
            record_kind: row.record_kind,
            record: row.record_id,
            changes: changes.collect(),
            refusal: row.refusal.unwrap_or_default(),
        })
    }
}

fn fields(json: Option<&str>) -> Result<BTreeMap<String, String>, Error> {
    let Some(json) = json else { return Ok(BTreeMap::new()) };
    let fields: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(json).map_err(|error| Error::Stored("change", Box::new(error)))?;
    Ok(fields.into_iter().map(|(name, value)| (name, value.to_string())).collect())
}

impl Tx {
    /// A page of entries, the latest first, and one more if there are more; about one record if one is given.
    pub async fn changes(
        &self,
        record: Option<Uuid>,
        before: Option<(Timestamp, Uuid)>,
        limit: u32,
    ) -> Result<Vec<ChangeEntry>, Error> {
        let (at, id) = before.unwrap_or((Timestamp::MAX, Uuid::max()));
        let values = named! {
            business_id: self.business.0, before_at: to_db(at), before_id: id, limit: i64::from(limit),
        };
        match record {
            None => self.all::<Row, _>(CHANGES, values).await,
            Some(record_id) => self.all::<Row, _>(CHANGES_OF, values.and(named! { record_id })).await,
        }
    }

    /// The employees who sign in with these accounts: account and name.
    pub async fn names_of_accounts(&self, accounts: &[Uuid]) -> Result<Vec<(Uuid, String)>, Error> {
        let values = named! { business_id: self.business.0, accounts: accounts.to_vec() };
        let rows: Vec<NameRow> = self.rows(NAMES, values).await.map_err(Error::from)?;
        Ok(rows.into_iter().map(|row| (row.user_id, row.name)).collect())
    }
}
