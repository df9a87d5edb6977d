//! Connected calendars.

use caller::UserId;
use database::{from_db, named};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde::Deserialize;
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{
        AppointmentId, CalendarId, EmployeeId,
        busy::Aside,
        calendar::{Calendar, Kind, Listed, Unwritten},
        event::{EventId, Span},
        shortfall::Reason,
    },
    error::Error,
};

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    kind: String,
    employee_id: Uuid,
    name: String,
    synced_at: Option<DateTimeUtc>,
    last_error: Option<String>,
    shortfall_count: i64,
    shortfalls: JsonValue,
    unread_count: i64,
    unread: JsonValue,
    unwritten_count: i64,
    unwritten: JsonValue,
    entries_read: Option<i32>,
    account_of: Option<Uuid>,
    authorization_required: bool,
    host: Option<String>,
    written_count: i64,
}

/// One element of [`Row::shortfalls`].
#[derive(Debug, Deserialize)]
struct ShortfallRow {
    starts_at: Timestamp,
    ends_at: Timestamp,
    reason: String,
    held_until: Option<Timestamp>,
    fault: Option<String>,
}

/// One element of [`Row::unread`].
#[derive(Debug, Deserialize)]
struct UnreadRow {
    object_id: String,
    reason: String,
    since: Timestamp,
}

/// One element of [`Row::unwritten`].
#[derive(Debug, Deserialize)]
struct UnwrittenRow {
    appointment_id: Uuid,
    title: String,
    starts_at: Timestamp,
    fault: String,
    refused: bool,
    removed: bool,
}

impl From<UnwrittenRow> for Unwritten {
    fn from(row: UnwrittenRow) -> Self {
        Self {
            appointment: AppointmentId(row.appointment_id),
            title: row.title,
            starts_at: row.starts_at,
            fault: row.fault,
            refused: row.refused,
            removed: row.removed,
        }
    }
}

impl From<UnreadRow> for (Aside, Timestamp) {
    fn from(row: UnreadRow) -> Self {
        (Aside { id: EventId(row.object_id), reason: row.reason }, row.since)
    }
}

impl TryFrom<Row> for Listed {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let calendar = Calendar {
            id: CalendarId(row.id),
            kind: kind(row.id, &row.kind)?,
            employee: EmployeeId(row.employee_id),
            name: row.name,
        };
        let unreadable = || Error::Unreadable { table: "event_shortfall", id: row.id.to_string() };
        let rows: Vec<ShortfallRow> = serde_json::from_value(row.shortfalls).map_err(|_| unreadable())?;
        let unread: Vec<UnreadRow> = serde_json::from_value(row.unread).map_err(|_| unreadable())?;
        let unwritten: Vec<UnwrittenRow> = serde_json::from_value(row.unwritten)
            .map_err(|_| Error::Unreadable { table: "calendar_write", id: row.id.to_string() })?;
        let shortfalls = rows.into_iter().map(|row| shortfall(row).ok_or_else(unreadable));
        Ok(Self {
            calendar,
            synced_at: row.synced_at.map(from_db),
            last_error: row.last_error,
            shortfall_count: i32::try_from(row.shortfall_count).unwrap_or(i32::MAX),
            shortfalls: shortfalls.collect::<Result<_, _>>()?,
            unread_count: i32::try_from(row.unread_count).unwrap_or(i32::MAX),
            unread: unread.into_iter().map(Into::into).collect(),
            unwritten_count: i32::try_from(row.unwritten_count).unwrap_or(i32::MAX),
            unwritten: unwritten.into_iter().map(Into::into).collect(),
            entries_read: row.entries_read.unwrap_or_default(),
            account_of: row.account_of.map(UserId),
            authorization_required: row.authorization_required,
            host: row.host,
            written_count: i32::try_from(row.written_count).unwrap_or(i32::MAX),
        })
    }
}

fn shortfall(row: ShortfallRow) -> Option<(Span, Reason)> {
    let reason = match row.reason.as_str() {
        "TOO_LONG" => Reason::TooLong(row.held_until?),
        "OUT_OF_RANGE" => Reason::OutOfRange,
        "REFUSED" => Reason::Refused(row.fault?),
        _ => return None,
    };
    Some((Span::new(row.starts_at, row.ends_at)?, reason))
}

/// The kind of a row.
pub(super) fn kind(id: Uuid, name: &str) -> Result<Kind, Error> {
    Kind::parse(name).ok_or_else(|| Error::Unreadable { table: "calendar", id: id.to_string() })
}

/// Whether this release knows calendars of a row's kind. A later one may have connected others, which it serves: they
/// must not stop what is claimed together with them.
pub(super) fn is_known(id: Uuid, name: &str) -> bool {
    let is_known = Kind::parse(name).is_some();
    if !is_known {
        tracing::warn!(calendar = %id, kind = name, "a calendar is of a kind that this release does not know");
    }
    is_known
}

