//! Whose turn it is to write an event, and what came of it.

use caller::Worker;
use database::{from_db, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Store, calendar::kind, span};
use crate::{
    SERVICE,
    domain::{
        AppointmentId, CalendarId,
        calendar::{Kind, Place},
        event::{Etag, Event, EventId},
        lease::Lease,
    },
    error::Error,
};

/// One event to write, and the turn to do it.
#[derive(Debug, Clone)]
pub struct WriteTurn {
    /// Where.
    pub place: Place,
    /// The kind of calendar.
    pub kind: Kind,
    /// The turn.
    pub lease: Lease,
    /// What it shall be.
    pub event: Event,
    /// That it shall not be there.
    pub removed: bool,
    /// The version that was last written.
    pub etag: Option<Etag>,
    /// Attempts in a row that failed.
    pub failures: i32,
    /// When what made it due happened.
    pub since: Timestamp,
    /// The trace of that.
    pub traceparent: Option<String>,
    wanted: i64,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    calendar_id: Uuid,
    kind: String,
    event_id: String,
    appointment_id: Uuid,
    title: String,
    starts_at: DateTimeUtc,
    ends_at: DateTimeUtc,
    removed: bool,
    wanted: i64,
    etag: Option<String>,
    failures: i32,
    wanted_at: DateTimeUtc,
    traceparent: Option<String>,
}

/// Takes the turn of what has been due longest; others' turns are passed over.
pub(super) const CLAIM: &str = "
    WITH due AS MATERIALIZED (
        SELECT business_id, calendar_id, event_id FROM calendar_write
        WHERE written < wanted AND due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
        ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    UPDATE calendar_write w SET lease = $3, leased_until = $4 FROM due JOIN calendar c
        ON c.business_id = due.business_id AND c.id = due.calendar_id
    WHERE w.business_id = due.business_id AND w.calendar_id = due.calendar_id AND w.event_id = due.event_id
    RETURNING w.business_id, w.calendar_id, c.kind, w.event_id, w.appointment_id, w.title, w.starts_at, w.ends_at,
        w.removed, w.wanted, w.etag, w.failures, w.wanted_at, w.traceparent";

impl Store {
    /// Takes the turn of at most `limit` events that are due, in every business.
    pub async fn claim_writes(&self, limit: usize) -> Result<Vec<WriteTurn>, Error> {
        let now = self.database.clock().now();
        let lease = Lease::begin(self.database.clock().new_id(), now);
        let tx = self.begin_for_all();
        let values = [
            to_db(now).into(),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
            lease.id.into(),
            to_db(lease.until).into(),
        ];
        let rows = tx.rows::<Row>(CLAIM, values).await?;
        tx.commit().await?;
        rows.into_iter().map(|row| turn(row, lease)).collect()
    }

    /// Records that an event was written, unless the turn was lost. What has changed
    /// meanwhile stays due.
    pub async fn wrote(&self, turn: &WriteTurn, etag: Option<Etag>) -> Result<(), Error> {
        let tx = self.begin(&Worker::new(SERVICE, turn.place.business));
        let sql = "UPDATE calendar_write SET written = $5, etag = $6, last_error = NULL, failures = 0,
                       lease = NULL, leased_until = NULL
                   WHERE business_id = $1 AND calendar_id = $2 AND event_id = $3 AND lease = $4";
        let [business, calendar, event, lease] = turn.key();
        let etag = etag.map(|etag| etag.0).into();
        let values = [business, calendar, event, lease, turn.wanted.into(), etag];
        tx.execute(sql, values).await?;
        let sql = "DELETE FROM calendar_write WHERE business_id = $1 AND calendar_id = $2 AND event_id = $3
                   AND removed AND written = wanted";
        let [business, calendar, event, _] = turn.key();
        tx.execute(sql, [business, calendar, event]).await?;
        tx.commit().await
    }

    /// Records what stopped a write, and when to try again.
    pub async fn write_failed(&self, turn: &WriteTurn, error: &str, again: Timestamp) -> Result<(), Error> {
        let tx = self.begin(&Worker::new(SERVICE, turn.place.business));
        let sql = "UPDATE calendar_write SET last_error = $5, due_at = $6, failures = failures + 1,
                       lease = NULL, leased_until = NULL
                   WHERE business_id = $1 AND calendar_id = $2 AND event_id = $3 AND lease = $4";
        let [business, calendar, event, lease] = turn.key();
        let values = [business, calendar, event, lease, error.into(), to_db(again).into()];
        tx.execute(sql, values).await?;
        tx.commit().await
    }
}

impl WriteTurn {
    fn key(&self) -> [sea_orm::Value; 4] {
        let Place { business, calendar } = self.place;
        [business.0.into(), calendar.0.into(), self.event.id.0.as_str().into(), self.lease.id.into()]
    }
}

fn turn(row: Row, lease: Lease) -> Result<WriteTurn, Error> {
    Ok(WriteTurn {
        place: Place { business: row.business_id.into(), calendar: CalendarId(row.calendar_id) },
        kind: kind(row.calendar_id, &row.kind)?,
        lease,
        event: Event {
            span: span("calendar_write", &row.event_id, row.starts_at, row.ends_at)?,
            id: EventId(row.event_id),
            title: row.title,
            appointment: Some(AppointmentId(row.appointment_id)),
        },
        removed: row.removed,
        etag: row.etag.map(Etag),
        failures: row.failures,
        since: from_db(row.wanted_at),
        traceparent: row.traceparent,
        wanted: row.wanted,
    })
}
