//! Connected calendars.

use boot::postgres::{from_db, to_db};
use sea_orm::{ConnectionTrait, FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    domain::{
        CalendarId, EmployeeId,
        calendar::{Calendar, Kind, Listed},
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
        Ok(Self { calendar, synced_at: row.synced_at.map(from_db), last_error: row.last_error })
    }
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
        AND w.calendar_id = c.id AND w.last_error IS NOT NULL ORDER BY w.wanted_at DESC LIMIT 1)) AS last_error
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
            to_db(self.clock.now()).into(),
        ];
        if self.inner.execute_raw(statement(sql, values)).await?.rows_affected() == 1 {
            self.begin_sync(calendar).await?;
        }
        let connected = self.calendar(calendar.id).await?;
        if connected.calendar == *calendar { Ok(connected) } else { Err(Error::CalendarExists) }
    }

    /// Makes a new calendar due, and wants in it what its employee has to do.
    async fn begin_sync(&self, calendar: &Calendar) -> Result<(), Error> {
        let sql = "INSERT INTO sync_state (business_id, calendar_id, due_at) VALUES ($1, $2, $3)";
        let values = [self.business.0.into(), calendar.id.0.into(), to_db(self.clock.now()).into()];
        self.inner.execute_raw(statement(sql, values)).await?;
        match calendar.kind {
            Kind::Demo => self.open_demo_calendar(calendar.id).await?,
        }
        self.plan().connect(calendar).await
    }

    /// One calendar.
    ///
    /// # Errors
    /// When there is none.
    pub async fn calendar(&self, id: CalendarId) -> Result<Listed, Error> {
        let sql = format!("{SELECT} WHERE c.business_id = $1 AND c.id = $2");
        let values = [self.business.0.into(), id.0.into()];
        let row = Row::find_by_statement(statement(&sql, values)).one(&self.inner).await?;
        row.ok_or(Error::NotFound("calendar"))?.try_into()
    }

    /// Calendars by employee, at most `limit`.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn calendars(&self, after: Option<After>, limit: u32) -> Result<Vec<Listed>, Error> {
        let (employee, id) = after.map_or((Uuid::nil(), Uuid::nil()), |after| (after.employee.0, after.id.0));
        let values = [self.business.0.into(), employee.into(), id.into(), i64::from(limit).into()];
        let rows = Row::find_by_statement(statement(&page_sql(), values)).all(&self.inner).await?;
        rows.into_iter().map(Listed::try_from).collect()
    }
}
