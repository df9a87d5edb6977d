//! Calls of a salon that worked before it came here, many in a statement.

use std::{collections::HashSet, sync::LazyLock};

use database::named;
use sea_orm::{FromQueryResult, IdenStatic, Iterable, JsonValue};
use serde_json::json;
use uuid::Uuid;

use super::{
    Tx,
    call::{Column, Model, changed},
};
use crate::{
    domain::{
        CallId,
        call::{Call, CallState, Identity},
        counted::{Counted, Difference},
    },
    error::Error,
};

/// Of calls that are over, all is written as they are opened.
const VERSION: i64 = 1;

static ADD: LazyLock<String> = LazyLock::new(|| {
    let columns = Column::iter().map(|column| column.as_str()).collect::<Vec<_>>().join(", ");
    format!(
        "INSERT INTO call (connection_id, platform_call_id, {columns})
        SELECT connection_id, platform_call_id, {columns} FROM jsonb_populate_recordset(NULL::call, :calls)
            WHERE business_id = :business_id
        ON CONFLICT ON CONSTRAINT call_identity DO NOTHING RETURNING id"
    )
});

#[derive(Debug, FromQueryResult)]
struct AddedRow {
    id: Uuid,
}

impl Tx {
    /// Opens calls that are over under ids of their own, each as it ended; says of which nothing was told before.
    pub async fn open_past_calls(&self, calls: &[(Identity, Call)]) -> Result<HashSet<CallId>, Error> {
        let rows: Vec<JsonValue> = calls
            .iter()
            .map(|(identity, call)| {
                let mut row = json!(Model::of(self.business, call, VERSION));
                row["connection_id"] = json!(identity.connection.0);
                row["platform_call_id"] = json!(identity.platform_call_id);
                row
            })
            .collect();
        let added = self
            .rows::<AddedRow>(&ADD, named! { business_id: self.business.0, calls: JsonValue::from(rows) })
            .await?;
        Ok(added.into_iter().map(|row| CallId(row.id)).collect())
    }

    /// Writes what was said in calls that were just opened, counts them and says so in the log.
    pub async fn tell_past_calls(&self, calls: &[Call]) -> Result<(), Error> {
        if calls.is_empty() {
            return Ok(());
        }
        self.add_transcripts(calls).await?;
        self.write_words(calls).await?;
        let counted = calls.iter().map(|call| Difference::between(None, Some(&Counted::of(call))));
        self.change_figures(counted).await?;
        let ended = calls.iter().filter_map(|call| match call.state() {
            CallState::Ended { at, outcome } => Some(self.call_ended(at, outcome)),
            CallState::Live => None,
        });
        self.add_product_events(&ended.collect::<Vec<_>>()).await?;
        self.publish_changes(calls.iter().map(|call| (call.id.0, VERSION, changed(call)))).await
    }
}
