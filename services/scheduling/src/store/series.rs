//! Visits that repeat: booked, moved and cancelled together.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::SeriesId,
    series::{Cadence, Recurrence, Series},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, appointment::StoredAppointment};
use crate::Error;

const ADD: &str = "INSERT INTO series (business_id, id, cadence, every, count, booked_at, booked_by)
    VALUES (:business_id, :id, :cadence, :every, :count, :booked_at, :booked_by)";
const ONE: &str =
    "SELECT id, cadence, every, count, booked_at FROM series WHERE business_id = :business_id AND id = :id";

/// A series with its appointments.
#[derive(Debug, Clone)]
pub struct StoredSeries {
    /// The series.
    pub series: Series,
    /// Its appointments, by start.
    pub appointments: Vec<StoredAppointment>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    cadence: String,
    every: i16,
    count: i16,
    booked_at: DateTime<Utc>,
}

impl TryFrom<Row> for Series {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let small = |number| u8::try_from(number).map_err(|_| Error::Stored("series"));
        let cadence = cadence_of(&row.cadence).ok_or(Error::Stored("cadence"))?;
        let recurrence = Recurrence { cadence, every: small(row.every)?, count: small(row.count)? };
        Ok(Self { id: SeriesId(row.id), recurrence, booked_at: from_db(row.booked_at) })
    }
}

fn cadence_name(cadence: Cadence) -> &'static str {
    match cadence {
        Cadence::Weekly => "WEEKLY",
        Cadence::Monthly => "MONTHLY",
        Cadence::MonthlyByWeekday => "MONTHLY_BY_WEEKDAY",
    }
}

fn cadence_of(name: &str) -> Option<Cadence> {
    match name {
        "WEEKLY" => Some(Cadence::Weekly),
        "MONTHLY" => Some(Cadence::Monthly),
        "MONTHLY_BY_WEEKDAY" => Some(Cadence::MonthlyByWeekday),
        _ => None,
    }
}

impl Tx {
    /// Adds a series; its appointments say themselves that they belong to it.
    pub async fn add_series(&self, series: &Series) -> Result<(), Error> {
        let Recurrence { cadence, every, count } = series.recurrence;
        let values = named! {
            business_id: self.business.0,
            id: series.id.0,
            cadence: cadence_name(cadence),
            every: i16::from(every),
            count: i16::from(count),
            booked_at: to_db(series.booked_at),
            booked_by: self.actor(),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// A series with its appointments.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn series(&self, id: SeriesId) -> Result<StoredSeries, Error> {
        let series = self.one::<Row, Series>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        let series = series.ok_or(Error::NotFound("series"))?;
        Ok(StoredSeries { series, appointments: self.appointments_of_series(id).await? })
    }
}
