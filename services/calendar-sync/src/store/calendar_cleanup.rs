//! Calendars that are being disconnected, and what is taken out of them first.

use caller::{BusinessId, UserId};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Plan, Tx, calendar::kind};
use crate::{
    domain::{
        CalendarId, ConnectionId, EmployeeId,
        calendar::Calendar,
        cleanup::{Cleanup, EndingCalendar, Standing},
    },
    error::Error,
};

const STANDING: &str = "SELECT c.employee_id, s.leaving, EXISTS (SELECT FROM calendar_cleanup u
        WHERE u.business_id = c.business_id AND u.calendar_id = c.id) AS cleaned_up
    FROM calendar c JOIN sync_state s ON s.business_id = c.business_id AND s.calendar_id = c.id
    WHERE c.business_id = :business_id AND c.id = :calendar_id FOR UPDATE OF s";
const BEGIN: &str = "INSERT INTO calendar_cleanup (business_id, calendar_id, begun_at, event_count)
    SELECT :business_id, :calendar_id, :now, count(*) FROM calendar_write
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND written < wanted HAVING count(*) > 0
    ON CONFLICT DO NOTHING";
const END: &str =
    "DELETE FROM calendar_cleanup WHERE business_id = :business_id AND calendar_id = :calendar_id";
/// What is read anew is told again; a check of a channel follows.
const KEEP: [&str; 2] = [
    "UPDATE sync_state SET leaving = false, token = NULL, synced_at = NULL, last_error = NULL, failing_since = NULL,
        failures = 0, due_at = :now, report_due_at = :now
    WHERE business_id = :business_id AND calendar_id = :calendar_id",
    "UPDATE google_calendar SET watch_due_at = :now WHERE business_id = :business_id AND id = :calendar_id",
];
const RETRY: &str = "WITH waiting AS MATERIALIZED (
        SELECT event_id FROM calendar_write
        WHERE business_id = :business_id AND calendar_id = :calendar_id AND written < wanted
        ORDER BY event_id FOR UPDATE)
    UPDATE calendar_write w SET due_at = :now, failures = 0, parked_at = NULL FROM waiting
    WHERE w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.event_id = waiting.event_id";
const IS_RELEASED: &str = "SELECT released_at IS NOT NULL FROM calendar_cleanup
    WHERE business_id = :business_id AND calendar_id = :calendar_id";
const RELEASED: &str = "UPDATE calendar_cleanup SET released_at = :now
    WHERE business_id = :business_id AND calendar_id = :calendar_id";
const IS_CLEAN: &str = "SELECT NOT EXISTS (SELECT FROM calendar_cleanup
        WHERE business_id = :business_id AND calendar_id = :calendar_id)
    OR NOT EXISTS (SELECT FROM calendar_write
        WHERE business_id = :business_id AND calendar_id = :calendar_id AND written < wanted)";
/// Calendars that are used with a person's consent, and others of the employee whose account it is. A booking system is the
/// salon's.
const LEAVE_OF: &str = "WITH theirs AS MATERIALIZED (
        SELECT s.calendar_id FROM sync_state s
        JOIN calendar c ON c.business_id = s.business_id AND c.id = s.calendar_id
        LEFT JOIN google_calendar g ON g.business_id = c.business_id AND g.id = c.id
        WHERE s.business_id = :business_id AND NOT s.leaving AND c.kind <> 'PROVIDER'
            AND CASE WHEN g.user_id IS NOT NULL THEN g.user_id = :user_id ELSE c.employee_id IN (
                SELECT e.id FROM employee e WHERE e.business_id = :business_id AND e.user_id = :user_id) END
        ORDER BY s.calendar_id FOR UPDATE OF s)
    UPDATE sync_state s SET leaving = true, due_at = :now, failures = 0 FROM theirs
    WHERE s.business_id = :business_id AND s.calendar_id = theirs.calendar_id
    RETURNING s.calendar_id";
/// The last of them is out: the calendar is forgotten with the turn that comes now.
const HASTEN: &str = "UPDATE sync_state s SET due_at = :now
    WHERE s.business_id = :business_id AND s.calendar_id = :calendar_id AND s.leaving
        AND NOT EXISTS (SELECT FROM calendar_write w WHERE w.business_id = :business_id
            AND w.calendar_id = :calendar_id AND w.written < w.wanted)";
