//! Calendars of accounts at Google.

use caller::{UserId, Worker};
use database::{constraint, named};
use jiff::tz::TimeZone;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Store, Tx, business::zone};
use crate::{SERVICE, domain::CalendarId, error::Error};

const ADD: &str = "INSERT INTO google_calendar (business_id, id, user_id, account, external_id, watch_due_at)
    VALUES (:business_id, :calendar_id, :user_id, :account, :external_id, :now)";
const CHANGE: &str = "UPDATE google_calendar SET user_id = :user_id, account = :account
    WHERE business_id = :business_id AND id = :calendar_id";
const ONE: &str = "SELECT g.user_id, g.account, g.external_id, b.time_zone
    FROM google_calendar g JOIN business b ON b.business_id = g.business_id
    WHERE g.business_id = :business_id AND g.id = :calendar_id";
/// Whose consent was given again: nothing waits for its next turn.
const READ_SOON: &str = "WITH waiting AS MATERIALIZED (
        SELECT s.calendar_id FROM sync_state s
        JOIN google_calendar g ON g.business_id = s.business_id AND g.id = s.calendar_id
        WHERE s.business_id = :business_id AND g.user_id = :user_id
        ORDER BY s.calendar_id FOR UPDATE OF s)
    UPDATE sync_state s SET due_at = LEAST(s.due_at, :now), failures = 0 FROM waiting
    WHERE s.business_id = :business_id AND s.calendar_id = waiting.calendar_id";
const WRITE_SOON: &str = "WITH waiting AS MATERIALIZED (
        SELECT w.calendar_id, w.event_id FROM calendar_write w
        JOIN google_calendar g ON g.business_id = w.business_id AND g.id = w.calendar_id
        WHERE w.business_id = :business_id AND g.user_id = :user_id AND w.written < w.wanted
            AND w.parked_at IS NULL
        ORDER BY w.event_id FOR UPDATE OF w)
    UPDATE calendar_write w SET due_at = LEAST(w.due_at, :now), failures = 0 FROM waiting
    WHERE w.business_id = :business_id AND w.calendar_id = waiting.calendar_id AND w.event_id = waiting.event_id";
const WATCH_SOON: &str = "UPDATE google_calendar SET watch_due_at = :now
    WHERE business_id = :business_id AND user_id = :user_id";
const BUSINESSES: &str = "SELECT DISTINCT business_id FROM google_calendar WHERE user_id = :user_id";

/// A calendar at Google, as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct GoogleCalendar {
    /// With whose consent it is used.
    pub user: UserId,
    /// The account that it was connected from.
    pub account: String,
    /// Its id there.
    pub external_id: String,
    /// The zone of its business.
    pub zone: TimeZone,
}

#[derive(FromQueryResult)]
struct Row {
    user_id: Uuid,
    account: String,
    external_id: String,
    time_zone: String,
}

impl TryFrom<Row> for GoogleCalendar {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            user: UserId(row.user_id),
            account: row.account,
            external_id: row.external_id,
            zone: zone(&row.time_zone)?,
        })
    }
}

impl Tx {
    /// Keeps where a new calendar is.
    ///
    /// # Errors
    /// [`Error::Connected`] when the business has connected it already.
    pub async fn add_google_calendar(
        &self,
        calendar: CalendarId,
        user: UserId,
        account: &str,
        external_id: &str,
    ) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! {
            user_id: user.0,
            account,
            external_id,
            now: self.at(),
        });
        self.try_execute(ADD, values).await.map(drop).map_err(|error| match constraint(&error).as_deref() {
            Some("google_calendar_once") => Error::Connected,
            _ => error.into(),
        })
    }

    /// Replaces the person with whose consent a calendar is used.
    pub async fn change_google_account(
        &self,
        calendar: CalendarId,
        user: UserId,
        account: &str,
    ) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! { user_id: user.0, account });
        self.execute(CHANGE, values).await.map(drop)
    }

    /// Where a calendar is, and with whose consent it is used.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is none of Google's.
    pub async fn google_calendar(&self, calendar: CalendarId) -> Result<GoogleCalendar, Error> {
        let found = self.one::<Row, _>(ONE, self.calendar_key(calendar)).await?;
        found.ok_or(Error::NotFound("calendar at Google"))
    }
}

impl Store {
    /// Makes the calendars that are used with a person's consent due, in every business.
    pub async fn resume_google_calendars(&self, user: UserId) -> Result<(), Error> {
        let tx = self.begin_for_all();
        let businesses = tx.values::<Uuid>(BUSINESSES, named! { user_id: user.0 }).await?;
        tx.commit().await?;
        for business in businesses {
            let tx = self.begin(&Worker::new(SERVICE, business.into()));
            let values = named! { business_id: business, user_id: user.0, now: tx.at() };
            tx.execute(READ_SOON, values.clone()).await?;
            tx.lock_plan().await?;
            tx.execute(WRITE_SOON, values.clone()).await?;
            tx.execute(WATCH_SOON, values).await?;
            tx.commit().await?;
        }
        Ok(())
    }
}
