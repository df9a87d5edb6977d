//! Whose turn it is to write an event, and what came of it.

use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Store, Tx, calendar::kind, claim, span};
use crate::{
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
        WHERE written < wanted AND due_at <= :now AND (leased_until IS NULL OR leased_until <= :now)
        ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE calendar_write w SET lease = :lease, leased_until = :leased_until FROM due JOIN calendar c
        ON c.business_id = due.business_id AND c.id = due.calendar_id
    WHERE w.business_id = due.business_id AND w.calendar_id = due.calendar_id AND w.event_id = due.event_id
    RETURNING w.business_id, w.calendar_id, c.kind, w.event_id, w.appointment_id, w.title, w.starts_at, w.ends_at,
        w.removed, w.wanted, w.etag, w.failures, w.wanted_at, w.traceparent";
const WRITTEN: &str = "
    UPDATE calendar_write SET written = :written, etag = :etag, last_error = NULL, failures = 0,
        lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id
        AND lease = :lease";
const FORGET_REMOVED: &str = "DELETE FROM calendar_write WHERE business_id = :business_id
    AND calendar_id = :calendar_id AND event_id = :event_id AND removed AND written = wanted";
const FAILED: &str = "
    UPDATE calendar_write SET last_error = :error, due_at = :due_again, failures = failures + 1,
        lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id
        AND lease = :lease";

impl Store {
    /// Takes the turn of at most `limit` events that are due, in every business.
    pub async fn claim_writes(&self, limit: usize) -> Result<Vec<WriteTurn>, Error> {
        let tx = self.begin_for_all();
        let lease = Lease::begin(tx.new_id(), tx.now());
        let rows = tx.rows::<Row>(CLAIM, claim(&tx, limit, lease)).await?;
        tx.commit().await?;
        rows.into_iter().map(|row| turn(row, lease)).collect()
    }
}

impl Tx {
    /// Keeps that an event was written, unless the turn was lost. What has changed
    /// meanwhile stays due.
    pub async fn save_written(&self, turn: &WriteTurn, etag: Option<Etag>) -> Result<(), Error> {
        let event = self.event_key(turn);
        let etag = etag.map(|etag| etag.0);
        let written = named! { lease: turn.lease.id, written: turn.wanted, etag };
        self.execute(WRITTEN, event.clone().and(written)).await?;
        self.execute(FORGET_REMOVED, event).await.map(drop)
    }

    /// Keeps what stopped a write, and when to try again.
    pub async fn save_write_failure(
        &self,
        turn: &WriteTurn,
        error: &str,
        due_again: Timestamp,
    ) -> Result<(), Error> {
        let failed = named! { lease: turn.lease.id, error, due_again: to_db(due_again) };
        self.execute(FAILED, self.event_key(turn).and(failed)).await.map(drop)
    }

    fn event_key(&self, turn: &WriteTurn) -> Named {
        self.calendar_key(turn.place.calendar).and(named! { event_id: turn.event.id.0.as_str() })
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
