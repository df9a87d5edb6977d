//! Events whose time is not held as a whole.

use caller::Worker;
use database::to_db;
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;

use super::{ReadTurn, Store, Tx, span, text};
use crate::{
    SERVICE,
    domain::{
        busy::{Busy, Fact},
        calendar::Place,
        event::EventId,
        shortfall::{Reason, Shortfall},
    },
    error::Error,
};

const TABLE: &str = "event_shortfall";
/// What is to be told again. Parameters: business, calendar, now.
pub(super) const DUE: &str = "SELECT event_id, title, starts_at, ends_at FROM event_shortfall
    WHERE business_id = $1 AND calendar_id = $2 AND again_at <= $3";
const SAVE: &str = "
    INSERT INTO event_shortfall (business_id, calendar_id, event_id, title, starts_at, ends_at, reason,
        held_until, fault, again_at)
    SELECT $1, $2, r.event_id, r.title, r.starts_at, r.ends_at, r.reason, r.held_until, r.fault, r.again_at
    FROM jsonb_to_recordset($3) AS r(event_id text, title text, starts_at timestamptz, ends_at timestamptz,
        reason text, held_until timestamptz, fault text, again_at timestamptz)";

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

impl Store {
    /// What scheduling is to be told of again by now.
    pub async fn due_again(&self, place: Place) -> Result<Vec<Fact>, Error> {
        let tx = self.begin(&Worker::new(SERVICE, place.business));
        let values =
            [place.business.0.into(), place.calendar.0.into(), to_db(self.database.clock().now()).into()];
        let rows = tx.rows::<Row>(DUE, values).await?;
        tx.commit().await?;
        rows.into_iter().map(Fact::try_from).collect()
    }
}

impl Tx {
    /// Replaces what was known of the events of `facts` by `shortfalls`, which are of them too.
    pub(super) async fn save_shortfalls(
        &self,
        turn: &ReadTurn,
        facts: &[Fact],
        shortfalls: &[Shortfall],
    ) -> Result<(), Error> {
        let (business, calendar) = (turn.place.business.0, turn.place.calendar.0);
        let told: JsonValue = facts.iter().map(|fact| fact.id.0.clone()).collect::<Vec<_>>().into();
        let sql = "DELETE FROM event_shortfall WHERE business_id = $1 AND calendar_id = $2
                   AND event_id IN (SELECT jsonb_array_elements_text($3))";
        self.execute(sql, [business.into(), calendar.into(), told.into()]).await?;
        if shortfalls.is_empty() {
            return Ok(());
        }
        let now = self.now();
        let rows: JsonValue =
            shortfalls.iter().map(|shortfall| row(shortfall, now)).collect::<Vec<_>>().into();
        let values = [business.into(), calendar.into(), rows.into()];
        self.execute(SAVE, values).await?;
        Ok(())
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
