//! Appointments and how their events are on each side.

use database::{named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde::Deserialize;
use uuid::Uuid;

use super::{Tx, calendar::kind, span};
use crate::{
    domain::{AppointmentId, CalendarId, EmployeeId, calendar::Kind, event::Span},
    error::Error,
};

/// How long what is over is shown.
const SHOWN: SignedDuration = SignedDuration::from_hours(24);

/// How an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncState {
    /// To be written.
    Waiting,
    /// Written as it is here.
    Written,
    /// To be tried again.
    Retrying,
    /// Refused.
    Parked,
}

/// One event on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncedEvent {
    /// Where.
    pub calendar: CalendarId,
    /// The kind of calendar.
    pub kind: Kind,
    /// Whose.
    pub employee: EmployeeId,
    /// What people call it.
    pub calendar_name: String,
    /// How it is.
    pub state: SyncState,
    /// Why it failed.
    pub fault: Option<String>,
    /// Attempts in a row that failed.
    pub failures: i32,
    /// When it is tried again.
    pub again_at: Option<Timestamp>,
    /// When it was last written.
    pub written_at: Option<Timestamp>,
}

/// An appointment and its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncedAppointment {
    /// Which.
    pub appointment: AppointmentId,
    /// As calendars show it.
    pub title: String,
    /// From the first of its events to the last.
    pub span: Span,
    /// Its events.
    pub events: Vec<SyncedEvent>,
    /// 0 where something failed or was refused, else 1.
    pub rank: i64,
}

/// Where a page begins: after this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AfterAppointment {
    /// Its rank.
    pub rank: i64,
    /// Its start.
    pub starts: Timestamp,
    /// Which.
    pub id: AppointmentId,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    appointment_id: Uuid,
    title: String,
    starts_at: DateTimeUtc,
    ends_at: DateTimeUtc,
    rank: i64,
    events: JsonValue,
}

#[derive(Debug, Deserialize)]
struct EventRow {
    calendar_id: Uuid,
    kind: String,
    employee_id: Uuid,
    name: String,
    waiting: bool,
    parked: bool,
    fault: Option<String>,
    failures: i32,
    due_at: Timestamp,
    written_at: Option<Timestamp>,
}

impl TryFrom<EventRow> for SyncedEvent {
    type Error = Error;

    fn try_from(row: EventRow) -> Result<Self, Error> {
        let state = match (row.waiting, row.parked) {
            (false, _) => SyncState::Written,
            (true, true) => SyncState::Parked,
            (true, false) if row.failures > 0 => SyncState::Retrying,
            (true, false) => SyncState::Waiting,
        };
        Ok(Self {
            calendar: CalendarId(row.calendar_id),
            kind: kind(row.calendar_id, &row.kind)?,
            employee: EmployeeId(row.employee_id),
            calendar_name: row.name,
            state,
            fault: row.fault.filter(|_| matches!(state, SyncState::Retrying | SyncState::Parked)),
            failures: row.failures,
            again_at: (state == SyncState::Retrying).then_some(row.due_at),
            written_at: row.written_at,
        })
    }
}

impl TryFrom<Row> for SyncedAppointment {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let id = row.appointment_id.to_string();
        let events: Vec<EventRow> = serde_json::from_value(row.events)
            .map_err(|_| Error::Unreadable { table: "calendar_write", id: id.clone() })?;
        Ok(Self {
            appointment: AppointmentId(row.appointment_id),
            title: row.title,
            span: span("calendar_write", &id, row.starts_at, row.ends_at)?,
            events: events.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?,
            rank: row.rank,
        })
    }
}

/// What is over is shown while it is not written.
pub(super) const PAGE: &str = "
    SELECT appointment_id, title, starts_at, ends_at, rank, events FROM (
        SELECT w.appointment_id, min(w.title) AS title, min(w.starts_at) AS starts_at, max(w.ends_at) AS ends_at,
            CASE WHEN bool_or(w.written < w.wanted AND w.failures > 0) THEN 0 ELSE 1 END::bigint AS rank,
            jsonb_agg(jsonb_build_object('calendar_id', w.calendar_id, 'kind', c.kind, 'employee_id', c.employee_id,
                'name', c.name, 'waiting', w.written < w.wanted, 'parked', w.parked_at IS NOT NULL,
                'fault', w.last_error, 'failures', w.failures, 'due_at', w.due_at, 'written_at', w.written_at)
                ORDER BY c.employee_id, w.calendar_id, w.event_id) AS events
        FROM calendar_write w JOIN calendar c ON c.business_id = w.business_id AND c.id = w.calendar_id
        WHERE w.business_id = :business_id AND (w.ends_at > :shown_from OR w.written < w.wanted)
        GROUP BY w.appointment_id) a
    WHERE (rank, starts_at, appointment_id) > (:after_rank, :after_start, :after_id)
        AND (rank = 0 OR NOT :needs_look)
    ORDER BY rank, starts_at, appointment_id LIMIT :limit";

impl Tx {
    /// Appointments with their events, those first of which something failed, then by start.
    pub async fn appointment_sync(
        &self,
        needs_look: bool,
        after: Option<AfterAppointment>,
        limit: u32,
    ) -> Result<Vec<SyncedAppointment>, Error> {
        let after = after.unwrap_or(AfterAppointment {
            rank: -1,
            starts: Timestamp::UNIX_EPOCH,
            id: AppointmentId(Uuid::nil()),
        });
        let values = named! {
            business_id: self.business.0,
            shown_from: to_db(self.now() - SHOWN),
            after_rank: after.rank,
            after_start: to_db(after.starts),
            after_id: after.id.0,
            needs_look,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(PAGE, values).await
    }
}
