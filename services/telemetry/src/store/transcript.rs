//! What was said in a call.

use database::named;
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;

use super::Tx;
use crate::{
    domain::{
        CallId,
        call::Call,
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

const ADD: &str = "INSERT INTO turn
        (business_id, call_id, position, speaker, text, offset_ms, latency_ms, interrupted)
    SELECT :business_id, t.call_id, t.position, t.speaker, t.text, t.offset_ms, t.latency_ms, t.interrupted
    FROM jsonb_to_recordset(:turns) AS t (call_id uuid, position integer, speaker text, text text,
        offset_ms integer, latency_ms integer, interrupted boolean)";

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
        let turns = rows(call, after, kept);
        let call = named! { business_id: self.business.0, call_id: call.0 };
        if kept < before.turns().len() {
            let sql = "DELETE FROM turn
                       WHERE business_id = :business_id AND call_id = :call_id AND position >= :kept";
            let kept = i32::try_from(kept).unwrap_or(i32::MAX);
            self.execute(sql, call.and(named! { kept })).await?;
        }
        self.add_turns(turns).await
    }

    /// Adds what was said in new calls.
    pub(super) async fn add_transcripts<'a>(
        &self,
        calls: impl IntoIterator<Item = &'a Call>,
    ) -> Result<(), Error> {
        let turns = calls.into_iter().flat_map(|call| rows(call.id, &call.facts.transcript, 0));
        self.add_turns(turns.collect()).await
    }

    async fn add_turns(&self, turns: Vec<JsonValue>) -> Result<(), Error> {
        if turns.is_empty() {
            return Ok(());
        }
        let values = named! { business_id: self.business.0, turns: JsonValue::from(turns) };
        self.execute(ADD, values).await.map(drop)
    }
}

fn rows(call: CallId, transcript: &Transcript, kept: usize) -> Vec<JsonValue> {
    transcript.turns().iter().enumerate().skip(kept).map(|turn| row(call, turn)).collect()
}

fn row(call: CallId, (position, turn): (usize, &Turn)) -> JsonValue {
    json!({
        "call_id": call.0,
        "position": position,
        "speaker": turn.speaker.name(),
        "text": turn.text,
        "offset_ms": turn.offset_ms,
        "latency_ms": turn.latency_ms,
        "interrupted": turn.interrupted,
    })
}
