//! Hours of employees on single dates.

use chrono::NaiveDate;
use database::named;
use engine::{dates::DateRange, hours::DayHours, id::EmployeeId};
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

const SET: &str = "INSERT INTO day_hours (business_id, employee_id, day, from_minutes, to_minutes)
    VALUES (:business_id, :employee_id, :day, :from_minutes, :to_minutes)
    ON CONFLICT (business_id, employee_id, day) DO UPDATE
    SET from_minutes = excluded.from_minutes, to_minutes = excluded.to_minutes";
const REMOVE: &str =
    "DELETE FROM day_hours WHERE business_id = :business_id AND employee_id = :employee_id AND day = :day";
const ONE: &str = "SELECT employee_id, day, from_minutes, to_minutes FROM day_hours
    WHERE business_id = :business_id AND employee_id = :employee_id AND day = :day";
const OF_EMPLOYEE: &str = "SELECT employee_id, day, from_minutes, to_minutes FROM day_hours
    WHERE business_id = :business_id AND employee_id = :employee_id
        AND day >= :first AND day > :after
    ORDER BY day LIMIT :rows";
/// Hours of some employees on some dates.
pub const DAYS_OF_STAFF: &str = "SELECT employee_id, day, from_minutes, to_minutes FROM day_hours
    WHERE business_id = :business_id AND employee_id = ANY(:employee_ids::uuid[])
        AND day >= :first AND day <= :last
    ORDER BY employee_id, day";
const SINCE: &str = "SELECT employee_id, day, from_minutes, to_minutes FROM day_hours
    WHERE business_id = :business_id AND day >= :first";

#[derive(FromQueryResult)]
struct Row {
    employee_id: Uuid,
    day: NaiveDate,
    from_minutes: Vec<i16>,
    to_minutes: Vec<i16>,
}

/// Hours of an employee on a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmployeeHours {
    /// Whose.
    pub employee: EmployeeId,
    /// When.
    pub date: Date,
    /// The hours.
    pub hours: DayHours,
}

impl TryFrom<Row> for EmployeeHours {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let hours = day_hours(row.from_minutes, row.to_minutes)?;
        Ok(Self { employee: EmployeeId(row.employee_id), date: civil(row.day)?, hours })
    }
}

impl Tx {
    /// Sets the hours of an employee on a date.
    pub async fn set_day_hours(&self, _: ScheduleVersion, day: &EmployeeHours) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, employee_id: day.employee.0, day: naive(day.date) };
        self.execute(SET, key.and(day_columns(&day.hours))).await.map(drop)
    }

    /// Removes the hours of an employee on a date.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn remove_day_hours(
        &self,
        _: ScheduleVersion,
        employee: EmployeeId,
        date: Date,
    ) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, employee_id: employee.0, day: naive(date) };
        let removed = self.execute(REMOVE, key).await?;
        if removed == 0 { Err(Error::NotFound("exception on this date")) } else { Ok(()) }
    }

    /// Hours of an employee on a date, where they are not the week's.
    pub(crate) async fn hours_on(
        &self,
        employee: EmployeeId,
        date: Date,
    ) -> Result<Option<EmployeeHours>, Error> {
        let key = named! { business_id: self.business.0, employee_id: employee.0, day: naive(date) };
        self.one::<Row, _>(ONE, key).await
    }

    /// Hours of an employee on dates from `first` on and after `after`, by date.
    pub async fn day_hours(
        &self,
        employee: EmployeeId,
        first: Date,
        after: Date,
        rows: u32,
    ) -> Result<Vec<EmployeeHours>, Error> {
        let values = named! {
            business_id: self.business.0,
            employee_id: employee.0,
            first: naive(first),
            after: naive(after),
            rows: i64::from(rows),
        };
        self.all::<Row, _>(OF_EMPLOYEE, values).await
    }

    /// All employees' hours on `date` and later ones.
    pub(crate) async fn day_hours_since(&self, date: NaiveDate) -> Result<Vec<EmployeeHours>, Error> {
        self.all::<Row, _>(SINCE, named! { business_id: self.business.0, first: date }).await
    }

    /// Hours of some employees on `dates`, by date.
    pub(crate) async fn days_of(
        &self,
        staff: &[Uuid],
        dates: DateRange,
    ) -> Result<Vec<EmployeeHours>, Error> {
        let values = named! {
            business_id: self.business.0,
            employee_ids: staff.to_vec(),
            first: naive(dates.first()),
            last: naive(dates.last()),
        };
        self.all::<Row, _>(DAYS_OF_STAFF, values).await
    }
}
