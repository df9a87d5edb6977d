//! Calendars on CalDAV servers, with their sealed passwords.

use database::{Named, constraint, named};
use jiff::tz::TimeZone;
use sea_orm::FromQueryResult;
use sealing::envelope::{DataKeyId, WrappedKey};
use url::Url;
use uuid::Uuid;

use super::{Tx, business::zone};
use crate::{domain::CalendarId, error::Error, vault::Sealed};

const ADD: &str = "INSERT INTO caldav_calendar (business_id, id, collection, username, data_key_id,
        sealed_password, password_changed_at)
    VALUES (:business_id, :calendar_id, :collection, :username, :data_key_id, :sealed_password, :now)";
const ONE: &str = "SELECT c.collection, c.username, c.sealed_password, k.id AS key_id, k.master_key,
        k.sealed AS sealed_key, b.time_zone
    FROM caldav_calendar c JOIN data_key k ON k.business_id = c.business_id AND k.id = c.data_key_id
    JOIN business b ON b.business_id = c.business_id
    WHERE c.business_id = :business_id AND c.id = :calendar_id";
const CHANGE: &str =
    "UPDATE caldav_calendar SET data_key_id = :data_key_id, sealed_password = :sealed_password,
        password_changed_at = :now
    WHERE business_id = :business_id AND id = :calendar_id";
const CHANGE_USERNAME: &str = "UPDATE caldav_calendar SET username = :username
    WHERE business_id = :business_id AND id = :calendar_id";

/// A calendar on a CalDAV server, as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct CaldavCalendar {
    /// Its address.
    pub collection: Url,
    /// Whose account.
    pub username: String,
    /// The account's password.
    pub password: Sealed,
    /// The zone of its business.
    pub zone: TimeZone,
}

#[derive(FromQueryResult)]
struct Row {
    collection: String,
    username: String,
    sealed_password: Vec<u8>,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
    time_zone: String,
}

impl TryFrom<Row> for CaldavCalendar {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let unreadable = |_| Error::Unreadable { table: "caldav_calendar", id: row.key_id.to_string() };
        let key = WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key };
        Ok(Self {
            collection: row.collection.parse().map_err(unreadable)?,
            username: row.username,
            password: Sealed { key, secret: row.sealed_password },
            zone: zone(&row.time_zone)?,
        })
    }
}

impl Tx {
    /// Keeps where a new calendar is.
    ///
    /// # Errors
    /// [`Error::Connected`] when the business has connected it already.
    pub async fn add_caldav_calendar(
        &self,
        calendar: CalendarId,
        collection: &Url,
        username: &str,
        password: &Sealed,
    ) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(secret(password)).and(named! {
            collection: collection.as_str(),
            username,
            now: self.at(),
        });
        self.try_execute(ADD, values).await.map(drop).map_err(|error| match constraint(&error).as_deref() {
            Some("caldav_calendar_once") => Error::Connected,
            _ => error.into(),
        })
    }

    /// Where a calendar is, and what opens it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is on no CalDAV server.
    pub async fn caldav_calendar(&self, calendar: CalendarId) -> Result<CaldavCalendar, Error> {
        let found = self.one::<Row, _>(ONE, self.calendar_key(calendar)).await?;
        found.ok_or(Error::NotFound("CalDAV calendar"))
    }

    /// Replaces a calendar's password.
    pub async fn change_caldav_password(&self, calendar: CalendarId, password: &Sealed) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(secret(password)).and(named! { now: self.at() });
        self.execute(CHANGE, values).await.map(drop)
    }

    /// Replaces the account that opens a calendar.
    pub async fn change_caldav_account(
        &self,
        calendar: CalendarId,
        username: &str,
        password: &Sealed,
    ) -> Result<(), Error> {
        self.execute(CHANGE_USERNAME, self.calendar_key(calendar).and(named! { username })).await?;
        self.change_caldav_password(calendar, password).await
    }
}

fn secret(password: &Sealed) -> Named {
    named! { data_key_id: password.key.id.0, sealed_password: password.secret.clone() }
}
