//! Under which ids a booking system keeps our appointments, where it gives ids of its own.

use database::named;
use sea_orm::{FromQueryResult, JsonValue};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{AppointmentId, CalendarId, event::EventId},
    error::Error,
};

const OF_EVENT: &str = "SELECT key, external_id FROM provider_appointment
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id";
const BEGIN: &str =
    "INSERT INTO provider_appointment (business_id, calendar_id, event_id, appointment_id, key)
    VALUES (:business_id, :calendar_id, :event_id, :appointment_id, :key) ON CONFLICT DO NOTHING";
const KEEP: &str =
    "INSERT INTO provider_appointment (business_id, calendar_id, event_id, appointment_id, key, external_id)
    VALUES (:business_id, :calendar_id, :event_id, :appointment_id, :key, :external_id)
    ON CONFLICT (business_id, calendar_id, event_id) DO UPDATE SET external_id = excluded.external_id
    WHERE :anew OR provider_appointment.external_id IS NULL";
const FORGET: &str = "DELETE FROM provider_appointment
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND event_id = :event_id";
/// With what was last wanted of each: some systems don't tell what an appointment says.
const KNOWN: &str = "
    WITH known AS MATERIALIZED (
        SELECT event_id, appointment_id, external_id FROM provider_appointment
        WHERE business_id = :business_id AND calendar_id = :calendar_id
            AND external_id IN (SELECT jsonb_array_elements_text(:external_ids))
        UNION SELECT event_id, appointment_id, external_id FROM provider_appointment
        WHERE business_id = :business_id AND calendar_id = :calendar_id
            AND event_id IN (SELECT jsonb_array_elements_text(:event_ids)))
    SELECT k.event_id, k.appointment_id, k.external_id, w.title
    FROM known k LEFT JOIN calendar_write w
        ON w.business_id = :business_id AND w.calendar_id = :calendar_id AND w.event_id = k.event_id";

/// What is known of an appointment of ours in a booking system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// What it is created with.
    pub key: Uuid,
    /// How far that went.
    pub there: There,
}

/// Whether an appointment of ours is in a booking system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum There {
    /// It was not sent yet.
    No,
    /// It was sent, and no answer came.
    Perhaps,
    /// Under this id.
    Under(String),
}

/// An appointment of ours, under both ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAppointment {
    /// Ours.
    pub event: EventId,
    /// What it stands for.
    pub appointment: AppointmentId,
    /// Theirs; `None` while no answer has come.
    pub external: Option<String>,
    /// What it is to say.
    pub title: Option<String>,
}

#[derive(FromQueryResult)]
struct SentRow {
    key: Uuid,
    external_id: Option<String>,
}

#[derive(FromQueryResult)]
struct KnownRow {
    event_id: String,
    appointment_id: Uuid,
    external_id: Option<String>,
    title: Option<String>,
}

impl From<KnownRow> for KnownAppointment {
    fn from(row: KnownRow) -> Self {
        Self {
            event: EventId(row.event_id),
            appointment: AppointmentId(row.appointment_id),
            external: row.external_id,
            title: row.title,
        }
    }
}

impl Tx {
    /// What is known of an appointment that is about to be sent; it is kept that it is.
    pub async fn begin_sending(
        &self,
        calendar: CalendarId,
        event: &EventId,
        appointment: AppointmentId,
    ) -> Result<Sent, Error> {
        let values = self.calendar_key(calendar).and(named! { event_id: event.0.as_str() });
        let found = self.row::<SentRow>(OF_EVENT, values.clone()).await?;
        if let Some(SentRow { key, external_id }) = found {
            return Ok(Sent { key, there: external_id.map_or(There::Perhaps, There::Under) });
        }
        let key: Uuid = self.new_id();
        self.execute(BEGIN, values.and(named! { appointment_id: appointment.0, key })).await?;
        Ok(Sent { key, there: There::No })
    }

    /// Whether an appointment was sent; `None` for one that never was.
    pub async fn sent(&self, calendar: CalendarId, event: &EventId) -> Result<Option<Sent>, Error> {
        let values = self.calendar_key(calendar).and(named! { event_id: event.0.as_str() });
        let found = self.row::<SentRow>(OF_EVENT, values).await?;
        Ok(found.map(|SentRow { key, external_id }| Sent {
            key,
            there: external_id.map_or(There::Perhaps, There::Under),
        }))
    }

    /// Keeps under which id an appointment was just written.
    pub async fn keep_their_id(
        &self,
        calendar: CalendarId,
        event: &EventId,
        appointment: AppointmentId,
        external: &str,
    ) -> Result<(), Error> {
        self.save_their_id(calendar, (event, appointment, external), true).await
    }

    /// Keeps under which id an appointment was found, where none is known.
    pub async fn learn_their_id(
        &self,
        calendar: CalendarId,
        event: &EventId,
        appointment: AppointmentId,
        external: &str,
    ) -> Result<(), Error> {
        self.save_their_id(calendar, (event, appointment, external), false).await
    }

    async fn save_their_id(
        &self,
        calendar: CalendarId,
        (event, appointment, external): (&EventId, AppointmentId, &str),
        anew: bool,
    ) -> Result<(), Error> {
        let key: Uuid = self.new_id();
        let values = named! {
            event_id: event.0.as_str(),
            appointment_id: appointment.0,
            key,
            external_id: external,
            anew,
        };
        self.execute(KEEP, self.calendar_key(calendar).and(values)).await.map(drop)
    }

    /// Forgets an appointment that is there no more.
    pub async fn forget_their_id(&self, calendar: CalendarId, event: &EventId) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! { event_id: event.0.as_str() });
        self.execute(FORGET, values).await.map(drop)
    }

    /// The appointments of ours among these ids of theirs, and of ours.
    pub async fn known_appointments(
        &self,
        calendar: CalendarId,
        external: &[&str],
        ours: &[&str],
    ) -> Result<Vec<KnownAppointment>, Error> {
        let external_ids: JsonValue = external.iter().copied().collect();
        let event_ids: JsonValue = ours.iter().copied().collect();
        let values = self.calendar_key(calendar).and(named! { external_ids, event_ids });
        let rows = self.rows::<KnownRow>(KNOWN, values).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }
}
