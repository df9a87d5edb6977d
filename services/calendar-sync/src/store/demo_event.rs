//! Events in demo calendars. Every change takes the calendar's next number under its lock, so a reader
//! at a number has missed nothing below it.

use database::{Named, from_db, named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, span};
use crate::{
    domain::{
        AppointmentId, CalendarId,
        busy::{Change, Content},
        event::{Etag, Event, EventId},
    },
    error::Error,
};

/// How long tombstones are kept; a reader that was away for longer starts anew.
const TOMBSTONES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Nothing is earlier: the beginning of year 1, as on the wire.
const BEGINNING: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// How far a demo calendar is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromQueryResult)]
pub struct Head {
    /// The newest change.
    pub change: i64,
    /// The newest one whose tombstone is gone.
    pub floor: i64,
}

/// An event and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDemoEvent {
    /// The event; its last version if it is deleted.
    pub event: Event,
    /// The version.
    pub etag: Etag,
    /// Whether only its tombstone is left.
    pub deleted: bool,
}

/// Where a page of events begins: after this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AfterEvent {
    /// When it starts.
    pub starts: Timestamp,
    /// Which.
    pub id: EventId,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    id: String,
    title: String,
    starts_at: DateTimeUtc,
    ends_at: DateTimeUtc,
    appointment_id: Option<Uuid>,
    change: i64,
    changed_at: DateTimeUtc,
    deleted: bool,
}

/// Every column of [`Row`].
const SELECT: &str =
    "SELECT id, title, starts_at, ends_at, appointment_id, change, changed_at, deleted FROM demo_event";
const HEAD: &str = "SELECT change, floor FROM demo_calendar WHERE business_id = :business_id AND id = :id";

impl TryFrom<Row> for Event {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            span: span("demo_event", &row.id, row.starts_at, row.ends_at)?,
            id: EventId(row.id),
            title: row.title,
            appointment: row.appointment_id.map(AppointmentId),
        })
    }
}

impl TryFrom<Row> for StoredDemoEvent {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let (etag, deleted) = (etag(row.change), row.deleted);
        Ok(Self { event: row.try_into()?, etag, deleted })
    }
}

impl TryFrom<Row> for (i64, Change) {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let (number, at, deleted) = (row.change, from_db(row.changed_at), row.deleted);
        let event: Event = row.try_into()?;
        Ok((
            number,
            Change {
                at,
                by: None,
                id: event.id.clone(),
                content: Content::Event((!deleted).then_some(event)),
            },
        ))
    }
}

fn etag(change: i64) -> Etag {
    Etag(change.to_string())
}

/// One page of changes; the whole leaves tombstones out.
pub(super) fn changes_sql() -> String {
    format!(
        "{SELECT} WHERE business_id = :business_id AND calendar_id = :calendar_id AND change > :after
         AND NOT (deleted AND :whole) ORDER BY change LIMIT :limit"
    )
}

/// One page of what is there.
pub(super) fn page_sql() -> String {
    format!(
        "{SELECT} WHERE business_id = :business_id AND calendar_id = :calendar_id AND NOT deleted
         AND (starts_at, id) > (:after_start, :after_id) ORDER BY starts_at, id LIMIT :limit"
    )
}