/// Every column of [`Row`].
macro_rules! ending {
    ($where:literal) => {
        concat!(
            "SELECT c.id, c.kind, c.employee_id, c.name, u.begun_at, u.event_count,
                (SELECT count(*) FROM calendar_write w WHERE w.business_id = c.business_id AND w.calendar_id = c.id
                    AND w.written < w.wanted) AS left_count,
                (SELECT count(*) FROM calendar_write w WHERE w.business_id = c.business_id AND w.calendar_id = c.id
                    AND w.written < w.wanted AND w.parked_at IS NOT NULL) AS refused_count,
                (SELECT w.last_error FROM calendar_write w WHERE w.business_id = c.business_id
                    AND w.calendar_id = c.id AND w.written < w.wanted AND w.failures > 0
                    AND w.last_error IS NOT NULL
                    ORDER BY w.parked_at IS NULL, w.starts_at, w.event_id LIMIT 1) AS fault,
                g.user_id AS account_of,
                g.user_id IS NOT NULL AND (SELECT l.user_id FROM google_grant l WHERE l.user_id = g.user_id
                    AND l.account = g.account AND l.refused_at IS NULL LIMIT 1) IS NULL AS authorization_required,
                g.user_id IS NOT NULL AND (SELECT l.ending_since FROM google_grant l WHERE l.user_id = g.user_id
                    AND l.account = g.account LIMIT 1) IS NOT NULL AS access_withdrawn
            FROM calendar_cleanup u JOIN calendar c ON c.business_id = u.business_id AND c.id = u.calendar_id
            LEFT JOIN google_calendar g ON g.business_id = c.business_id AND g.id = c.id
            WHERE u.business_id = :business_id AND ",
            $where,
            " ORDER BY u.begun_at, c.id LIMIT 200"
        )
    };
}
const LIST: &str = ending!("true");
const OF_CONNECTION: &str = ending!(
    "c.id IN (SELECT p.id FROM provider_calendar p WHERE p.business_id = :business_id
        AND p.connection_id = :connection_id)"
);
/// Where the same calendar of an account is being disconnected.
const AT_COLLECTION: &str = "SELECT c.id, c.employee_id FROM caldav_calendar k
    JOIN calendar c ON c.business_id = k.business_id AND c.id = k.id
    JOIN calendar_cleanup u ON u.business_id = k.business_id AND u.calendar_id = k.id
    WHERE k.business_id = :business_id AND k.collection = :place";
const AT_GOOGLE: &str = "SELECT c.id, c.employee_id FROM google_calendar k
    JOIN calendar c ON c.business_id = k.business_id AND c.id = k.id
    JOIN calendar_cleanup u ON u.business_id = k.business_id AND u.calendar_id = k.id
    WHERE k.business_id = :business_id AND k.external_id = :place";

#[derive(Debug, FromQueryResult)]
struct StandingRow {
    employee_id: Uuid,
    leaving: bool,
    cleaned_up: bool,
}

#[derive(Debug, FromQueryResult)]
struct SameRow {
    id: Uuid,
    employee_id: Uuid,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    kind: String,
    employee_id: Uuid,
    name: String,
    begun_at: DateTimeUtc,
    event_count: i32,
    left_count: i64,
    refused_count: i64,
    fault: Option<String>,
    account_of: Option<Uuid>,
    authorization_required: bool,
    access_withdrawn: bool,
}

impl TryFrom<Row> for EndingCalendar {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let count = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
        Ok(Self {
            calendar: Calendar {
                id: CalendarId(row.id),
                kind: kind(row.id, &row.kind)?,
                employee: EmployeeId(row.employee_id),
                name: row.name,
            },
            cleanup: Cleanup {
                begun_at: from_db(row.begun_at),
                events: row.event_count.max(count(row.left_count)),
                left: count(row.left_count),
                refused: count(row.refused_count),
                fault: row.fault,
            },
            account_of: row.account_of.map(Into::into),
            authorization_required: row.authorization_required,
            access_withdrawn: row.access_withdrawn,
        })
    }
}

/// The calendar that a person connects again while it is being disconnected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Same {
    /// Which.
    pub calendar: CalendarId,
    /// Whose it was.
    pub employee: EmployeeId,
}

