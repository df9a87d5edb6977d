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
        CalendarId, EmployeeId,
        busy::Aside,
        calendar::{Calendar, Kind, Listed},
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
    account_of: Option<Uuid>,
    authorization_required: bool,
    host: Option<String>,
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
        let shortfalls = rows.into_iter().map(|row| shortfall(row).ok_or_else(unreadable));
        Ok(Self {
            calendar,
            synced_at: row.synced_at.map(from_db),
            last_error: row.last_error,
            shortfall_count: i32::try_from(row.shortfall_count).unwrap_or(i32::MAX),
            shortfalls: shortfalls.collect::<Result<_, _>>()?,
            unread_count: i32::try_from(row.unread_count).unwrap_or(i32::MAX),
            unread: unread.into_iter().map(Into::into).collect(),
            account_of: row.account_of.map(UserId),
            authorization_required: row.authorization_required,
            host: row.host,
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

/// Every column of [`Row`]. A write that fails is as much out of step as a read.
const SELECT: &str = "SELECT c.id, c.kind, c.employee_id, c.name, s.synced_at,
    COALESCE(s.last_error, (SELECT w.last_error FROM calendar_write w WHERE w.business_id = c.business_id
        AND w.calendar_id = c.id AND w.last_error IS NOT NULL ORDER BY w.wanted_at DESC LIMIT 1)) AS last_error,
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
    g.user_id AS account_of,
    g.user_id IS NOT NULL AND (SELECT l.user_id FROM google_grant l WHERE l.user_id = g.user_id
        AND l.account = g.account AND l.refused_at IS NULL LIMIT 1) IS NULL AS authorization_required,
    i.host
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
        let found = self.one::<Row, _>(&sql, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("calendar"))
    }

    /// Calendars by employee, at most `limit`.
    pub async fn calendars(&self, after: Option<After>, limit: u32) -> Result<Vec<Listed>, Error> {
        let after = after.unwrap_or(After { employee: EmployeeId(Uuid::nil()), id: CalendarId(Uuid::nil()) });
        let values = named! {
            business_id: self.business.0,
            after_employee: after.employee.0,
            after_id: after.id.0,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(&page_sql(), values).await
    }
}
