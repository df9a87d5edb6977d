//! Dates with other opening hours than the week's.

use chrono::NaiveDate;
use database::constraint;
use engine::{dates::DateRange, id::OpeningExceptionId, working::OpeningException};
use jiff::civil::Date;
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{
    Tx,
    day::{civil, naive},
    hours::{day_columns, day_hours},
    settings::ScheduleVersion,
};
use crate::Error;

const ADD: &str = "INSERT INTO opening_exception
        (business_id, id, first_date, last_date, label, from_minutes, to_minutes)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const OVERLAPPING: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = $1 AND first_date <= $3 AND last_date >= $2
    ORDER BY first_date LIMIT 1";
const REMOVE: &str = "DELETE FROM opening_exception WHERE business_id = $1 AND id = $2";
const BY_DATE: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = $1 AND last_date >= $2 AND first_date > $3
    ORDER BY first_date LIMIT $4";
const SINCE: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = $1 AND last_date >= $2";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    first_date: NaiveDate,
    last_date: NaiveDate,
    from_minutes: Vec<i16>,
    to_minutes: Vec<i16>,
    label: String,
}

impl TryFrom<Row> for OpeningException {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let dates = DateRange::new(civil(row.first_date)?, civil(row.last_date)?);
        Ok(Self {
            id: OpeningExceptionId(row.id),
            dates: dates.map_err(|_| Error::Stored("opening exception"))?,
            hours: day_hours(row.from_minutes, row.to_minutes)?,
            label: row.label,
        })
    }
}

impl Tx {
    /// Adds an exception.
    ///
    /// # Errors
    /// [`Error::Overlaps`], where another has one of its dates.
    pub async fn add_opening_exception(
        &self,
        _: ScheduleVersion,
        exception: &OpeningException,
    ) -> Result<(), Error> {
        let dates = [naive(exception.dates.first()).into(), naive(exception.dates.last()).into()];
        let key = [self.business.0.into(), exception.id.0.into()];
        let values = key.into_iter().chain(dates).chain([exception.label.as_str().into()]);
        let savepoint = self.savepoint().await?;
        match self.try_execute(ADD, values.chain(day_columns(&exception.hours))).await {
            Ok(_) => Ok(savepoint.commit().await?),
            Err(error) if constraint(&error).as_deref() == Some("opening_exception_no_overlap") => {
                savepoint.rollback().await?;
                Err(self.overlap(exception.dates).await?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Removes an exception.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn remove_opening_exception(
        &self,
        _: ScheduleVersion,
        id: OpeningExceptionId,
    ) -> Result<(), Error> {
        let removed = self.execute(REMOVE, [self.business.0.into(), id.0.into()]).await?;
        if removed == 0 { Err(Error::NotFound("opening exception")) } else { Ok(()) }
    }

    /// Exceptions that last to `from` or longer, by date, after the one that begins on `after`.
    pub async fn opening_exceptions(
        &self,
        from: Date,
        after: Date,
        rows: u32,
    ) -> Result<Vec<OpeningException>, Error> {
        let values: [Value; 4] =
            [self.business.0.into(), naive(from).into(), naive(after).into(), i64::from(rows).into()];
        self.all::<Row, _>(BY_DATE, values).await
    }

    /// Exceptions that last to `date` or longer.
    pub(crate) async fn opening_exceptions_since(
        &self,
        date: NaiveDate,
    ) -> Result<Vec<OpeningException>, Error> {
        self.all::<Row, _>(SINCE, [self.business.0.into(), date.into()]).await
    }

    /// The refusal for an exception that is there already.
    async fn overlap(&self, dates: DateRange) -> Result<Error, Error> {
        let values = [self.business.0.into(), naive(dates.first()).into(), naive(dates.last()).into()];
        let other: Option<OpeningException> = self.one::<Row, _>(OVERLAPPING, values).await?;
        // Schedule changes are serialised, so the row in the way is still there.
        let other = other.ok_or(Error::Stored("opening exception"))?;
        Ok(Error::Overlaps { what: "opening exception", id: other.id.0 })
    }
}