/// Disconnects the calendars of a person in a business, and has appointments to come taken out of them first.
///
/// # Errors
/// When the database fails.
pub async fn leave_calendars_of(
    tx: &DatabaseTransaction,
    business: BusinessId,
    account: UserId,
    now: Timestamp,
) -> Result<(), Error> {
    let values = named! { business_id: business.0, user_id: account.0, now: to_db(now) };
    let rows = tx.query_all_raw(database::statement(LEAVE_OF, values)).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let plan = Plan::new(tx, business, now);
    plan.lock().await?;
    for row in rows {
        let calendar = CalendarId(row.try_get_by_index(0)?);
        plan.clear(calendar).await?;
        let values = named! { business_id: business.0, calendar_id: calendar.0, now: to_db(now) };
        tx.execute_raw(database::statement(BEGIN, values)).await?;
    }
    Ok(())
}

impl Tx {
    /// How a calendar stands, and whose it is. It stands so until the transaction ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn standing(&self, calendar: CalendarId) -> Result<(Standing, EmployeeId), Error> {
        let row = self.row::<StandingRow>(STANDING, self.calendar_key(calendar)).await?;
        let row = row.ok_or(Error::NotFound("calendar"))?;
        Ok((Standing::of(row.leaving, row.cleaned_up), EmployeeId(row.employee_id)))
    }

    /// Begins the cleanup of a calendar with the removals that are planned for it. Without any, it begins none.
    /// It comes after the calendar is left and its writes are planned.
    pub async fn begin_cleanup(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(BEGIN, self.at_calendar(calendar)).await.map(drop)
    }

    /// Has a calendar forgotten with its next turn, whatever is still in it.
    pub async fn end_cleanup(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(END, self.calendar_key(calendar)).await?;
        self.make_due(calendar).await
    }

    /// Has a calendar read anew that was being disconnected. What is to be in it is planned after that.
    pub async fn keep_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        for sql in KEEP {
            self.execute(sql, self.at_calendar(calendar)).await?;
        }
        self.execute(END, self.calendar_key(calendar)).await.map(drop)
    }

    /// Makes what is still to be taken out due now, also what was refused.
    pub async fn retry_cleanup(&self, calendar: CalendarId) -> Result<(), Error> {
        self.lock_plan().await?;
        self.execute(RETRY, self.at_calendar(calendar)).await.map(drop)
    }

    /// Whether what was told of a calendar was taken back, where appointments are taken out of it.
    pub async fn is_released(&self, calendar: CalendarId) -> Result<bool, Error> {
        Ok(self.value::<bool>(IS_RELEASED, self.calendar_key(calendar)).await?.unwrap_or(false))
    }

    /// Keeps that it was.
    pub async fn save_released(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(RELEASED, self.at_calendar(calendar)).await.map(drop)
    }

    /// Whether nothing is to be taken out of a calendar any more.
    pub(super) async fn is_clean(&self, calendar: CalendarId) -> Result<bool, Error> {
        Ok(self.value::<bool>(IS_CLEAN, self.calendar_key(calendar)).await?.unwrap_or(true))
    }

    pub(super) async fn hasten_end(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(HASTEN, self.at_calendar(calendar)).await.map(drop)
    }

    /// The calendars that appointments are taken out of, those first that have been longest.
    pub async fn ending_calendars(&self) -> Result<Vec<EndingCalendar>, Error> {
        self.all::<Row, _>(LIST, named! { business_id: self.business.0 }).await
    }

    /// Those of a connection to a booking system.
    pub async fn ending_calendars_of(&self, connection: ConnectionId) -> Result<Vec<EndingCalendar>, Error> {
        self.all::<Row, _>(OF_CONNECTION, self.connection_key(connection)).await
    }

    /// The calendar at this address, while appointments are taken out of it.
    pub async fn ending_caldav_calendar(&self, collection: &url::Url) -> Result<Option<Same>, Error> {
        self.same(AT_COLLECTION, collection.as_str()).await
    }

    /// The calendar with this id at Google, while appointments are taken out of it.
    pub async fn ending_google_calendar(&self, external_id: &str) -> Result<Option<Same>, Error> {
        self.same(AT_GOOGLE, external_id).await
    }

    async fn same(&self, sql: &str, place: &str) -> Result<Option<Same>, Error> {
        let found = self.row::<SameRow>(sql, named! { business_id: self.business.0, place }).await?;
        Ok(found.map(|row| Same { calendar: CalendarId(row.id), employee: EmployeeId(row.employee_id) }))
    }

    fn at_calendar(&self, calendar: CalendarId) -> Named {
        self.calendar_key(calendar).and(named! { now: self.at() })
    }
}
