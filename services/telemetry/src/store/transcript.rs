//! What was said in a call.

use database::named;
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;

use super::Tx;
use crate::{
    domain::{
        CallId,
        transcript::{Speaker, Transcript, Turn},
    },
    error::Error,
};

#[derive(Debug, FromQueryResult)]
struct Row {
    speaker: String,
    text: String,
    offset_ms: Option<i32>,
    latency_ms: Option<i32>,
    interrupted: bool,
}

pub(super) const READ: &str = "SELECT speaker, text, offset_ms, latency_ms, interrupted FROM turn
    WHERE business_id = :business_id AND call_id = :call_id ORDER BY position";

impl Tx {
    /// The transcript of a call.
    pub async fn transcript(&self, call: CallId) -> Result<Transcript, Error> {
        let values = named! { business_id: self.business.0, call_id: call.0 };
        let rows = self.rows::<Row>(READ, values).await?;
        let turn = |row: Row| {
            let speaker = Speaker::parse(&row.speaker)?;
            let Row { text, offset_ms, latency_ms, interrupted, .. } = row;
            Some(Turn { speaker, text, offset_ms, latency_ms, interrupted })
        };
        let turns: Option<Vec<Turn>> = rows.into_iter().map(turn).collect();
        turns.map(Transcript::new).ok_or_else(|| Error::Unreadable { table: "turn", id: call.to_string() })
    }

    /// Writes what is new: platforms repeat the whole transcript with each turn.
    pub(super) async fn rewrite_transcript(
        &self,
        call: CallId,
        before: &Transcript,
        after: &Transcript,
    ) -> Result<(), Error> {
        let kept = before.common(after);
        let turns: Vec<JsonValue> = after.turns().iter().enumerate().skip(kept).map(row).collect();
        let call = named! { business_id: self.business.0, call_id: call.0 };
        if kept < before.turns().len() {
            let sql = "DELETE FROM turn
                       WHERE business_id = :business_id AND call_id = :call_id AND position >= :kept";
            let kept = i32::try_from(kept).unwrap_or(i32::MAX);
            self.execute(sql, call.clone().and(named! { kept })).await?;
        }
        if !turns.is_empty() {
            let sql = "INSERT INTO turn
                       (business_id, call_id, position, speaker, text, offset_ms, latency_ms, interrupted)
                       SELECT :business_id, :call_id, t.position, t.speaker, t.text, t.offset_ms,
                           t.latency_ms, t.interrupted
                       FROM jsonb_to_recordset(:turns)
                       AS t(position integer, speaker text, text text, offset_ms integer, latency_ms integer,
                           interrupted boolean)";
            self.execute(sql, call.and(named! { turns: JsonValue::from(turns) })).await?;
        }
        Ok(())
    }
}

fn row((position, turn): (usize, &Turn)) -> JsonValue {
    json!({
        "position": position,
        "speaker": turn.speaker.name(),
        "text": turn.text,
        "offset_ms": turn.offset_ms,
        "latency_ms": turn.latency_ms,
        "interrupted": turn.interrupted,
    })
}