/// Where a page of the list begins: after this calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// Whose.
    pub employee: EmployeeId,
    /// Which.
    pub id: CalendarId,
}

/// Every column of [`Row`].
const SELECT: &str = "SELECT c.id, c.kind, c.employee_id, c.name, s.synced_at, s.last_error, s.entries_read,
    (SELECT count(*) FROM event_shortfall e WHERE e.business_id = c.business_id AND e.calendar_id = c.id)
        AS shortfall_count,
    (SELECT COALESCE(jsonb_agg(to_jsonb(e)), '[]') FROM (SELECT starts_at, ends_at, reason, held_until, fault
        FROM event_shortfall e WHERE e.business_id = c.business_id AND e.calendar_id = c.id
        ORDER BY reason <> 'REFUSED', starts_at, event_id LIMIT 3) e) AS shortfalls,
    (SELECT count(*) FROM unread_entry u WHERE u.business_id = c.business_id AND u.calendar_id = c.id)
        AS unread_count,
    (SELECT COALESCE(jsonb_agg(to_jsonb(u)), '[]') FROM (SELECT object_id, reason, since
        FROM unread_entry u WHERE u.business_id = c.business_id AND u.calendar_id = c.id
        ORDER BY since, object_id LIMIT 3) u) AS unread,
    (SELECT count(*) FROM calendar_write w WHERE w.business_id = c.business_id AND w.calendar_id = c.id
        AND w.written < w.wanted AND w.last_error IS NOT NULL) AS unwritten_count,
    (SELECT COALESCE(jsonb_agg(to_jsonb(w)), '[]') FROM (SELECT appointment_id, title, starts_at, removed,
            last_error AS fault, parked_at IS NOT NULL AS refused
        FROM calendar_write w WHERE w.business_id = c.business_id AND w.calendar_id = c.id
            AND w.written < w.wanted AND w.last_error IS NOT NULL
        ORDER BY parked_at IS NULL, starts_at, event_id LIMIT 3) w) AS unwritten,
    g.user_id AS account_of,
    g.user_id IS NOT NULL AND (SELECT l.user_id FROM google_grant l WHERE l.user_id = g.user_id
        AND l.account = g.account AND l.refused_at IS NULL LIMIT 1) IS NULL AS authorization_required,
    i.host,
    (SELECT count(*) FROM calendar_write w WHERE w.business_id = c.business_id AND w.calendar_id = c.id
        AND w.ends_at > :now AND (NOT w.removed OR w.written < w.wanted)
        AND (w.written > 0 OR w.lease IS NOT NULL OR w.last_error IS NOT NULL)) AS written_count
    FROM calendar c LEFT JOIN google_calendar g ON g.business_id = c.business_id AND g.id = c.id
    LEFT JOIN ics_calendar i ON i.business_id = c.business_id AND i.id = c.id
    JOIN sync_state s ON s.business_id = c.business_id AND s.calendar_id = c.id
        AND NOT s.leaving";

/// One page of the list.
pub(super) fn page_sql() -> String {
    format!(
        "{SELECT} WHERE c.business_id = :business_id AND (c.employee_id, c.id) > (:after_employee, :after_id)
         ORDER BY c.employee_id, c.id LIMIT :limit"
    )
}

impl Tx {
    /// Adds a calendar unless its id is there; says whether it did.
    pub async fn add_calendar(&self, calendar: &Calendar) -> Result<bool, Error> {
        let sql = "INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at)
                   VALUES (:business_id, :id, :kind, :employee_id, :name, :now)
                   ON CONFLICT (business_id, id) DO NOTHING";
        let values = named! {
            business_id: self.business.0,
            id: calendar.id.0,
            kind: calendar.kind.name(),
            employee_id: calendar.employee.0,
            name: calendar.name.as_str(),
            now: self.at(),
        };
        Ok(self.execute(sql, values).await? == 1)
    }

    /// One calendar.
    ///
    /// # Errors
    /// When there is none.
    pub async fn calendar(&self, id: CalendarId) -> Result<Listed, Error> {
        let sql = format!("{SELECT} WHERE c.business_id = :business_id AND c.id = :id");
        let values = named! { business_id: self.business.0, id: id.0, now: self.at() };
        self.one::<Row, _>(&sql, values).await?.ok_or(Error::NotFound("calendar"))
    }

    /// Calendars by employee, at most `limit`.
    pub async fn calendars(&self, after: Option<After>, limit: u32) -> Result<Vec<Listed>, Error> {
        let after = after.unwrap_or(After { employee: EmployeeId(Uuid::nil()), id: CalendarId(Uuid::nil()) });
        let values = named! {
            business_id: self.business.0,
            after_employee: after.employee.0,
            after_id: after.id.0,
            limit: i64::from(limit),
            now: self.at(),
        };
        self.all::<Row, _>(&page_sql(), values).await
    }
}
