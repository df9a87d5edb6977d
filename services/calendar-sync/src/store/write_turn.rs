//! Whose turn it is to write an event, and what came of it.

use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{
    Store, Tx,
    calendar::{is_known, kind},
    claim, span, without,
};
use crate::{
    domain::{
        AppointmentId, CalendarId,
        calendar::{Kind, Place},
        event::{Etag, Event, EventId},
        lease::Lease,
        slots::Full,
        sync_step::Step,
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
    /// The appointment it stands for.
    pub appointment: AppointmentId,
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
    /// At which server the calendar is; empty where nothing is called.
    pub server: String,
    wanted: i64,
}

/// What is left alone after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rests {
    /// The event alone.
    Event,
    /// All of its calendar.
    Calendar,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    calendar_id: Uuid,
    server: String,
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

/// Takes a turn at each of the calendars whose writes have been due longest, and in each at the event that has
/// been: a calendar has one writer at a time, and others' turns are passed over. So are events that are being planned
/// anew: these turns lock events of several calendars, in no order of ids. Of calendars that are being disconnected,
/// those are written to from which appointments are taken out. What is at a server, or of a business, that has as many
/// turns as it may have is passed over.
pub(super) const CLAIM: &str = "
    WITH waiting AS MATERIALIZED (
        SELECT business_id, calendar_id, min(due_at) AS due_at FROM calendar_write
        WHERE written < wanted AND parked_at IS NULL AND due_at <= :now
        GROUP BY business_id, calendar_id ORDER BY min(due_at)),
    free AS MATERIALIZED (
        SELECT s.business_id, s.calendar_id, s.server FROM waiting w CROSS JOIN LATERAL (
            SELECT s.business_id, s.calendar_id, s.server FROM sync_state s
            WHERE s.business_id = w.business_id AND s.calendar_id = w.calendar_id
                AND (NOT s.leaving OR EXISTS (SELECT FROM calendar_cleanup u
                    WHERE u.business_id = s.business_id AND u.calendar_id = s.calendar_id))
                AND (s.writing_until IS NULL OR s.writing_until <= :now)
                AND s.server <> ALL(:full_servers::text[]) AND s.business_id <> ALL(:full_businesses::uuid[])
            LIMIT 1 FOR UPDATE SKIP LOCKED) s LIMIT :limit),
    due AS MATERIALIZED (
        SELECT f.business_id, f.calendar_id, f.server, e.event_id FROM free f CROSS JOIN LATERAL (
            SELECT w.event_id FROM calendar_write w
            WHERE w.business_id = f.business_id AND w.calendar_id = f.calendar_id
                AND w.written < w.wanted AND w.parked_at IS NULL AND w.due_at <= :now
                AND (w.leased_until IS NULL OR w.leased_until <= :now)
            ORDER BY w.due_at LIMIT 1 FOR UPDATE SKIP LOCKED) e),
    taken AS (
        UPDATE sync_state s SET writer = :lease, writing_until = :leased_until FROM due
        WHERE s.business_id = due.business_id AND s.calendar_id = due.calendar_id)
    UPDATE calendar_write w SET lease = :lease, leased_until = :leased_until FROM due JOIN calendar c
        ON c.business_id = due.business_id AND c.id = due.calendar_id
    WHERE w.business_id = due.business_id AND w.calendar_id = due.calendar_id AND w.event_id = due.event_id
    RETURNING w.business_id, w.calendar_id, due.server, c.kind, w.event_id, w.appointment_id, w.title, w.starts_at,
        w.ends_at, w.removed, w.wanted, w.etag, w.failures, w.wanted_at, w.traceparent";
const WRITTEN: &str = "
    UPDATE calendar_write SET written = :written, etag = :etag, written_at = :now, last_error = NULL, failures = 0,
        parked_at = NULL, lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id
        AND lease = :lease";
/// The calendar's next writer may come.
const FREE: &str = "UPDATE sync_state SET writer = NULL, writing_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND writer = :lease";
/// A calendar that can't be reached takes none of its other events, either: they wait as long. Those that are being
/// planned anew stay due; waiting for them, two transactions might wait for each other.
const REST: &str = "WITH others AS MATERIALIZED (
        SELECT event_id FROM calendar_write
        WHERE business_id = :business_id AND calendar_id = :calendar_id AND written < wanted AND parked_at IS NULL
            AND due_at < :due_again
        FOR UPDATE SKIP LOCKED)
    UPDATE calendar_write w SET due_at = :due_again FROM others
    WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.event_id = others.event_id";
