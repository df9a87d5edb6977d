//! What employees have to do, and what shall therefore be in their calendars.

use caller::BusinessId;
use database::to_db;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;
use uuid::Uuid;

use super::{span, text};
use crate::{
    domain::{
        AppointmentId, CalendarId, EmployeeId,
        booking::{Booking, Part},
        calendar::Calendar,
        event::EventId,
    },
    error::Error,
};

/// Parameters: business, appointment, its parts. Rows that stay are changed, not made anew: a row can't
/// go and come in one statement.
const KEEP: &str = "WITH part AS (
        SELECT * FROM jsonb_to_recordset($3) AS p(employee_id uuid, part integer, title text,
            starts_at timestamptz, ends_at timestamptz)
    ), gone AS (
        DELETE FROM booked_part b WHERE business_id = $1 AND appointment_id = $2
            AND NOT EXISTS (SELECT FROM part p WHERE p.employee_id = b.employee_id AND p.part = b.part)
    ), kept AS (
        INSERT INTO booked_part (business_id, appointment_id, employee_id, part, title, starts_at, ends_at)
        SELECT $1, $2, employee_id, part, title, starts_at, ends_at FROM part
        ON CONFLICT (business_id, appointment_id, employee_id, part) DO UPDATE
        SET title = excluded.title, starts_at = excluded.starts_at, ends_at = excluded.ends_at
    )
    SELECT id, employee_id FROM calendar WHERE business_id = $1";

/// The plan of one business, inside a transaction.
#[derive(Debug)]
pub struct Plan<'a> {
    tx: &'a DatabaseTransaction,
    business: BusinessId,
    now: Timestamp,
    since: Timestamp,
    traceparent: Option<String>,
}

#[derive(Debug, FromQueryResult)]
struct PartRow {
    appointment_id: Uuid,
    employee_id: Uuid,
    part: i32,
    title: String,
    starts_at: DateTimeUtc,
    ends_at: DateTimeUtc,
}

impl<'a> Plan<'a> {
    /// The plan of `business`, changed now.
    #[must_use]
    pub fn new(tx: &'a DatabaseTransaction, business: BusinessId, now: Timestamp) -> Self {
        Self { tx, business, now, since: now, traceparent: None }
    }

    /// The plan, changed by something that happened at `since` in the trace `traceparent`.
    #[must_use]
    pub fn caused(self, since: Timestamp, traceparent: Option<String>) -> Self {
        Self { since, traceparent, ..self }
    }

    /// Plans for an appointment as it stands now.
    pub async fn book(&self, booking: &Booking) -> Result<(), Error> {
        self.lock().await?;
        let parts = booking.parts();
        let calendars = self.keep(booking.appointment, &parts).await?;
        if calendars.is_empty() {
            return Ok(());
        }
        let mut events = vec![];
        for (calendar, employee) in calendars {
            let own = parts.iter().filter(|part| part.employee == employee);
            events.extend(own.map(|part| event(calendar, booking.appointment, part)));
        }
        self.unwant(booking.appointment, &events).await?;
        self.want(events).await
    }

    /// Plans what a newly connected calendar's employee still has to do.
    pub async fn connect(&self, calendar: &Calendar) -> Result<(), Error> {
        self.lock().await?;
        let sql = "SELECT appointment_id, employee_id, part, title, starts_at, ends_at FROM booked_part
                   WHERE business_id = $1 AND employee_id = $2 AND ends_at > $3";
        let values = [self.business.0.into(), calendar.employee.0.into(), to_db(self.now).into()];
        let rows = PartRow::find_by_statement(database::statement(sql, values)).all(self.tx).await?;
        let event = |row: PartRow| {
            let appointment = AppointmentId(row.appointment_id);
            let part = Part {
                employee: EmployeeId(row.employee_id),
                index: row.part,
                span: span("booked_part", &row.appointment_id.to_string(), row.starts_at, row.ends_at)?,
                title: row.title,
            };
            Ok(event(calendar.id, appointment, &part))
        };
        self.want(rows.into_iter().map(event).collect::<Result<_, Error>>()?).await
    }

