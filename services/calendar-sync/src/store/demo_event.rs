//! Events in demo calendars. Every change takes the calendar's next number under its lock, so a reader
//! at a number has missed nothing below it.

use database::{from_db, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, span};
use crate::{
    domain::{
        AppointmentId, CalendarId,
        busy::Change,
        event::{Etag, Event, EventId},
    },
    error::Error,
};

/// How long tombstones are kept; a reader that was away for longer starts anew.
const TOMBSTONES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Nothing is earlier: the beginning of year 1, as on the wire.
const BEGINNING: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// How far a demo calendar is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The newest change.
    pub change: i64,
    /// The newest one whose tombstone is gone.
    pub floor: i64,
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// Done, as this version.
    As(Etag),
    /// The version is another one.
    Refused(Etag),
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

impl Row {
    fn event(self) -> Result<Event, Error> {
        Ok(Event {
            span: span("demo_event", &self.id, self.starts_at, self.ends_at)?,
            id: EventId(self.id),
            title: self.title,
            appointment: self.appointment_id.map(AppointmentId),
        })
    }

    fn etag(&self) -> Etag {
        Etag(self.change.to_string())
    }

    fn change(self) -> Result<(i64, Change), Error> {
        let (number, at, id, deleted) =
            (self.change, from_db(self.changed_at), EventId(self.id.clone()), self.deleted);
        let event = self.event()?;
        Ok((number, Change { at, id, event: (!deleted).then_some(event) }))
    }
}

/// One page of changes; the whole leaves tombstones out.
pub(super) fn changes_sql() -> String {
    format!(
        "{SELECT} WHERE business_id = $1 AND calendar_id = $2 AND change > $3 AND NOT (deleted AND $4)
         ORDER BY change LIMIT $5"
    )
}

/// One page of what is there.
pub(super) fn page_sql() -> String {
    format!(
        "{SELECT} WHERE business_id = $1 AND calendar_id = $2 AND NOT deleted AND (starts_at, id) > ($3, $4)
         ORDER BY starts_at, id LIMIT $5"
    )
}

