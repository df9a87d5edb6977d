//! What employees have to do, and what shall therefore be in their calendars.

use caller::BusinessId;
use database::{Named, named, to_db};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;
use uuid::Uuid;

use super::{
    calendar::{is_known, kind},
    span, text,
};
use crate::{
    domain::{
        AppointmentId, CalendarId, EmployeeId,
        booking::{FOR, Part},
        calendar::Kind,
        event::Event,
    },
    error::Error,
};

/// Rows that stay are changed, not made anew: a row can't go and come in one statement.
const KEEP: &str = "WITH part AS (
        SELECT *, left(title, -length(:for_whom::text)) AS services
        FROM jsonb_to_recordset(:parts) AS p(employee_id uuid, part integer, title text,
            starts_at timestamptz, ends_at timestamptz, service_id uuid)
    ), gone AS (
        DELETE FROM booked_part b WHERE business_id = :business_id AND appointment_id = :appointment_id
            AND NOT EXISTS (SELECT FROM part p WHERE p.employee_id = b.employee_id AND p.part = b.part)
    ), kept AS (
        INSERT INTO booked_part (business_id, appointment_id, employee_id, part, title, services, starts_at, ends_at,
            service_id)
        SELECT :business_id, :appointment_id, employee_id, part, title, services, starts_at, ends_at, service_id
        FROM part
        ON CONFLICT (business_id, appointment_id, employee_id, part) DO UPDATE
        SET title = excluded.title, services = excluded.services, starts_at = excluded.starts_at,
            ends_at = excluded.ends_at, service_id = excluded.service_id
    )
    SELECT c.id, c.employee_id, c.kind FROM calendar c WHERE c.business_id = :business_id AND NOT EXISTS (
        SELECT FROM sync_state s WHERE s.business_id = c.business_id AND s.calendar_id = c.id AND s.leaving)";
/// Parts that are not over, each with the calendars of its employee. Where what is done is not known, because a release
/// before planned the part, all before the last separator counts as that.
pub(super) const RENAME: &str = "WITH renamed AS (
        UPDATE booked_part SET title = CASE WHEN starts_with(title, services || :between::text) THEN services
                ELSE COALESCE(substring(title, '^(.*)' || :between::text), title) END || :for_whom::text
        WHERE business_id = :business_id AND appointment_id = ANY(:appointment_ids::uuid[]) AND ends_at > :now
        RETURNING appointment_id, employee_id, part, title, starts_at, ends_at, service_id
    )
    SELECT r.*, c.id, c.kind FROM renamed r
    JOIN calendar c ON c.business_id = :business_id AND c.employee_id = r.employee_id
    WHERE NOT EXISTS (SELECT FROM sync_state s
        WHERE s.business_id = c.business_id AND s.calendar_id = c.id AND s.leaving)";
const AHEAD: &str = "SELECT appointment_id, employee_id, part, title, starts_at, ends_at, service_id
    FROM booked_part
    WHERE business_id = :business_id AND employee_id = :employee_id AND ends_at > :now";
const PART: &str = "SELECT appointment_id, employee_id, part, title, starts_at, ends_at, service_id
    FROM booked_part
    WHERE business_id = :business_id AND appointment_id = :appointment_id AND employee_id = :employee_id
    AND part = :part";
/// What is planned anew is in the appointment's history, once for each calendar. What is over is changed where it is, and
/// enters no calendar that was connected since.
const WANT: &str = "WITH planned AS (
    INSERT INTO calendar_write AS known (business_id, calendar_id, event_id, appointment_id, title, starts_at,
        ends_at, wanted_at, wanted_by, wanted_by_at, traceparent, due_at)
    SELECT :business_id, w.calendar_id, w.event_id, w.appointment_id, w.title, w.starts_at, w.ends_at, :since,
        :actor, :since, :traceparent, :now
    FROM jsonb_to_recordset(:events) AS w(calendar_id uuid, event_id text, appointment_id uuid, title text,
        starts_at timestamptz, ends_at timestamptz)
    WHERE w.ends_at > :now OR EXISTS (SELECT FROM calendar_write k WHERE k.business_id = :business_id
        AND k.calendar_id = w.calendar_id AND k.event_id = w.event_id)
    ORDER BY w.event_id
    ON CONFLICT (business_id, calendar_id, event_id) DO UPDATE SET title = EXCLUDED.title,
        starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at, removed = false,
        wanted = known.wanted + 1, wanted_at = EXCLUDED.wanted_at, wanted_by = EXCLUDED.wanted_by,
        wanted_by_at = EXCLUDED.wanted_by_at,
        traceparent = EXCLUDED.traceparent, due_at = EXCLUDED.due_at, failures = 0, parked_at = NULL
    WHERE (known.title, known.starts_at, known.ends_at, known.removed)
        IS DISTINCT FROM (EXCLUDED.title, EXCLUDED.starts_at, EXCLUDED.ends_at, false)
    RETURNING calendar_id, appointment_id)
    INSERT INTO sync_history (business_id, appointment_id, calendar_id, id, at, step)
    SELECT :business_id, appointment_id, calendar_id, gen_random_uuid(), :now, 'PLANNED' FROM planned
    GROUP BY appointment_id, calendar_id";
