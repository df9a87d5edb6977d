//! Events whose time is not held as a whole.

use database::named;
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;

use super::{Tx, read_turn::ids, span, text};
use crate::{
    domain::{
        CalendarId,
        busy::{Busy, Fact},
        event::EventId,
        shortfall::{Reason, Shortfall},
    },
    error::Error,
};

const TABLE: &str = "event_shortfall";
/// What is to be told again.
pub(super) const DUE: &str = "SELECT event_id, title, starts_at, ends_at FROM event_shortfall
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND again_at <= :now";
const FORGET: &str = "DELETE FROM event_shortfall WHERE business_id = :business_id
    AND calendar_id = :calendar_id AND event_id IN (SELECT jsonb_array_elements_text(:event_ids))";
const ADD: &str = "
    INSERT INTO event_shortfall (business_id, calendar_id, event_id, title, starts_at, ends_at, reason,
        held_until, fault, again_at)
    SELECT :business_id, :calendar_id, r.event_id, r.title, r.starts_at, r.ends_at, r.reason, r.held_until,
        r.fault, r.again_at
    FROM jsonb_to_recordset(:shortfalls) AS r(event_id text, title text, starts_at timestamptz,
        ends_at timestamptz, reason text, held_until timestamptz, fault text, again_at timestamptz)";

#[derive(Debug, FromQueryResult)]
struct Row {
    event_id: String,
    title: String,
    starts_at: DateTimeUtc,
    ends_at: DateTimeUtc,
}

impl TryFrom<Row> for Fact {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let span = span(TABLE, &row.event_id, row.starts_at, row.ends_at)?;
        Ok(Self { id: EventId(row.event_id), since: None, busy: Some(Busy { title: row.title, span }) })
    }
}

impl Tx {
    /// What scheduling is to be told of again by now.
    pub async fn due_shortfalls(&self, calendar: CalendarId) -> Result<Vec<Fact>, Error> {
        let values = self.calendar_key(calendar).and(named! { now: self.at() });
        self.all::<Row, _>(DUE, values).await
    }

    /// Replaces what was known of the events of `facts` by `shortfalls`, which are of them too.
    pub(super) async fn save_shortfalls(
        &self,
        calendar: CalendarId,
        facts: &[Fact],
        shortfalls: &[Shortfall],
    ) -> Result<(), Error> {
        let told = named! { event_ids: ids(facts.iter()) };
        self.execute(FORGET, self.calendar_key(calendar).and(told)).await?;
        if shortfalls.is_empty() {
            return Ok(());
        }
        let rows: JsonValue = shortfalls.iter().map(|shortfall| row(shortfall, self.now())).collect();
        self.execute(ADD, self.calendar_key(calendar).and(named! { shortfalls: rows })).await.map(drop)
    }
}

fn row(shortfall: &Shortfall, now: Timestamp) -> JsonValue {
    let (held_until, fault) = match &shortfall.reason {
        Reason::TooLong(until) => (Some(text(*until)), None),
        Reason::OutOfRange => (None, None),
        Reason::Refused(fault) => (None, Some(fault)),
    };
    let span = shortfall.busy.span;
    json!({
        "event_id": shortfall.id.0,
        "title": shortfall.busy.title,
        "starts_at": text(span.starts()),
        "ends_at": text(span.ends()),
        "reason": shortfall.reason.name(),
        "held_until": held_until,
        "fault": fault,
        "again_at": shortfall.reason.again_at(now).map(text),
    })
}