impl Tx {
    pub(super) async fn open_demo_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        let sql = "INSERT INTO demo_calendar (business_id, id) VALUES ($1, $2)";
        self.execute(sql, [self.business.0.into(), calendar.0.into()]).await?;
        Ok(())
    }

    /// How far a demo calendar is.
    ///
    /// # Errors
    /// When there is none.
    pub async fn demo_head(&self, calendar: CalendarId) -> Result<Head, Error> {
        self.head(calendar, "").await
    }

    async fn head(&self, calendar: CalendarId, lock: &str) -> Result<Head, Error> {
        let sql =
            format!("SELECT change, floor FROM demo_calendar WHERE business_id = $1 AND id = $2 {lock}");
        let row = self
            .open()
            .await?
            .query_one_raw(database::statement(&sql, [self.business.0.into(), calendar.0.into()]))
            .await?;
        let row = row.ok_or(Error::NotFound("calendar"))?;
        Ok(Head { change: row.try_get("", "change")?, floor: row.try_get("", "floor")? })
    }

    /// Changes after a number, with their numbers; the whole leaves tombstones out.
    pub async fn demo_changes(
        &self,
        calendar: CalendarId,
        after: i64,
        whole: bool,
        limit: u32,
    ) -> Result<Vec<(i64, Change)>, Error> {
        let values =
            [self.business.0.into(), calendar.0.into(), after.into(), whole.into(), i64::from(limit).into()];
        let rows = self.rows::<Row>(&changes_sql(), values).await?;
        rows.into_iter().map(Row::change).collect()
    }

    /// Events by start, at most `limit`.
    ///
    /// # Errors
    /// When there is no such calendar.
    pub async fn demo_events(
        &self,
        calendar: CalendarId,
        after: Option<AfterEvent>,
        limit: u32,
    ) -> Result<Vec<Event>, Error> {
        self.demo_head(calendar).await?;
        let after = after.unwrap_or(AfterEvent { starts: BEGINNING, id: EventId(String::new()) });
        let values = [
            self.business.0.into(),
            calendar.0.into(),
            to_db(after.starts).into(),
            after.id.0.into(),
            i64::from(limit).into(),
        ];
        let rows = self.rows::<Row>(&page_sql(), values).await?;
        rows.into_iter().map(Row::event).collect()
    }

    /// Puts an event as the calendar's owner does: the marker of one of ours stays.
    ///
    /// # Errors
    /// When there is no such calendar.
    pub async fn put_demo_event(&self, calendar: CalendarId, event: Event) -> Result<Event, Error> {
        let head = self.head(calendar, "FOR UPDATE").await?;
        let known = self.demo_event(calendar, &event.id).await?.filter(|row| !row.deleted);
        let known = known.map(Row::event).transpose()?;
        let event = Event { appointment: known.as_ref().and_then(|known| known.appointment), ..event };
        if known.as_ref() != Some(&event) {
            self.write_demo_event(calendar, head, &event).await?;
        }
        Ok(event)
    }

    /// Deletes an event as the calendar's owner does.
    ///
    /// # Errors
    /// When there is no such event.
    pub async fn delete_demo_event(&self, calendar: CalendarId, id: &EventId) -> Result<(), Error> {
        let head = self.head(calendar, "FOR UPDATE").await?;
        let known = self.demo_event(calendar, id).await?.filter(|row| !row.deleted);
        known.ok_or(Error::NotFound("event"))?;
        self.bury_demo_event(calendar, head, id).await
    }

    /// Puts one of our own events, if its version is the expected one.
    ///
    /// # Errors
    /// When there is no such calendar.
    pub async fn put_own_demo_event(
        &self,
        calendar: CalendarId,
        event: Event,
        expected: Option<Etag>,
    ) -> Result<Stored, Error> {
        let head = self.head(calendar, "FOR UPDATE").await?;
        if let Some(known) = self.demo_event(calendar, &event.id).await?
            && expected != Some(known.etag())
        {
            return Ok(Stored::Refused(known.etag()));
        }
        self.write_demo_event(calendar, head, &event).await?;
        Ok(Stored::As(Etag((head.change + 1).to_string())))
    }

    /// Deletes one of our own events, if its version is the expected one.
    ///
    /// # Errors
    /// When there is no such calendar.
    pub async fn delete_own_demo_event(
        &self,
        calendar: CalendarId,
        id: &EventId,
        expected: Option<Etag>,
    ) -> Result<Stored, Error> {
        let head = self.head(calendar, "FOR UPDATE").await?;
        match self.demo_event(calendar, id).await? {
            Some(known) if known.deleted => return Ok(Stored::As(known.etag())),
            Some(known) if expected != Some(known.etag()) => return Ok(Stored::Refused(known.etag())),
            Some(_) => self.bury_demo_event(calendar, head, id).await?,
            None => {}
        }
        Ok(Stored::As(Etag((head.change + 1).to_string())))
    }

    async fn demo_event(&self, calendar: CalendarId, id: &EventId) -> Result<Option<Row>, Error> {
        let sql = format!("{SELECT} WHERE business_id = $1 AND calendar_id = $2 AND id = $3");
        let values = [self.business.0.into(), calendar.0.into(), id.0.as_str().into()];
        Ok(self.row::<Row>(&sql, values).await?)
    }

    async fn write_demo_event(&self, calendar: CalendarId, head: Head, event: &Event) -> Result<(), Error> {
        let sql = "INSERT INTO demo_event
                   (business_id, calendar_id, id, title, starts_at, ends_at, appointment_id, change, changed_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                   ON CONFLICT (business_id, calendar_id, id) DO UPDATE SET title = EXCLUDED.title,
                   starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at, deleted = false,
                   appointment_id = EXCLUDED.appointment_id, change = EXCLUDED.change,
                   changed_at = EXCLUDED.changed_at";
        let values = [
            self.business.0.into(),
            calendar.0.into(),
            event.id.0.as_str().into(),
            event.title.as_str().into(),
            to_db(event.span.starts()).into(),
            to_db(event.span.ends()).into(),
            event.appointment.map(|id| id.0).into(),
            (head.change + 1).into(),
            self.at(),
        ];
        self.execute(sql, values).await?;
        self.advance(calendar, head).await
    }

    async fn bury_demo_event(&self, calendar: CalendarId, head: Head, id: &EventId) -> Result<(), Error> {
        let sql = "UPDATE demo_event SET deleted = true, change = $4, changed_at = $5
                   WHERE business_id = $1 AND calendar_id = $2 AND id = $3";
        let values = [
            self.business.0.into(),
            calendar.0.into(),
            id.0.as_str().into(),
            (head.change + 1).into(),
            self.at(),
        ];
        self.execute(sql, values).await?;
        self.advance(calendar, head).await
    }

    /// Takes the next number, and drops tombstones that are too old.
    async fn advance(&self, calendar: CalendarId, head: Head) -> Result<(), Error> {
        let sql = "WITH gone AS (DELETE FROM demo_event WHERE business_id = $1 AND calendar_id = $2
                       AND deleted AND changed_at < $4 RETURNING change)
                   UPDATE demo_calendar SET change = $3, floor = GREATEST(floor, (SELECT max(change) FROM gone))
                   WHERE business_id = $1 AND id = $2";
        let values = [
            self.business.0.into(),
            calendar.0.into(),
            (head.change + 1).into(),
            to_db(self.now() - TOMBSTONES_KEPT).into(),
        ];
        self.execute(sql, values).await?;
        Ok(())
    }
}
