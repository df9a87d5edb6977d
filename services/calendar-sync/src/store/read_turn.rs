//! Whose turn it is to read a calendar, and up to where it was read.

use std::collections::BTreeSet;

use core::time::Duration;
use database::{named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, JsonValue};
use uuid::Uuid;

use super::{
    Store, Tx,
    calendar::{is_known, kind},
    claim,
    read_siblings::with_siblings,
    without,
};
use crate::{
    domain::{
        CalendarId, ConnectionId, EmployeeId,
        busy::{Aside, Extent, Fact},
        calendar::{Kind, Place, Token},
        event::EventId,
        lease::Lease,
        shortfall::Shortfall,
        slots::Full,
    },
    error::Error,
};

/// How often a calendar at Google is read at most: a project has 10,000 calls a minute for all its people.
const GOOGLE_POLLED: SignedDuration = SignedDuration::from_secs(15);
/// And while Google pushes hints, which get lost.
const GOOGLE_WATCHED: SignedDuration = SignedDuration::from_secs(60);

/// One calendar to read, and the turn to do it.
#[derive(Debug, Clone)]
pub struct ReadTurn {
    /// Where.
    pub place: Place,
    /// The kind of calendar.
    pub kind: Kind,
    /// Whose it is.
    pub employee: EmployeeId,
    /// The turn.
    pub lease: Lease,
    /// Up to where it was read; `None` before the first time.
    pub token: Option<Token>,
    /// Attempts in a row that failed.
    pub failures: i32,
    /// It is being disconnected.
    pub leaving: bool,
    /// At which server it is; empty where nothing is called.
    pub server: String,
}

/// What is read at once.
#[derive(Debug, Clone)]
pub enum Reading {
    /// A calendar.
    Alone(ReadTurn),
    /// The appointments of several employees of a connection to a booking system, of which none failed the last time.
    Together(ConnectionId, Vec<ReadTurn>),
}

impl Reading {
    /// The first of what is read.
    #[must_use]
    pub fn first(&self) -> Option<&ReadTurn> {
        match self {
            Self::Alone(turn) => Some(turn),
            Self::Together(_, turns) => turns.first(),
        }
    }
}

/// How a calendar was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// How much of it.
    pub extent: Extent,
    /// The objects that were read, where it was not all of them.
    pub objects: Vec<EventId>,
    /// Those of them that can't be read.
    pub aside: Vec<Aside>,
    /// Up to where.
    pub token: Token,
}

#[derive(Debug, FromQueryResult)]
pub(super) struct Row {
    pub(super) business_id: Uuid,
    calendar_id: Uuid,
    pub(super) server: String,
    kind: String,
    employee_id: Uuid,
    pub(super) token: Option<String>,
    pub(super) failures: i32,
    pub(super) leaving: bool,
    pub(super) connection_id: Option<Uuid>,
}

/// Takes the turn of what has been due longest, of no server and business that has as many turns as it may have, and
/// makes it due again after the interval: a hint that comes meanwhile makes it due earlier. Google is asked less often,
/// least where it pushes hints, and so are booking systems of others. A turn that its process did not live to end is a
/// failure, and from the second in a row on the calendar rests twice as long each time, up to a quarter of an hour: what
/// it says may be what ends processes. Of the employees of a connection to a booking system, the one who has been due
/// longest is read, once no other one is: two would wait for each other at every page.
pub(super) const CLAIM: &str = "
    WITH due AS MATERIALIZED (
        SELECT s.business_id, s.calendar_id, p.connection_id FROM sync_state s
        LEFT JOIN provider_calendar p ON p.business_id = s.business_id AND p.id = s.calendar_id
        WHERE s.due_at <= :now AND (s.leased_until IS NULL OR s.leased_until <= :now)
            AND s.server <> ALL(:full_servers::text[]) AND s.business_id <> ALL(:full_businesses::uuid[])
            AND NOT EXISTS (SELECT FROM provider_calendar o
                JOIN sync_state b ON b.business_id = o.business_id AND b.calendar_id = o.id
                WHERE o.business_id = p.business_id AND o.connection_id = p.connection_id
                    AND (b.leased_until > :now OR (b.due_at, b.calendar_id) < (s.due_at, s.calendar_id)))
        ORDER BY s.due_at LIMIT :limit FOR UPDATE OF s SKIP LOCKED)
    UPDATE sync_state s SET lease = :lease, leased_until = :leased_until,
        failures = s.failures + CASE WHEN s.lease IS NULL THEN 0 ELSE 1 END,
        due_at = GREATEST(CASE WHEN c.kind <> 'GOOGLE'
                THEN GREATEST(:due_again, :now::timestamptz + s.rest_seconds * interval '1 second')
            WHEN EXISTS (SELECT FROM google_channel g WHERE g.business_id = c.business_id AND g.calendar_id = c.id
                AND g.expires_at > :now) THEN GREATEST(:due_again, :watched_again)
            ELSE GREATEST(:due_again, :polled_again) END,
            CASE WHEN s.lease IS NOT NULL
                THEN :now::timestamptz + interval '30 seconds' * (2 ^ LEAST(s.failures, 5) - 1) END)
    FROM due JOIN calendar c ON c.business_id = due.business_id AND c.id = due.calendar_id
    WHERE s.business_id = due.business_id AND s.calendar_id = due.calendar_id
    RETURNING s.business_id, s.calendar_id, s.server, c.kind, c.employee_id, s.token, s.failures, s.leaving,
        due.connection_id";