    /// A calendar that is connected while an appointment is planned would miss it.
    async fn lock(&self) -> Result<(), Error> {
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
        let key = format!("plan of {}", self.business);
        self.tx.execute_raw(database::statement(sql, [key.into()])).await?;
        Ok(())
    }

    /// Keeps what an appointment consists of now, and reads the calendars of the business.
    async fn keep(
        &self,
        appointment: AppointmentId,
        parts: &[Part],
    ) -> Result<Vec<(CalendarId, EmployeeId)>, Error> {
        let rows: Vec<JsonValue> = parts.iter().map(row).collect();
        let values = [self.business.0.into(), appointment.0.into(), JsonValue::from(rows).into()];
        let rows = self.tx.query_all_raw(database::statement(KEEP, values)).await?;
        let pair = |row: &sea_orm::QueryResult| {
            Ok((CalendarId(row.try_get("", "id")?), EmployeeId(row.try_get("", "employee_id")?)))
        };
        rows.iter().map(pair).collect()
    }

    async fn want(&self, events: Vec<JsonValue>) -> Result<(), Error> {
        if events.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO calendar_write AS known (business_id, calendar_id, event_id, appointment_id, title,
                       starts_at, ends_at, wanted_at, traceparent, due_at)
                   SELECT $1, w.calendar_id, w.event_id, w.appointment_id, w.title, w.starts_at, w.ends_at, $3, $4, $5
                   FROM jsonb_to_recordset($2) AS w(calendar_id uuid, event_id text, appointment_id uuid, title text,
                       starts_at timestamptz, ends_at timestamptz)
                   ON CONFLICT (business_id, calendar_id, event_id) DO UPDATE SET title = EXCLUDED.title,
                       starts_at = EXCLUDED.starts_at, ends_at = EXCLUDED.ends_at, removed = false,
                       wanted = known.wanted + 1, wanted_at = EXCLUDED.wanted_at,
                       traceparent = EXCLUDED.traceparent, due_at = EXCLUDED.due_at, failures = 0
                   WHERE (known.title, known.starts_at, known.ends_at, known.removed)
                       IS DISTINCT FROM (EXCLUDED.title, EXCLUDED.starts_at, EXCLUDED.ends_at, false)";
        let values = [
            self.business.0.into(),
            JsonValue::from(events).into(),
            to_db(self.since).into(),
            self.traceparent.clone().into(),
            to_db(self.now).into(),
        ];
        self.tx.execute_raw(database::statement(sql, values)).await?;
        Ok(())
    }

    /// An event's id names its calendar too: ids alone tell what stays.
    async fn unwant(&self, appointment: AppointmentId, events: &[JsonValue]) -> Result<(), Error> {
        let sql = "UPDATE calendar_write SET removed = true, wanted = wanted + 1, wanted_at = $4,
                       traceparent = $5, due_at = $6, failures = 0
                   WHERE business_id = $1 AND appointment_id = $2 AND NOT removed
                   AND event_id NOT IN (SELECT jsonb_array_elements_text($3))";
        let kept: Vec<JsonValue> = events.iter().map(|event| event["event_id"].clone()).collect();
        let values = [
            self.business.0.into(),
            appointment.0.into(),
            JsonValue::from(kept).into(),
            to_db(self.since).into(),
            self.traceparent.clone().into(),
            to_db(self.now).into(),
        ];
        self.tx.execute_raw(database::statement(sql, values)).await?;
        Ok(())
    }
}

fn row(part: &Part) -> JsonValue {
    json!({
        "employee_id": part.employee.0,
        "part": part.index,
        "title": part.title,
        "starts_at": text(part.span.starts()),
        "ends_at": text(part.span.ends()),
    })
}

fn event(calendar: CalendarId, appointment: AppointmentId, part: &Part) -> JsonValue {
    json!({
        "calendar_id": calendar.0,
        "event_id": EventId::of_part(calendar, appointment, part.employee, part.index).0,
        "appointment_id": appointment.0,
        "title": part.title,
        "starts_at": text(part.span.starts()),
        "ends_at": text(part.span.ends()),
    })
}
