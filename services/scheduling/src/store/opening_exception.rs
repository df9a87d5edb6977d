//! Dates with other opening hours than the week's.

use chrono::NaiveDate;
use database::{constraint, named};
use engine::{dates::DateRange, id::OpeningExceptionId, working::OpeningException};
use jiff::civil::Date;
use sea_orm::FromQueryResult;
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
    VALUES (:business_id, :id, :first_date, :last_date, :label, :from_minutes, :to_minutes)";
const OVERLAPPING: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = :business_id AND first_date <= :last_date
        AND last_date >= :first_date
    ORDER BY first_date LIMIT 1";
const REMOVE: &str = "DELETE FROM opening_exception WHERE business_id = :business_id AND id = :id";
const BY_DATE: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = :business_id AND last_date >= :from AND first_date > :after
    ORDER BY first_date LIMIT :rows";
const ONE: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = :business_id AND id = :id";
const SINCE: &str = "SELECT id, first_date, last_date, from_minutes, to_minutes, label
    FROM opening_exception WHERE business_id = :business_id AND last_date >= :from";

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
        let values = named! {
            business_id: self.business.0,
            id: exception.id.0,
            first_date: naive(exception.dates.first()),
            last_date: naive(exception.dates.last()),
            label: exception.label.as_str(),
        };
        let savepoint = self.savepoint().await?;
        match self.try_execute(ADD, values.and(day_columns(&exception.hours))).await {
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
        let removed = self.execute(REMOVE, named! { business_id: self.business.0, id: id.0 }).await?;
        if removed == 0 { Err(Error::NotFound("opening exception")) } else { Ok(()) }
    }

    /// One exception.
    pub(crate) async fn opening_exception(
        &self,
        id: OpeningExceptionId,
    ) -> Result<Option<OpeningException>, Error> {
        self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await
    }

    /// Exceptions that last to `from` or longer, by date, after the one that begins on `after`.
    pub async fn opening_exceptions(
        &self,
        from: Date,
        after: Date,
        rows: u32,
    ) -> Result<Vec<OpeningException>, Error> {
        let values = named! {
            business_id: self.business.0,
            from: naive(from),
            after: naive(after),
            rows: i64::from(rows),
        };
        self.all::<Row, _>(BY_DATE, values).await
    }

    /// Exceptions that last to `date` or longer.
    pub(crate) async fn opening_exceptions_since(
        &self,
        date: NaiveDate,
    ) -> Result<Vec<OpeningException>, Error> {
        self.all::<Row, _>(SINCE, named! { business_id: self.business.0, from: date }).await
    }

    /// The refusal for an exception that is there already.
    async fn overlap(&self, dates: DateRange) -> Result<Error, Error> {
        let values = named! {
            business_id: self.business.0,
            first_date: naive(dates.first()),
            last_date: naive(dates.last()),
        };
        let other: Option<OpeningException> = self.one::<Row, _>(OVERLAPPING, values).await?;
        // Schedule changes are serialised, so the row in the way is still there.
        let other = other.ok_or(Error::Stored("opening exception"))?;
        Ok(Error::Overlaps { what: "opening exception", id: other.id.0 })
    }
}
