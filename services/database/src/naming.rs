//! What the records are called that entries of the log of changes name.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use proto::{frontdesk::tenancy::v1::RecordName, time::to_proto};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use crate::{Tx, named, time::from_db};

/// How records of a kind are named.
#[derive(Debug, Clone, Copy)]
pub struct Naming {
    /// As entries say it.
    pub kind: &'static str,
    /// Reads `id`, `name` and `at`, the time at which the record takes place if it does, of the records `:ids` of the
    /// business `:business_id`.
    pub sql: &'static str,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    at: Option<DateTime<Utc>>,
}

impl<E: From<DbErr>> Tx<E> {
    /// What records of a business are called, one answer each.
    ///
    /// # Errors
    /// What Postgres refuses.
    pub async fn record_names(
        &self,
        business: Uuid,
        naming: &Naming,
        ids: &[Uuid],
    ) -> Result<Vec<RecordName>, E> {
        let values = named! { business_id: business, ids: ids.to_vec() };
        let rows = self.rows::<Row>(naming.sql, values).await?;
        let mut found: BTreeMap<Uuid, Row> = rows.into_iter().map(|row| (row.id, row)).collect();
        let names = ids.iter().map(|id| {
            let row = found.remove(id);
            RecordName {
                id: id.to_string(),
                kind: naming.kind.to_owned(),
                gone: row.is_none(),
                at: row.as_ref().and_then(|row| row.at).map(|at| to_proto(from_db(at))),
                name: row.map(|row| row.name).unwrap_or_default(),
            }
        });
        Ok(names.collect())
    }
}
