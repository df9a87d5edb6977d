//! Checks of consistency.

use std::collections::BTreeMap;

use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{CalendarId, consistency::Window, event::EventId},
    error::Error,
};

/// What is in step stays so as long as nothing else was found.
const SAVE: &str = "
    INSERT INTO consistency_check AS known (business_id, checked_at, from_at, to_at, appointment_count,
        difference_count, unread_side_count, digest, in_step_at, in_step_digest)
    VALUES (:business_id, :now, :from_at, :to_at, :appointments, :differences, :unread_sides, :digest,
        CASE WHEN :in_step THEN :now::timestamptz END, CASE WHEN :in_step THEN :digest END)
    ON CONFLICT (business_id) DO UPDATE SET checked_at = excluded.checked_at, from_at = excluded.from_at,
        to_at = excluded.to_at, appointment_count = excluded.appointment_count,
        difference_count = excluded.difference_count, unread_side_count = excluded.unread_side_count,
        digest = excluded.digest, findings = NULL, in_step_at = COALESCE(excluded.in_step_at, known.in_step_at),
        in_step_digest = COALESCE(excluded.in_step_digest, known.in_step_digest)";
const LAST: &str =
    "SELECT checked_at, from_at, to_at, appointment_count, difference_count, unread_side_count,
        digest, in_step_at, in_step_digest
    FROM consistency_check WHERE business_id = :business_id";
/// Of this check alone: another one may have been saved meanwhile.
const SAVE_FINDINGS: &str = "UPDATE consistency_check SET findings = :findings
    WHERE business_id = :business_id AND checked_at = :checked_at";
const FINDINGS: &str = "SELECT findings FROM consistency_check
    WHERE business_id = :business_id AND findings IS NOT NULL";
/// Differences for which the condition holds are dropped from the list and from its count. With the last of them all
/// sides are in step, unless one was not read.
macro_rules! forget {
    ($gone:literal) => {
        concat!(
            "UPDATE consistency_check c SET (findings, difference_count, in_step_at, in_step_digest) = (
                SELECT jsonb_set(c.findings, '{differences}', k.kept), k.differences,
                    CASE WHEN k.in_step THEN :now::timestamptz ELSE c.in_step_at END,
                    CASE WHEN k.in_step THEN c.digest ELSE c.in_step_digest END
                FROM (
                    SELECT f.kept, f.differences,
                        f.differences = 0 AND c.difference_count > 0 AND c.unread_side_count = 0 AS in_step
                    FROM (
                        SELECT COALESCE(jsonb_agg(e.d) FILTER (WHERE NOT e.gone), '[]') AS kept,
                            GREATEST(c.difference_count - count(*) FILTER (WHERE e.gone), 0)::integer AS differences
                        FROM (SELECT l.d, ",
            $gone,
            " AS gone FROM jsonb_array_elements(c.findings->'differences') AS l (d)) e
                    ) f
                ) k)
            WHERE c.business_id = :business_id AND c.findings IS NOT NULL"
        )
    };
}

/// A difference that is repaired is none any more: whether its write fails shows with the appointments.
const FORGET: &str = forget!("l.d @> :difference");
/// Those of visits, by the names that they had.
pub(super) const FORGET_VISITS: &str =
    forget!("COALESCE(l.d->>'appointmentId' = ANY(:ids::uuid[]::text[]), false)");
const PLANNED: &str =
    "SELECT calendar_id, event_id, wanted_at, CASE WHEN wanted_by_at = wanted_at THEN wanted_by END AS wanted_by,
        written < wanted AND parked_at IS NULL AS waiting
    FROM calendar_write WHERE business_id = :business_id AND ends_at > :from_at";

/// A check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// When.
    pub at: Timestamp,
    /// What was compared.
    pub window: Window,
    /// Appointments of the book in it.
    pub appointments: i32,
    /// Differences found.
    pub differences: i32,
    /// Sides that could not be read.
    pub unread_sides: i32,
    /// Over the book's events.
    pub digest: String,
    /// When all sides were last in step, and the digest of then.
    pub in_step: Option<(Timestamp, String)>,
}

/// How an event is planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// When what is written was last changed here.
    pub changed_at: Timestamp,
    /// Who did that, as the audit trail names them, if it is known.
    pub changed_by: Option<String>,
    /// Whether it is still to be written.
    pub waiting: bool,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    checked_at: DateTimeUtc,
    from_at: DateTimeUtc,
    to_at: DateTimeUtc,
    appointment_count: i32,
    difference_count: i32,
    unread_side_count: i32,
    digest: String,
    in_step_at: Option<DateTimeUtc>,
    in_step_digest: Option<String>,
}

impl From<Row> for Checked {
    fn from(row: Row) -> Self {
        Self {
            at: from_db(row.checked_at),
            window: Window { from: from_db(row.from_at), to: from_db(row.to_at) },
            appointments: row.appointment_count,
            differences: row.difference_count,
            unread_sides: row.unread_side_count,
            digest: row.digest,
            in_step: row.in_step_at.map(from_db).zip(row.in_step_digest),
        }
    }
}

#[derive(Debug, FromQueryResult)]
struct PlannedRow {
    calendar_id: Uuid,
    event_id: String,
    wanted_at: DateTimeUtc,
    wanted_by: Option<String>,
    waiting: bool,
}

impl Tx {
    /// Keeps a check as the business's last.
    pub async fn save_check(&self, checked: &Checked) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            now: to_db(checked.at),
            from_at: to_db(checked.window.from),
            to_at: to_db(checked.window.to),
            appointments: checked.appointments,
            differences: checked.differences,
            unread_sides: checked.unread_sides,
            digest: checked.digest.as_str(),
            in_step: checked.differences == 0 && checked.unread_sides == 0,
        };
        self.execute(SAVE, values).await.map(drop)
    }

    /// The business's last check.
    pub async fn last_check(&self) -> Result<Option<Checked>, Error> {
        Ok(self.row::<Row>(LAST, named! { business_id: self.business.0 }).await?.map(Into::into))
    }

    /// Keeps what a check found, as it is answered.
    pub async fn save_findings(&self, checked: &Checked, findings: JsonValue) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, checked_at: to_db(checked.at), findings };
        self.execute(SAVE_FINDINGS, values).await.map(drop)
    }

    /// What the business's last check found, as it was kept.
    pub async fn findings(&self) -> Result<Option<JsonValue>, Error> {
        Ok(self.value::<JsonValue>(FINDINGS, named! { business_id: self.business.0 }).await?)
    }

    /// Drops a difference that was repaired.
    pub async fn forget_difference(&self, calendar: CalendarId, event: &EventId) -> Result<(), Error> {
        let difference = json!({ "calendarId": calendar.to_string(), "eventId": event.0.as_str() });
        let values = named! { business_id: self.business.0, difference, now: self.at() };
        self.execute(FORGET, values).await.map(drop)
    }

    /// How the events that end after `from` are planned.
    pub async fn planned(&self, from: Timestamp) -> Result<BTreeMap<(CalendarId, EventId), Planned>, Error> {
        let values = named! { business_id: self.business.0, from_at: to_db(from) };
        let rows = self.rows::<PlannedRow>(PLANNED, values).await?;
        let planned = |row: PlannedRow| {
            let planned = Planned {
                changed_at: from_db(row.wanted_at),
                changed_by: row.wanted_by,
                waiting: row.waiting,
            };
            ((CalendarId(row.calendar_id), EventId(row.event_id)), planned)
        };
        Ok(rows.into_iter().map(planned).collect())
    }
}
