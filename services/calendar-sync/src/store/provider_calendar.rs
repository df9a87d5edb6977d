//! Whose appointments in a booking system each calendar stands for.

use std::collections::BTreeMap;

use database::{named, to_db};
use sea_orm::FromQueryResult;
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{
        AppointmentId, CalendarId, ConnectionId,
        event::Span,
        provider::{Mapped, ProviderKind},
    },
    error::Error,
    vault::Sealed,
};

const ADD: &str = "INSERT INTO provider_calendar (business_id, id, connection_id, external_employee_id)
    VALUES (:business_id, :calendar_id, :connection_id, :external_id)";
const OF_RECORD: &str = "SELECT id FROM provider_calendar WHERE business_id = :business_id
    AND connection_id = :connection_id AND external_employee_id = :external_id";
const OF_CONNECTION: &str = "SELECT id FROM provider_calendar WHERE business_id = :business_id
    AND connection_id = :connection_id ORDER BY id";
const EMPLOYEES: &str = "SELECT id, external_employee_id FROM provider_calendar
    WHERE business_id = :business_id AND connection_id = :connection_id";
/// Not those that are forgotten with their next turn.
const MAPPED: &str = "SELECT p.id, p.external_employee_id, (SELECT count(*) FROM calendar_write w
        WHERE NOT s.leaving AND w.business_id = p.business_id AND w.calendar_id = p.id AND w.ends_at > :now
            AND (NOT w.removed OR w.written < w.wanted)
            AND (w.written > 0 OR w.lease IS NOT NULL OR w.last_error IS NOT NULL)) AS written_count
    FROM provider_calendar p JOIN sync_state s ON s.business_id = p.business_id AND s.calendar_id = p.id
    WHERE p.business_id = :business_id AND p.connection_id = :connection_id
        AND (NOT s.leaving OR EXISTS (SELECT FROM calendar_cleanup u
            WHERE u.business_id = p.business_id AND u.calendar_id = p.id))
    ORDER BY p.id";
const ONE: &str =
    "SELECT p.connection_id, p.external_employee_id, c.kind, c.profile, c.sealed_token, k.id AS key_id,
        k.master_key, k.sealed AS sealed_key
    FROM provider_calendar p
    JOIN provider_connection c ON c.business_id = p.business_id AND c.id = p.connection_id
    JOIN data_key k ON k.business_id = c.business_id AND k.id = c.data_key_id
    WHERE p.business_id = :business_id AND p.id = :calendar_id";
/// Kept until the transaction ends: of two calendars that end at once, the second knows that it is the last.
const LOCK_CONNECTION: &str = "SELECT c.id FROM provider_calendar p
    JOIN provider_connection c ON c.business_id = p.business_id AND c.id = p.connection_id
    WHERE p.business_id = :business_id AND p.id = :calendar_id FOR UPDATE OF c";
/// Whom a kept calendar stands for, unless its record is mapped to another employee meanwhile.
const REMAP: &str = "UPDATE provider_record r SET mapped_id = c.employee_id FROM provider_calendar p
    JOIN calendar c ON c.business_id = p.business_id AND c.id = p.id
    WHERE p.business_id = :business_id AND p.id = :calendar_id AND r.business_id = p.business_id
    AND r.connection_id = p.connection_id AND r.kind = 'EMPLOYEE' AND r.external_id = p.external_employee_id
    AND r.mapped_id IS NULL AND NOT EXISTS (SELECT FROM provider_record o WHERE o.business_id = r.business_id
        AND o.connection_id = r.connection_id AND o.kind = r.kind AND o.mapped_id = c.employee_id)";
const ENDS_WITH_CONNECTION: &str = "SELECT c.ending_since IS NOT NULL FROM provider_calendar p
    JOIN provider_connection c ON c.business_id = p.business_id AND c.id = p.connection_id
    WHERE p.business_id = :business_id AND p.id = :calendar_id";
const UNMAP: &str = "UPDATE provider_record r SET mapped_id = NULL FROM provider_calendar p
    WHERE p.business_id = :business_id AND p.id = :calendar_id AND r.business_id = p.business_id
    AND r.connection_id = p.connection_id AND r.kind = 'EMPLOYEE' AND r.external_id = p.external_employee_id";
/// What an employee's part of an appointment begins with, as the booking system knows it.
const SERVICE: &str = "SELECT r.external_id FROM provider_calendar p
    JOIN calendar c ON c.business_id = p.business_id AND c.id = p.id
    JOIN booked_part b ON b.business_id = p.business_id AND b.appointment_id = :appointment_id
        AND b.employee_id = c.employee_id AND b.starts_at = :starts_at
    JOIN provider_record r ON r.business_id = p.business_id AND r.connection_id = p.connection_id
        AND r.kind = 'SERVICE' AND r.mapped_id = b.service_id AND NOT r.gone
    WHERE p.business_id = :business_id AND p.id = :calendar_id ORDER BY b.part LIMIT 1";

/// An employee's appointments in a booking system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCalendar {
    /// By which connection.
    pub connection: ConnectionId,
    /// To which system.
    pub kind: ProviderKind,
    /// Whose, there.
    pub employee: String,
    /// What opens it.
    pub token: Sealed,
}