const DONE: &str = "
    UPDATE sync_state SET token = :token, synced_at = :now, last_error = NULL, failing_since = NULL, failures = 0,
        entries_read = NULL, asked_until = NULL,
        report_due_at = CASE WHEN synced_at IS NULL OR last_error IS NOT NULL THEN :now ELSE report_due_at END,
        lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND lease = :lease";
const FAILED: &str = "
    UPDATE sync_state SET last_error = :error, failing_since = COALESCE(failing_since, :now),
        report_due_at = CASE WHEN last_error IS DISTINCT FROM :error THEN :now ELSE report_due_at END,
        due_at = GREATEST(:due_again, :now::timestamptz + rest_seconds * interval '1 second'),
        asked_until = :asked_until::timestamptz, failures = failures + 1, lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND lease = :lease";
const LATER: &str = "
    UPDATE sync_state SET due_at = :due_again, asked_until = :due_again, lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND lease = :lease";
/// What is due sooner stays so: a hint came, or the wish is over.
const RETRY: &str = "UPDATE sync_state SET due_at = LEAST(due_at, GREATEST(:now::timestamptz, asked_until))
    WHERE business_id = :business_id AND calendar_id = :calendar_id";
const PROGRESS: &str = "
    UPDATE sync_state SET entries_read = :entries
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND lease = :lease";
const END_TURN: &str = "UPDATE sync_state SET lease = NULL, leased_until = NULL
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND lease = :lease RETURNING leaving";
const TOLD: &str = "SELECT event_id FROM told_event
    WHERE business_id = :business_id AND calendar_id = :calendar_id";
const ADD_TOLD: &str = "INSERT INTO told_event (business_id, calendar_id, event_id)
    SELECT :business_id, :calendar_id, jsonb_array_elements_text(:event_ids) ON CONFLICT DO NOTHING";
const FORGET_TOLD: &str = "DELETE FROM told_event WHERE business_id = :business_id
    AND calendar_id = :calendar_id AND event_id IN (SELECT jsonb_array_elements_text(:event_ids))";

/// What is kept by calendar.
const OF_CALENDAR: [&str; 10] = [
    "sync_state",
    "calendar_cleanup",
    "told_event",
    "event_shortfall",
    "unread_entry",
    "calendar_write",
    "sync_history",
    "demo_event",
    "google_channel",
    "provider_appointment",
];

/// What is kept of calendars of one kind.
const OF_KIND: [&str; 5] =
    ["demo_calendar", "caldav_calendar", "provider_calendar", "google_calendar", "ics_calendar"];