impl Tx {
    /// Adds an empty demo calendar.
    pub async fn add_demo_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        let sql = "INSERT INTO demo_calendar (business_id, id) VALUES (:business_id, :id)";
        self.execute(sql, named! { business_id: self.business.0, id: calendar.0 }).await.map(drop)
    }

    /// How far a demo calendar is.
    ///
    /// # Errors
    /// When there is none.
    pub async fn demo_head(&self, calendar: CalendarId) -> Result<Head, Error> {
        self.head(calendar, HEAD).await
    }

    /// How far a demo calendar is, which no other transaction changes until this one ends.
    ///
    /// # Errors
    /// When there is none.
    pub async fn take_demo_head(&self, calendar: CalendarId) -> Result<Head, Error> {
        self.head(calendar, &format!("{HEAD} FOR UPDATE")).await
    }

    async fn head(&self, calendar: CalendarId, sql: &str) -> Result<Head, Error> {
        let head = self.row::<Head>(sql, named! { business_id: self.business.0, id: calendar.0 }).await?;
        head.ok_or(Error::NotFound("calendar"))
    }

    /// Changes after a number, with their numbers; the whole leaves tombstones out.
    pub async fn demo_changes(
        &self,
        calendar: CalendarId,
        after: i64,
        whole: bool,
        limit: u32,
    ) -> Result<Vec<(i64, Change)>, Error> {
        let values = named! {
            business_id: self.business.0,
            calendar_id: calendar.0,
            after,
            whole,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(&changes_sql(), values).await
    }

    /// Events by start, at most `limit`.
    pub async fn demo_events(
        &self,
        calendar: CalendarId,
        after: Option<AfterEvent>,
        limit: u32,
    ) -> Result<Vec<Event>, Error> {
        let after = after.unwrap_or(AfterEvent { starts: BEGINNING, id: EventId(String::new()) });
        let values = named! {
            business_id: self.business.0,
            calendar_id: calendar.0,
            after_start: to_db(after.starts),
            after_id: after.id.0,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(&page_sql(), values).await
    }

    /// One event, or its tombstone.
    pub async fn demo_event(
        &self,
        calendar: CalendarId,
        id: &EventId,
    ) -> Result<Option<StoredDemoEvent>, Error> {
        let sql =
            format!("{SELECT} WHERE business_id = :business_id AND calendar_id = :calendar_id AND id = :id");
        self.one::<Row, _>(&sql, self.demo_event_key(calendar, id)).await
    }

    /// Puts an event into a calendar whose head is taken; its new version.
    pub async fn put_demo_event(
        &self,
        calendar: CalendarId,
        head: Head,
        event: &Event,
    ) -> Result<Etag, Error> {
        let sql = "INSERT INTO demo_event
                   (business_id, calendar_id, id, title, starts_at, ends_at, appointment_id, change, changed_at)
                   VALUES (:business_id, :calendar_id, :id, :title, :starts_at, :ends_at, :appointment_id,
                   :change, :now)
                   ON CONFLICT (business_id, calendar_id, id) DO UPDATE SET title = EXCLUDED.title,
                   starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at, deleted = false,
                   appointment_id = EXCLUDED.appointment_id, change = EXCLUDED.change,
                   changed_at = EXCLUDED.changed_at";
        let change = head.change + 1;
        let values = self.demo_event_key(calendar, &event.id).and(named! {
            title: event.title.as_str(),
            starts_at: to_db(event.span.starts()),
            ends_at: to_db(event.span.ends()),
            appointment_id: event.appointment.map(|id| id.0),
            change,
            now: self.at(),
        });
        self.execute(sql, values).await?;
        self.advance(calendar, change).await?;
        Ok(etag(change))
    }

    /// Leaves the tombstone of an event in a calendar whose head is taken.
    pub async fn delete_demo_event(
        &self,
        calendar: CalendarId,
        head: Head,
        id: &EventId,
    ) -> Result<(), Error> {
        let sql = "UPDATE demo_event SET deleted = true, change = :change, changed_at = :now
                   WHERE business_id = :business_id AND calendar_id = :calendar_id AND id = :id";
        let change = head.change + 1;
        let values = self.demo_event_key(calendar, id).and(named! { change, now: self.at() });
        self.execute(sql, values).await?;
        self.advance(calendar, change).await
    }

    /// Takes the next number, and drops tombstones that are too old.
    async fn advance(&self, calendar: CalendarId, change: i64) -> Result<(), Error> {
        let sql = "WITH gone AS (DELETE FROM demo_event
                       WHERE business_id = :business_id AND calendar_id = :calendar_id
                       AND deleted AND changed_at < :too_old RETURNING change)
                   UPDATE demo_calendar
                   SET change = :change, floor = GREATEST(floor, (SELECT max(change) FROM gone))
                   WHERE business_id = :business_id AND id = :calendar_id";
        let values = named! {
            business_id: self.business.0,
            calendar_id: calendar.0,
            change,
            too_old: to_db(self.now() - TOMBSTONES_KEPT),
        };
        self.execute(sql, values).await.map(drop)
    }

    fn demo_event_key(&self, calendar: CalendarId, id: &EventId) -> Named {
        named! { business_id: self.business.0, calendar_id: calendar.0, id: id.0.as_str() }
    }
}
