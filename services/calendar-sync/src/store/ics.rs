//! Calendars that are published under an address, which is sealed.

use std::collections::BTreeSet;

use database::{Named, named};
use jiff::tz::TimeZone;
use sea_orm::{FromQueryResult, JsonValue};
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::{Tx, business::zone};
use crate::{
    domain::{CalendarId, EmployeeId, event::EventId},
    error::Error,
    vault::Sealed,
};

const ADD: &str =
    "INSERT INTO ics_calendar (business_id, id, host, data_key_id, sealed_address, address_changed_at)
    VALUES (:business_id, :calendar_id, :host, :data_key_id, :sealed_address, :now)";
const CHANGE: &str = "UPDATE ics_calendar SET host = :host, data_key_id = :data_key_id,
        sealed_address = :sealed_address, address_changed_at = :now
    WHERE business_id = :business_id AND id = :calendar_id";
/// One calendar, or every one of the business.
const FIND: &str =
    "SELECT c.id, c.sealed_address, k.id AS key_id, k.master_key, k.sealed AS sealed_key, b.time_zone
    FROM ics_calendar c JOIN data_key k ON k.business_id = c.business_id AND k.id = c.data_key_id
    JOIN business b ON b.business_id = c.business_id
    WHERE c.business_id = :business_id";
/// Calendar by calendar, as the index has them.
const WRITTEN: &str = "SELECT DISTINCT w.event_id FROM calendar c
    CROSS JOIN jsonb_array_elements_text(:event_ids) AS e(id)
    JOIN calendar_write w ON w.business_id = c.business_id AND w.calendar_id = c.id AND w.event_id = e.id
    WHERE c.business_id = :business_id";
const COUNT: &str = "SELECT count(*) FROM calendar c
    JOIN sync_state s ON s.business_id = c.business_id AND s.calendar_id = c.id AND NOT s.leaving
    WHERE c.business_id = :business_id AND c.employee_id = :employee_id AND c.kind = 'ICS'";
/// Calendars of one business: more than its employees may have.
const MOST: i64 = 10_000;

/// A published calendar, as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct IcsCalendar {
    /// Its address.
    pub address: Sealed,
    /// The zone of its business.
    pub zone: TimeZone,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    sealed_address: Vec<u8>,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
    time_zone: String,
}

impl Row {
    fn address(self) -> Sealed {
        let key = WrappedKey { id: DataKeyId(self.key_id), master: self.master_key, sealed: self.sealed_key };
        Sealed { key, secret: self.sealed_address }
    }
}

impl Tx {
    /// Keeps where a new calendar is published.
    pub async fn add_ics_calendar(
        &self,
        calendar: CalendarId,
        host: &str,
        address: &Sealed,
    ) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(published(host, address)).and(named! { now: self.at() });
        self.execute(ADD, values).await.map(drop)
    }

    /// Replaces where a calendar is published.
    pub async fn change_ics_address(
        &self,
        calendar: CalendarId,
        host: &str,
        address: &Sealed,
    ) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(published(host, address)).and(named! { now: self.at() });
        self.execute(CHANGE, values).await.map(drop)
    }

    /// Where a calendar is published.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is not.
    pub async fn ics_calendar(&self, calendar: CalendarId) -> Result<IcsCalendar, Error> {
        let sql = format!("{FIND} AND c.id = :calendar_id");
        let found = self.row::<Row>(&sql, self.calendar_key(calendar)).await?;
        let row = found.ok_or(Error::NotFound("calendar that is published under an address"))?;
        Ok(IcsCalendar { zone: zone(&row.time_zone)?, address: row.address() })
    }

    /// Those of these events that appointments are written as, in any calendar of the business.
    pub async fn written_events(&self, among: &BTreeSet<EventId>) -> Result<BTreeSet<EventId>, Error> {
        let event_ids: JsonValue = among.iter().map(|id| id.0.as_str()).collect();
        let values = named! { business_id: self.business.0, event_ids };
        let written = self.values::<String>(WRITTEN, values).await?;
        Ok(written.into_iter().map(EventId).collect())
    }

    /// How many published calendars an employee has.
    pub async fn count_ics_calendars(&self, employee: EmployeeId) -> Result<i64, Error> {
        let values = named! { business_id: self.business.0, employee_id: employee.0 };
        Ok(self.value::<i64>(COUNT, values).await?.unwrap_or(0))
    }

    /// Where the business's calendars are published.
    pub async fn ics_addresses(&self) -> Result<Vec<(CalendarId, Sealed)>, Error> {
        let sql = format!("{FIND} ORDER BY c.id LIMIT :limit");
        let rows = self.rows::<Row>(&sql, named! { business_id: self.business.0, limit: MOST }).await?;
        Ok(rows.into_iter().map(|row| (CalendarId(row.id), row.address())).collect())
    }
}

fn published(host: &str, address: &Sealed) -> Named {
    named! { host, data_key_id: address.key.id.0, sealed_address: address.secret.clone() }
}