/// An event's id names its calendar too: ids alone tell what stays. What stays is locked as well: `WANT` changes it next,
/// and other transactions lock all writes in the order of their ids.
const UNWANT_OTHERS: &str = "WITH known AS MATERIALIZED (
    SELECT calendar_id, event_id FROM calendar_write
    WHERE business_id = :business_id AND appointment_id = :appointment_id
    ORDER BY event_id FOR UPDATE),
    planned AS (
    UPDATE calendar_write w SET removed = true, wanted = w.wanted + 1, wanted_at = :since, wanted_by = :actor,
        wanted_by_at = :since,
        traceparent = :traceparent, due_at = :now, failures = 0, parked_at = NULL FROM known
    WHERE w.business_id = :business_id AND w.calendar_id = known.calendar_id AND w.event_id = known.event_id
    AND NOT w.removed AND w.event_id NOT IN (SELECT jsonb_array_elements_text(:event_ids))
    RETURNING w.calendar_id, w.appointment_id)
    INSERT INTO sync_history (business_id, appointment_id, calendar_id, id, at, step)
    SELECT :business_id, appointment_id, calendar_id, gen_random_uuid(), :now, 'PLANNED' FROM planned
    GROUP BY appointment_id, calendar_id";
/// An event is taken out that is not over and is there, or may be, because an attempt's answer was lost; so is what was to
/// be taken out before. What else is not written yet is forgotten.
const CLEAR: &str = "WITH known AS MATERIALIZED (
    SELECT w.event_id, (w.written > 0 OR w.lease IS NOT NULL OR w.last_error IS NOT NULL)
        AND CASE WHEN w.removed THEN w.written < w.wanted ELSE w.ends_at > :now END AS goes
    FROM calendar_write w WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id
    ORDER BY w.event_id FOR UPDATE),
    forgotten AS (
    DELETE FROM calendar_write w USING known
    WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.event_id = known.event_id
    AND NOT known.goes AND w.written < w.wanted),
    planned AS (
    UPDATE calendar_write w SET removed = true, wanted = w.wanted + CASE WHEN w.removed THEN 0 ELSE 1 END,
        wanted_at = :since, wanted_by = :actor, wanted_by_at = :since, traceparent = :traceparent, due_at = :now,
        failures = 0, parked_at = NULL FROM known
    WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.event_id = known.event_id AND known.goes
    RETURNING w.appointment_id)
    INSERT INTO sync_history (business_id, appointment_id, calendar_id, id, at, step)
    SELECT :business_id, appointment_id, :calendar_id, gen_random_uuid(), :now, 'PLANNED' FROM planned
    GROUP BY appointment_id";

/// The plan of one business, inside a transaction.
#[derive(Debug)]
pub struct Plan<'a> {
    tx: &'a DatabaseTransaction,
    business: BusinessId,
    now: Timestamp,
    since: Timestamp,
    actor: Option<String>,
    traceparent: Option<String>,
}

#[derive(Debug, FromQueryResult)]
struct CalendarRow {
    id: Uuid,
    employee_id: Uuid,
    kind: String,
}

#[derive(Debug, FromQueryResult)]
pub(super) struct PartRow {
    appointment_id: Uuid,
    employee_id: Uuid,
    part: i32,
    title: String,
    starts_at: DateTimeUtc,
    ends_at: DateTimeUtc,
    service_id: Option<Uuid>,
}

impl TryFrom<PartRow> for (AppointmentId, Part) {
    type Error = Error;

    fn try_from(row: PartRow) -> Result<Self, Error> {
        let part = Part {
            employee: EmployeeId(row.employee_id),
            index: row.part,
            span: span("booked_part", &row.appointment_id.to_string(), row.starts_at, row.ends_at)?,
            title: row.title,
            service: row.service_id,
        };
        Ok((AppointmentId(row.appointment_id), part))
    }
}

impl<'a> Plan<'a> {
    /// The plan of `business`, changed now.
    #[must_use]
    pub fn new(tx: &'a DatabaseTransaction, business: BusinessId, now: Timestamp) -> Self {
        Self { tx, business, now, since: now, actor: None, traceparent: None }
    }

    /// The plan, changed by something that `actor` did at `since`, if that is known, in the trace `traceparent`.
    #[must_use]
    pub fn caused(self, since: Timestamp, actor: Option<String>, traceparent: Option<String>) -> Self {
        Self { since, actor, traceparent, ..self }
    }

