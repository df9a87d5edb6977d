//! Connected calendars.

use database::from_db;
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde::Deserialize;
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{
        CalendarId, EmployeeId,
        calendar::{Calendar, Kind, Listed},
        event::Span,
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
        let shortfalls = rows.into_iter().map(|row| shortfall(row).ok_or_else(unreadable));
        Ok(Self {
            calendar,
            synced_at: row.synced_at.map(from_db),
            last_error: row.last_error,
            shortfall_count: i32::try_from(row.shortfall_count).unwrap_or(i32::MAX),
            shortfalls: shortfalls.collect::<Result<_, _>>()?,
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
        ORDER BY reason <> 'REFUSED', starts_at, event_id LIMIT 3) e) AS shortfalls
    FROM calendar c JOIN sync_state s ON s.business_id = c.business_id AND s.calendar_id = c.id";

/// One page of the list.
pub(super) fn page_sql() -> String {
    format!(
        "{SELECT} WHERE c.business_id = $1 AND (c.employee_id, c.id) > ($2, $3)
         ORDER BY c.employee_id, c.id LIMIT $4"
    )
}

impl Tx {
    /// Connects a calendar; connecting the same one again changes nothing.
    ///
    /// # Errors
    /// When the id is another calendar's.
    pub async fn connect(&self, calendar: &Calendar) -> Result<Listed, Error> {
        let sql = "INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at)
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (business_id, id) DO NOTHING";
        let values = [
            self.business.0.into(),
            calendar.id.0.into(),
            calendar.kind.name().into(),
            calendar.employee.0.into(),
            calendar.name.clone().into(),
            self.at(),
        ];
        if self.execute(sql, values).await? == 1 {
            self.begin_sync(calendar).await?;
        }
        let connected = self.calendar(calendar.id).await?;
        if connected.calendar == *calendar { Ok(connected) } else { Err(Error::CalendarExists) }
    }

    /// Makes a new calendar due, and wants in it what its employee has to do.
    async fn begin_sync(&self, calendar: &Calendar) -> Result<(), Error> {
        let sql = "INSERT INTO sync_state (business_id, calendar_id, due_at) VALUES ($1, $2, $3)";
        let values = [self.business.0.into(), calendar.id.0.into(), self.at()];
        self.execute(sql, values).await?;
        match calendar.kind {
            Kind::Demo => self.open_demo_calendar(calendar.id).await?,
        }
        self.plan().await?.connect(calendar).await
    }

    /// One calendar.
    ///
    /// # Errors
    /// When there is none.
    pub async fn calendar(&self, id: CalendarId) -> Result<Listed, Error> {
        let sql = format!("{SELECT} WHERE c.business_id = $1 AND c.id = $2");
        let values = [self.business.0.into(), id.0.into()];
        let row = self.row::<Row>(&sql, values).await?;
        row.ok_or(Error::NotFound("calendar"))?.try_into()
    }

    /// Calendars by employee, at most `limit`.
    pub async fn calendars(&self, after: Option<After>, limit: u32) -> Result<Vec<Listed>, Error> {
        let (employee, id) = after.map_or((Uuid::nil(), Uuid::nil()), |after| (after.employee.0, after.id.0));
        let values = [self.business.0.into(), employee.into(), id.into(), i64::from(limit).into()];
        let rows = self.rows::<Row>(&page_sql(), values).await?;
        rows.into_iter().map(Listed::try_from).collect()
    }
}