impl Store {
    /// Takes the turn of at most `limit` calendars that are due, in every business, and none of what is full; and with an
    /// employee of a connection to a booking system, that of the others, unless they are read `apart`.
    pub async fn claim_reads(
        &self,
        limit: usize,
        interval: Duration,
        full: Full,
        apart: &[ConnectionId],
    ) -> Result<Vec<Reading>, Error> {
        let tx = self.begin_for_all();
        let lease = Lease::begin(tx.new_id(), tx.now());
        let due_again = tx.now() + SignedDuration::try_from(interval).unwrap_or(SignedDuration::ZERO);
        let values = claim(&tx, limit, lease).and(without(full)).and(named! {
            due_again: to_db(due_again),
            polled_again: to_db(tx.now() + GOOGLE_POLLED),
            watched_again: to_db(tx.now() + GOOGLE_WATCHED),
        });
        let rows = tx.rows::<Row>(CLAIM, values).await?;
        let known = rows.into_iter().filter(|row| is_known(row.calendar_id, &row.kind)).collect();
        let again = named! { lease: lease.id, leased_until: to_db(lease.until), due_again: to_db(due_again) };
        let readings = with_siblings(&tx, known, apart, &again).await?;
        tx.commit().await?;
        let mut all = vec![];
        for (connection, rows) in readings {
            let turns = rows.into_iter().map(|row| turn(row, lease)).collect::<Result<Vec<ReadTurn>, _>>()?;
            match connection {
                Some(connection) if turns.len() > 1 => all.push(Reading::Together(connection, turns)),
                _ => all.extend(turns.into_iter().map(Reading::Alone)),
            }
        }
        Ok(all)
    }
}

impl Tx {
    /// Adds how far a new calendar at a server was read, and makes it due.
    pub async fn add_sync_state(&self, calendar: CalendarId, server: &str) -> Result<(), Error> {
        let sql = "INSERT INTO sync_state (business_id, calendar_id, server, due_at)
                   VALUES (:business_id, :calendar_id, :server, :now)";
        self.execute(sql, self.calendar_key(calendar).and(named! { server, now: self.at() })).await.map(drop)
    }

    /// Has a calendar read no more often than that, unless a hint makes it due.
    pub async fn space_reads(&self, calendar: CalendarId, seconds: i32) -> Result<(), Error> {
        let sql = "UPDATE sync_state SET rest_seconds = :seconds
                   WHERE business_id = :business_id AND calendar_id = :calendar_id";
        self.execute(sql, self.calendar_key(calendar).and(named! { seconds })).await.map(drop)
    }

    /// Makes a calendar due now.
    pub async fn make_due(&self, calendar: CalendarId) -> Result<(), Error> {
        let sql = "UPDATE sync_state SET due_at = LEAST(due_at, :now)
                   WHERE business_id = :business_id AND calendar_id = :calendar_id";
        self.execute(sql, self.calendar_key(calendar).and(named! { now: self.at() })).await.map(drop)
    }

    /// Makes a calendar due now that failed, or once the time is over for which its server asked to be left alone.
    pub async fn retry_read(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(RETRY, self.calendar_key(calendar).and(named! { now: self.at() })).await.map(drop)
    }

