//! Whose appointments in a booking system each calendar stands for.

use database::{named, to_db};
use sea_orm::FromQueryResult;
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{AppointmentId, CalendarId, ConnectionId, event::Span, provider::ProviderKind},
    error::Error,
    vault::Sealed,
};

const ADD: &str = "INSERT INTO provider_calendar (business_id, id, connection_id, external_employee_id)
    VALUES (:business_id, :calendar_id, :connection_id, :external_id)";
const OF_RECORD: &str = "SELECT id FROM provider_calendar WHERE business_id = :business_id
    AND connection_id = :connection_id AND external_employee_id = :external_id";
const OF_CONNECTION: &str = "SELECT id FROM provider_calendar WHERE business_id = :business_id
    AND connection_id = :connection_id ORDER BY id";
const ONE: &str =
    "SELECT p.connection_id, p.external_employee_id, c.kind, c.profile, c.sealed_token, k.id AS key_id,
        k.master_key, k.sealed AS sealed_key
    FROM provider_calendar p
    JOIN provider_connection c ON c.business_id = p.business_id AND c.id = p.connection_id
    JOIN data_key k ON k.business_id = c.business_id AND k.id = c.data_key_id
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

    pub(super) async fn unmap_calendar(&self, calendar: CalendarId) -> Result<(), Error> {
        self.execute(UNMAP, self.calendar_key(calendar)).await.map(drop)
    }
}