    /// Takes the business's plan: a calendar that is connected while an appointment is planned would miss it.
    pub async fn lock(&self) -> Result<(), Error> {
        let key = format!("plan of {}", self.business);
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))";
        self.execute(sql, named! { key }).await
    }

    /// Keeps what an appointment consists of now, with titles that all end with `for_whom`; the calendars of the
    /// business, with their employees and kinds.
    pub async fn keep_parts(
        &self,
        appointment: AppointmentId,
        for_whom: &str,
        parts: &[Part],
    ) -> Result<Vec<(CalendarId, EmployeeId, Kind)>, Error> {
        let values = named! {
            business_id: self.business.0,
            appointment_id: appointment.0,
            for_whom,
            parts: parts.iter().map(part).collect::<JsonValue>(),
        };
        let rows = CalendarRow::find_by_statement(database::statement(KEEP, values)).all(self.tx).await?;
        let calendar = |row: CalendarRow| {
            Ok((CalendarId(row.id), EmployeeId(row.employee_id), kind(row.id, &row.kind)?))
        };
        rows.into_iter().filter(|row| is_known(row.id, &row.kind)).map(calendar).collect()
    }

    /// Has the titles of appointments' parts that are not over end with `for_whom`; the events of these parts, with the
    /// kinds of their calendars.
    pub async fn rename_parts(
        &self,
        appointments: &[AppointmentId],
        for_whom: &str,
    ) -> Result<Vec<(CalendarId, Kind, Event)>, Error> {
        let values = named! {
            business_id: self.business.0,
            appointment_ids: appointments.iter().map(|appointment| appointment.0).collect::<Vec<_>>(),
            between: FOR,
            for_whom,
            now: to_db(self.now),
        };
        let rows = self.tx.query_all_raw(database::statement(RENAME, values)).await?;
        let mut events = vec![];
        for row in &rows {
            let calendar = CalendarRow::from_query_result(row, "")?;
            let (appointment, part): (AppointmentId, Part) =
                PartRow::from_query_result(row, "")?.try_into()?;
            if is_known(calendar.id, &calendar.kind) {
                let id = CalendarId(calendar.id);
                events.push((id, kind(calendar.id, &calendar.kind)?, part.event_in(id, appointment)));
            }
        }
        Ok(events)
    }

    /// What an employee still has to do.
    pub async fn parts_ahead(&self, employee: EmployeeId) -> Result<Vec<(AppointmentId, Part)>, Error> {
        let values = named! { business_id: self.business.0, employee_id: employee.0, now: to_db(self.now) };
        let rows = PartRow::find_by_statement(database::statement(AHEAD, values)).all(self.tx).await?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    /// One part of an appointment, if it has that many.
    pub async fn part(
        &self,
        appointment: AppointmentId,
        employee: EmployeeId,
        part: i32,
    ) -> Result<Option<Part>, Error> {
        let values = named! {
            business_id: self.business.0,
            appointment_id: appointment.0,
            employee_id: employee.0,
            part,
        };
        let row = PartRow::find_by_statement(database::statement(PART, values)).one(self.tx).await?;
        let found: Option<(AppointmentId, Part)> = row.map(TryInto::try_into).transpose()?;
        Ok(found.map(|(_, part)| part))
    }

    /// Has events written as they are now, if they differ from what was planned.
    pub async fn want(&self, events: &[(CalendarId, Event)]) -> Result<(), Error> {
        if events.is_empty() {
            return Ok(());
        }
        let events: JsonValue = events.iter().map(|(calendar, event)| wanted(*calendar, event)).collect();
        self.execute(WANT, self.cause().and(named! { events })).await
    }

    /// Has events of an appointment removed, but for these.
    pub async fn unwant_others(
        &self,
        appointment: AppointmentId,
        events: &[(CalendarId, Event)],
    ) -> Result<(), Error> {
        let event_ids: JsonValue = events.iter().map(|(_, event)| event.id.0.as_str()).collect();
        let others = named! { appointment_id: appointment.0, event_ids };
        self.execute(UNWANT_OTHERS, self.cause().and(others)).await
    }

    /// Has all events of a calendar taken out that are not over.
    pub async fn clear(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(CLEAR, self.cause().and(named! { calendar_id: calendar.0 })).await
    }

    fn cause(&self) -> Named {
        named! {
            business_id: self.business.0,
            since: to_db(self.since),
            actor: self.actor.clone(),
            traceparent: self.traceparent.clone(),
            now: to_db(self.now),
        }
    }

    async fn execute(&self, sql: &str, values: Named) -> Result<(), Error> {
        self.tx.execute_raw(database::statement(sql, values)).await?;
        Ok(())
    }
}

fn part(part: &Part) -> JsonValue {
    json!({
        "employee_id": part.employee.0,
        "part": part.index,
        "title": part.title,
        "starts_at": text(part.span.starts()),
        "ends_at": text(part.span.ends()),
        "service_id": part.service,
    })
}

fn wanted(calendar: CalendarId, event: &Event) -> JsonValue {
    json!({
        "calendar_id": calendar.0,
        "event_id": event.id.0,
        "appointment_id": event.appointment.map(|appointment| appointment.0),
        "title": event.title,
        "starts_at": text(event.span.starts()),
        "ends_at": text(event.span.ends()),
    })
}