    /// Has a calendar disconnected with its next turn; in a booking system its employee is mapped to none.
    pub async fn leave_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        self.unmap_calendar(calendar).await?;
        let sql = "UPDATE sync_state SET leaving = true, due_at = :now, failures = 0
                   WHERE business_id = :business_id AND calendar_id = :calendar_id";
        self.execute(sql, self.calendar_key(calendar).and(named! { now: self.at() })).await.map(drop)
    }

    /// Deletes a calendar that is being disconnected and all that is kept of it, and a connection that ends with it;
    /// not when the turn was lost, the calendar is kept after all, or something is still to be taken out of it.
    pub async fn delete_calendar(&self, turn: &ReadTurn) -> Result<(), Error> {
        let calendar = turn.place.calendar;
        let key = self.calendar_key(calendar);
        let ended = key.clone().and(named! { lease: turn.lease.id });
        if self.value::<bool>(END_TURN, ended).await? != Some(true) || !self.is_clean(calendar).await? {
            return Ok(());
        }
        self.lock_plan().await?;
        let connection = self.lock_connection_of(calendar).await?;
        self.hasten_withdrawal(calendar).await?;
        for table in OF_CALENDAR {
            let sql = format!(
                "DELETE FROM {table} WHERE business_id = :business_id AND calendar_id = :calendar_id"
            );
            self.execute(&sql, key.clone()).await?;
        }
        for table in OF_KIND.into_iter().chain(["calendar"]) {
            let sql = format!("DELETE FROM {table} WHERE business_id = :business_id AND id = :calendar_id");
            self.execute(&sql, key.clone()).await?;
        }
        match connection {
            Some(connection) => self.delete_ended_connection(connection).await,
            None => Ok(()),
        }
    }

    /// The events scheduling may have been told of.
    pub async fn told_events(&self, calendar: CalendarId) -> Result<BTreeSet<EventId>, Error> {
        let event_ids = self.values(TOLD, self.calendar_key(calendar)).await?;
        Ok(event_ids.into_iter().map(EventId).collect())
    }

    /// Remembers what scheduling is about to be told.
    pub async fn add_told_events(&self, calendar: CalendarId, facts: &[Fact]) -> Result<(), Error> {
        let event_ids = ids(facts.iter().filter(|fact| fact.busy.is_some()));
        let values = self.calendar_key(calendar).and(named! { event_ids });
        self.execute(ADD_TOLD, values).await.map(drop)
    }

    /// Keeps that scheduling took the facts, all but the shortfalls, up to where the calendar was read, and what
    /// could not be read; nothing if the turn was lost.
    pub async fn save_read(
        &self,
        turn: &ReadTurn,
        facts: &[Fact],
        shortfalls: &[Shortfall],
        read: &Read,
    ) -> Result<(), Error> {
        let done = named! { lease: turn.lease.id, token: read.token.0.as_str(), now: self.at() };
        let calendar = turn.place.calendar;
        if self.execute(DONE, self.calendar_key(calendar).and(done)).await? == 0 {
            return Ok(());
        }
        let event_ids = ids(facts.iter().filter(|fact| fact.busy.is_none()));
        let free = self.calendar_key(calendar).and(named! { event_ids });
        self.execute(FORGET_TOLD, free).await?;
        self.save_shortfalls(calendar, facts, shortfalls).await?;
        self.save_unread_entries(calendar, read).await
    }

    /// Keeps how many entries a reading has come to, for people who wait for it.
    pub async fn save_progress(&self, turn: &ReadTurn, entries: usize) -> Result<(), Error> {
        let entries = i32::try_from(entries).unwrap_or(i32::MAX);
        let read = named! { lease: turn.lease.id, entries };
        self.execute(PROGRESS, self.calendar_key(turn.place.calendar).and(read)).await.map(drop)
    }

    /// Hands a turn back: nothing went wrong, and the calendar is to be left alone until then.
    pub async fn hand_back_read(&self, turn: &ReadTurn, due_again: Timestamp) -> Result<(), Error> {
        let later = named! { lease: turn.lease.id, due_again: to_db(due_again) };
        self.execute(LATER, self.calendar_key(turn.place.calendar).and(later)).await.map(drop)
    }

    /// Keeps what stopped a read, and when to try again: no sooner than what rests between two reads. `asked_until` is
    /// when the calendar's server wants to be asked again, if it said so.
    pub async fn save_read_failure(
        &self,
        turn: &ReadTurn,
        error: &str,
        due_again: Timestamp,
        asked_until: Option<Timestamp>,
    ) -> Result<(), Error> {
        let failed = named! {
            lease: turn.lease.id,
            error,
            due_again: to_db(due_again),
            asked_until: asked_until.map(to_db),
            now: self.at(),
        };
        self.execute(FAILED, self.calendar_key(turn.place.calendar).and(failed)).await.map(drop)
    }
}

/// Event ids, as `jsonb_array_elements_text` reads them.
pub(super) fn ids<'a>(facts: impl Iterator<Item = &'a Fact>) -> JsonValue {
    facts.map(|fact| fact.id.0.as_str()).collect()
}

fn turn(row: Row, lease: Lease) -> Result<ReadTurn, Error> {
    Ok(ReadTurn {
        place: Place { business: row.business_id.into(), calendar: CalendarId(row.calendar_id) },
        kind: kind(row.calendar_id, &row.kind)?,
        employee: EmployeeId(row.employee_id),
        lease,
        token: row.token.map(Token),
        failures: row.failures,
        leaving: row.leaving,
        server: row.server,
    })
}