const MAKE_DUE: &str = "WITH waiting AS MATERIALIZED (
        SELECT calendar_id, event_id FROM calendar_write
        WHERE business_id = :business_id AND calendar_id = ANY(:calendar_ids::uuid[]) AND written < wanted
            AND parked_at IS NULL
        ORDER BY event_id FOR UPDATE)
    UPDATE calendar_write w SET due_at = LEAST(w.due_at, :now), failures = 0 FROM waiting
    WHERE w.business_id = :business_id AND w.calendar_id = waiting.calendar_id AND w.event_id = waiting.event_id";
/// A plan that changed meanwhile is tried as it is now.
const PARKED: &str = "
    UPDATE calendar_write SET last_error = :error, failures = failures + 1,
        parked_at = CASE WHEN wanted = :wanted THEN :now END, lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id
        AND lease = :lease";
const FORGET_REMOVED: &str = "DELETE FROM calendar_write WHERE business_id = :business_id
    AND calendar_id = :calendar_id AND event_id = :event_id AND removed AND written = wanted";
const FAILED: &str = "
    UPDATE calendar_write SET last_error = :error, due_at = :due_again, failures = failures + 1,
        lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id
        AND lease = :lease";
const LATER: &str = "
    UPDATE calendar_write SET lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id
        AND lease = :lease";

const AGAIN: &str =
    "UPDATE calendar_write SET wanted = GREATEST(wanted, written) + 1, due_at = :now, wanted_at = :now,
        failures = 0, parked_at = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id";
/// The appointment's time is unknown here, and a removal needs none.
const REMOVE: &str = "INSERT INTO calendar_write (business_id, calendar_id, event_id, appointment_id, title,
        starts_at, ends_at, removed, wanted_at, due_at)
    VALUES (:business_id, :calendar_id, :event_id, :appointment_id, '', :now, :now::timestamptz + interval '1 second',
        true, :now, :now)
    ON CONFLICT (business_id, calendar_id, event_id) DO UPDATE SET removed = true";
/// Of a calendar that rests after a failure, the event that failed counts it; the others wait as long.
const RETRY_FAILED: &str = "WITH waiting AS MATERIALIZED (
        SELECT w.event_id FROM calendar_write w
        WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.written < w.wanted
            AND w.parked_at IS NULL AND EXISTS (SELECT FROM calendar_write f
                WHERE f.business_id = :business_id AND f.calendar_id = :calendar_id AND f.written < f.wanted
                    AND f.parked_at IS NULL AND f.failures > 0)
        ORDER BY w.event_id FOR UPDATE OF w)
    UPDATE calendar_write w SET due_at = LEAST(w.due_at, :now), failures = 0 FROM waiting
    WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.event_id = waiting.event_id";
const RETRY: &str = "WITH waiting AS MATERIALIZED (
        SELECT calendar_id, event_id FROM calendar_write
        WHERE business_id = :business_id AND appointment_id = :appointment_id AND written < wanted
        ORDER BY event_id FOR UPDATE),
    retried AS (
        UPDATE calendar_write w SET due_at = :now, failures = 0, parked_at = NULL FROM waiting
        WHERE w.business_id = :business_id AND w.calendar_id = waiting.calendar_id AND w.event_id = waiting.event_id
        RETURNING w.calendar_id)
    SELECT DISTINCT calendar_id FROM retried";

impl Store {
    /// Takes the turn of at most `limit` events that are due, in every business, and none of what is full.
    pub async fn claim_writes(&self, limit: usize, full: Full) -> Result<Vec<WriteTurn>, Error> {
        let tx = self.begin_for_all();
        let lease = Lease::begin(tx.new_id(), tx.now());
        let rows = tx.rows::<Row>(CLAIM, claim(&tx, limit, lease).and(without(full))).await?;
        tx.commit().await?;
        let known = rows.into_iter().filter(|row| is_known(row.calendar_id, &row.kind));
        known.map(|row| turn(row, lease)).collect()
    }
}

impl Tx {
    /// Keeps that an event was written, unless the turn was lost. What has changed
    /// meanwhile stays due.
    pub async fn save_written(&self, turn: &WriteTurn, etag: Option<Etag>) -> Result<(), Error> {
        self.free_writer(turn).await?;
        let event = self.event_key(turn);
        let etag = etag.map(|etag| etag.0);
        let written = named! { lease: turn.lease.id, written: turn.wanted, etag, now: self.at() };
        if self.execute(WRITTEN, event.clone().and(written)).await? == 1 {
            let step = if turn.removed { Step::Removed } else { Step::Written };
            self.add_history(turn.appointment, turn.place.calendar, step, None).await?;
        }
        self.execute(FORGET_REMOVED, event).await?;
        if turn.removed { self.hasten_end(turn.place.calendar).await } else { Ok(()) }
    }

