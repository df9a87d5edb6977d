//! What happened to the events of appointments.

use database::{from_db, named};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{AppointmentId, CalendarId, sync_step::Step},
    error::Error,
};

const MOST_LINES: i64 = 100;

const ADD: &str = "INSERT INTO sync_history (business_id, appointment_id, calendar_id, id, at, step, fault)
    VALUES (:business_id, :appointment_id, :calendar_id, :id, :now, :step, :fault)";
pub(super) const OF_APPOINTMENT: &str = "SELECT h.at, h.step, h.calendar_id, c.name AS calendar_name, h.fault
    FROM sync_history h JOIN calendar c ON c.business_id = h.business_id AND c.id = h.calendar_id
    WHERE h.business_id = :business_id AND h.appointment_id = :appointment_id
    ORDER BY h.at DESC, h.id DESC LIMIT :limit";

/// One that was cancelled has no part any more, and its history for a while.
const KNOWS: &str = "SELECT EXISTS (SELECT FROM booked_part
            WHERE business_id = :business_id AND appointment_id = :appointment_id)
        OR EXISTS (SELECT FROM sync_history
            WHERE business_id = :business_id AND appointment_id = :appointment_id) AS known";

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryLine {
    /// When.
    pub at: Timestamp,
    /// What.
    pub step: Step,
    /// In which calendar.
    pub calendar: CalendarId,
    /// What people call the calendar.
    pub calendar_name: String,
    /// Why, where it failed.
    pub fault: Option<String>,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    at: DateTimeUtc,
    step: String,
    calendar_id: Uuid,
    calendar_name: String,
    fault: Option<String>,
}

impl TryFrom<Row> for HistoryLine {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let unreadable = || Error::Unreadable { table: "sync_history", id: row.calendar_id.to_string() };
        Ok(Self {
            at: from_db(row.at),
            step: Step::parse(&row.step).ok_or_else(unreadable)?,
            calendar: CalendarId(row.calendar_id),
            calendar_name: row.calendar_name,
            fault: row.fault,
        })
    }
}

impl Tx {
    /// Whether anything is planned of an appointment, or was done.
    pub async fn knows_appointment(&self, appointment: AppointmentId) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, appointment_id: appointment.0 };
        Ok(self.value::<bool>(KNOWS, values).await? == Some(true))
    }

    /// Adds to the history of an appointment.
    pub async fn add_history(
        &self,
        appointment: AppointmentId,
        calendar: CalendarId,
        step: Step,
        fault: Option<&str>,
    ) -> Result<(), Error> {
        let line = named! {
            appointment_id: appointment.0,
            id: self.new_id::<Uuid>(),
            now: self.at(),
            step: step.name(),
            fault: fault.map(str::to_owned),
        };
        self.execute(ADD, self.calendar_key(calendar).and(line)).await.map(drop)
    }

    /// The history of an appointment, newest first.
    pub async fn history(&self, appointment: AppointmentId) -> Result<Vec<HistoryLine>, Error> {
        let values =
            named! { business_id: self.business.0, appointment_id: appointment.0, limit: MOST_LINES };
        self.all::<Row, _>(OF_APPOINTMENT, values).await
    }
}