#[derive(FromQueryResult)]
struct Row {
    connection_id: Uuid,
    external_employee_id: String,
    kind: String,
    profile: String,
    sealed_token: Vec<u8>,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
}

#[derive(FromQueryResult)]
struct EmployeeRow {
    id: Uuid,
    external_employee_id: String,
}

#[derive(FromQueryResult)]
struct MappedRow {
    id: Uuid,
    external_employee_id: String,
    written_count: i64,
}

impl Tx {
    /// Keeps whose appointments there a calendar stands for.
    pub async fn add_provider_calendar(
        &self,
        calendar: CalendarId,
        connection: ConnectionId,
        external: &str,
    ) -> Result<(), Error> {
        let values =
            self.calendar_key(calendar).and(named! { connection_id: connection.0, external_id: external });
        self.execute(ADD, values).await.map(drop)
    }

    /// The calendar that stands for an employee there, if there is one.
    pub async fn calendar_of_record(
        &self,
        connection: ConnectionId,
        external: &str,
    ) -> Result<Option<CalendarId>, Error> {
        let values = self.connection_key(connection).and(named! { external_id: external });
        Ok(self.value::<Uuid>(OF_RECORD, values).await?.map(CalendarId))
    }

    /// The calendars that stand for employees there.
    pub async fn calendars_of_connection(&self, connection: ConnectionId) -> Result<Vec<CalendarId>, Error> {
        let calendars = self.values::<Uuid>(OF_CONNECTION, self.connection_key(connection)).await?;
        Ok(calendars.into_iter().map(CalendarId).collect())
    }

    /// Whom there each calendar of a connection stands for.
    pub async fn employees_of_connection(
        &self,
        connection: ConnectionId,
    ) -> Result<BTreeMap<CalendarId, String>, Error> {
        let rows = self.rows::<EmployeeRow>(EMPLOYEES, self.connection_key(connection)).await?;
        Ok(rows.into_iter().map(|row| (CalendarId(row.id), row.external_employee_id)).collect())
    }

    /// The calendars that stand for employees there, with what is in them, or how far taking that out is.
    pub async fn mapped_calendars(&self, connection: ConnectionId) -> Result<Vec<Mapped>, Error> {
        let values = self.connection_key(connection).and(named! { now: self.at() });
        let rows = self.rows::<MappedRow>(MAPPED, values).await?;
        let ending = self.ending_calendars_of(connection).await?;
        let mapped = |row: MappedRow| {
            let calendar = CalendarId(row.id);
            let ending = ending.iter().find(|ending| ending.calendar.id == calendar);
            Mapped {
                external: row.external_employee_id,
                calendar,
                written: i32::try_from(row.written_count).unwrap_or(i32::MAX),
                cleanup: ending.map(|ending| ending.cleanup.clone()),
            }
        };
        Ok(rows.into_iter().map(mapped).collect())
    }

    /// Whose appointments a calendar stands for, and what opens them.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it stands for none.
    pub async fn provider_calendar(&self, calendar: CalendarId) -> Result<ProviderCalendar, Error> {
        let found = self.row::<Row>(ONE, self.calendar_key(calendar)).await?;
        let row = found.ok_or(Error::NotFound("calendar of a booking system"))?;
        let unreadable =
            || Error::Unreadable { table: "provider_connection", id: row.connection_id.to_string() };
        let key = WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key };
        Ok(ProviderCalendar {
            connection: ConnectionId(row.connection_id),
            kind: ProviderKind::parse(&row.kind, &row.profile).ok_or_else(unreadable)?,
            employee: row.external_employee_id,
            token: Sealed { key, secret: row.sealed_token },
        })
    }

    /// The service there of what a calendar's employee does in an appointment from then on; `None` where it is
    /// mapped to none.
    pub async fn service_there(
        &self,
        calendar: CalendarId,
        appointment: AppointmentId,
        span: Span,
    ) -> Result<Option<String>, Error> {
        let part = named! { appointment_id: appointment.0, starts_at: to_db(span.starts()) };
        Ok(self.value::<String>(SERVICE, self.calendar_key(calendar).and(part)).await?)
    }

    /// The connection of an employee's appointments in a booking system.
    pub(super) async fn lock_connection_of(
        &self,
        calendar: CalendarId,
    ) -> Result<Option<ConnectionId>, Error> {
        let connection = self.value::<Uuid>(LOCK_CONNECTION, self.calendar_key(calendar)).await?;
        Ok(connection.map(ConnectionId))
    }

    /// Whether a calendar's booking system is being disconnected.
    pub async fn ends_with_connection(&self, calendar: CalendarId) -> Result<bool, Error> {
        let ends = self.value::<bool>(ENDS_WITH_CONNECTION, self.calendar_key(calendar)).await?;
        Ok(ends.unwrap_or(false))
    }

    /// Maps the employee again who was mapped to none as their calendar was left.
    pub async fn remap_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(REMAP, self.calendar_key(calendar)).await.map(drop)
    }

    pub(super) async fn unmap_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(UNMAP, self.calendar_key(calendar)).await.map(drop)
    }
}
