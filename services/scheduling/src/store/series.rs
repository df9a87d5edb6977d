//! Visits that repeat: booked, moved and cancelled together.

use chrono::{DateTime, Utc};
use database::{from_db, to_db};
use engine::{
    id::SeriesId,
    series::{Cadence, Recurrence, Series},
};
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{Tx, appointment::StoredAppointment};
use crate::Error;

const ADD: &str = "INSERT INTO series (business_id, id, cadence, every, count, booked_at, booked_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const ONE: &str =
    "SELECT id, cadence, every, count, booked_at FROM series WHERE business_id = $1 AND id = $2";

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
        let values: [Value; 7] = [
            self.business.0.into(),
            series.id.0.into(),
            cadence_name(cadence).into(),
            i16::from(every).into(),
            i16::from(count).into(),
            to_db(series.booked_at).into(),
            self.actor().into(),
        ];
        self.execute(ADD, values).await.map(drop)
    }

    /// A series with its appointments.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn series(&self, id: SeriesId) -> Result<StoredSeries, Error> {
        let series = self.one::<Row, Series>(ONE, [self.business.0.into(), id.0.into()]).await?;
        let series = series.ok_or(Error::NotFound("series"))?;
        Ok(StoredSeries { series, appointments: self.appointments_of_series(id).await? })
    }
}