    /// Keeps what stopped a write, and when to try again.
    pub async fn save_write_failure(
        &self,
        turn: &WriteTurn,
        error: &str,
        due_again: Timestamp,
        rests: Rests,
    ) -> Result<(), Error> {
        self.free_writer(turn).await?;
        let due_again = to_db(due_again);
        let failed = named! { lease: turn.lease.id, error, due_again };
        if self.execute(FAILED, self.event_key(turn).and(failed)).await? == 1 {
            self.add_history(turn.appointment, turn.place.calendar, Step::Failed, Some(error)).await?;
        }
        if rests == Rests::Calendar {
            self.execute(REST, self.calendar_key(turn.place.calendar).and(named! { due_again })).await?;
        }
        Ok(())
    }

    /// Hands a turn back: nothing went wrong, and the calendar's writes wait until then.
    pub async fn hand_back_write(&self, turn: &WriteTurn, due_again: Timestamp) -> Result<(), Error> {
        self.free_writer(turn).await?;
        self.execute(LATER, self.event_key(turn).and(named! { lease: turn.lease.id })).await?;
        let rest = named! { due_again: to_db(due_again) };
        self.execute(REST, self.calendar_key(turn.place.calendar).and(rest)).await.map(drop)
    }

    /// Keeps that the calendar refused an event: it waits for a person, alone.
    pub async fn park_write(&self, turn: &WriteTurn, reason: &str) -> Result<(), Error> {
        self.free_writer(turn).await?;
        let parked = named! { lease: turn.lease.id, error: reason, wanted: turn.wanted, now: self.at() };
        if self.execute(PARKED, self.event_key(turn).and(parked)).await? == 1 {
            self.add_history(turn.appointment, turn.place.calendar, Step::Parked, Some(reason)).await?;
        }
        Ok(())
    }

    /// Makes what waits for calendars due now; what was parked stays so. A transaction that makes the calendars due as
    /// well does that first.
    pub async fn make_writes_due(&self, calendars: &[CalendarId]) -> Result<(), Error> {
        let calendar_ids: Vec<Uuid> = calendars.iter().map(|calendar| calendar.0).collect();
        let values = named! { business_id: self.business.0, calendar_ids, now: self.at() };
        self.lock_plan().await?;
        self.execute(MAKE_DUE, values).await.map(drop)
    }

    /// Makes what waits for a calendar because of failures due now. Without any failure the calendar itself asked to
    /// wait, and is not asked before then; what was parked stays so.
    pub async fn retry_failed_writes(&self, calendar: CalendarId) -> Result<(), Error> {
        self.lock_plan().await?;
        self.execute(RETRY_FAILED, self.calendar_key(calendar).and(named! { now: self.at() })).await.map(drop)
    }

    /// Has an event written anew, whatever is known of it.
    pub async fn write_again(&self, calendar: CalendarId, event: &EventId) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! { event_id: event.0.as_str(), now: self.at() });
        self.execute(AGAIN, values).await.map(drop)
    }

    /// Plans to take out an event that the book has nothing for.
    pub async fn add_removal(
        &self,
        calendar: CalendarId,
        event: &EventId,
        appointment: AppointmentId,
    ) -> Result<(), Error> {
        let removed = named! { event_id: event.0.as_str(), appointment_id: appointment.0, now: self.at() };
        self.execute(REMOVE, self.calendar_key(calendar).and(removed)).await.map(drop)
    }

    /// Makes what is not written of an appointment due now, also what was parked; in which calendars.
    pub async fn retry_writes(&self, appointment: AppointmentId) -> Result<Vec<CalendarId>, Error> {
        let values = named! { business_id: self.business.0, appointment_id: appointment.0, now: self.at() };
        self.lock_plan().await?;
        let calendars = self.values::<Uuid>(RETRY, values).await?;
        Ok(calendars.into_iter().map(CalendarId).collect())
    }

    /// Comes first: taking a turn locks a calendar before its writes, too. Locked the other way round, two transactions
    /// could wait for each other.
    async fn free_writer(&self, turn: &WriteTurn) -> Result<(), Error> {
        let values = self.calendar_key(turn.place.calendar).and(named! { lease: turn.lease.id });
        self.execute(FREE, values).await.map(drop)
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
        appointment: AppointmentId(row.appointment_id),
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
        server: row.server,
        wanted: row.wanted,
    })
}
