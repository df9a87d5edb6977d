//! Weeks that employees work, from a date on.

use chrono::NaiveDate;
use database::{Named, named};
use engine::{
    dates::DateRange,
    hours::{WeeklyPattern, WeeklySpan},
    id::EmployeeId,
    working::EffectiveFrom,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Tx,
    day::{civil, naive},
    hours::{SpanRow, columns},
    settings::ScheduleVersion,
};
use crate::Error;

/// Weeks with their spans gathered. The database's `-infinity` is always.
macro_rules! select_weeks {
    ($rest:literal) => {
        concat!(
            "SELECT p.employee_id, NULLIF(p.effective_from, '-infinity') AS effective_from,
                ARRAY(SELECT s.weekday FROM weekly_schedule s WHERE s.business_id = p.business_id
                    AND s.employee_id = p.employee_id AND s.effective_from = p.effective_from
                    ORDER BY s.weekday, s.from_minute) AS weekdays,
                ARRAY(SELECT s.from_minute FROM weekly_schedule s WHERE s.business_id = p.business_id
                    AND s.employee_id = p.employee_id AND s.effective_from = p.effective_from
                    ORDER BY s.weekday, s.from_minute) AS from_minutes,
                ARRAY(SELECT s.to_minute FROM weekly_schedule s WHERE s.business_id = p.business_id
                    AND s.employee_id = p.employee_id AND s.effective_from = p.effective_from
                    ORDER BY s.weekday, s.from_minute) AS to_minutes
            FROM weekly_pattern p WHERE p.business_id = :business_id ",
            $rest
        )
    };
}

const OF_EMPLOYEE: &str = select_weeks!(
    "AND p.employee_id = :employee_id AND (:is_first_page OR p.effective_from > COALESCE(:after, '-infinity'))
    ORDER BY p.effective_from LIMIT :rows"
);
const ONE: &str = select_weeks!(
    "AND p.employee_id = :employee_id AND p.effective_from = COALESCE(:effective_from, '-infinity'::date)"
);
/// Those that count on a date or later.
const SINCE: &str = select_weeks!(
    "AND p.effective_from >= COALESCE((SELECT max(c.effective_from) FROM weekly_pattern c
        WHERE c.business_id = :business_id AND c.employee_id = p.employee_id
            AND c.effective_from <= :first), '-infinity')"
);
/// Those of some employees that count on some of the dates.
pub const WEEKS_OF_STAFF: &str = select_weeks!(
    "AND p.employee_id = ANY(:employee_ids::uuid[]) AND p.effective_from <= :last
        AND p.effective_from >= COALESCE((SELECT max(c.effective_from) FROM weekly_pattern c
            WHERE c.business_id = :business_id AND c.employee_id = p.employee_id
                AND c.effective_from <= :first), '-infinity')
    ORDER BY p.employee_id, p.effective_from"
);
const ADD: &str = "INSERT INTO weekly_pattern (business_id, employee_id, effective_from)
    VALUES (:business_id, :employee_id, COALESCE(:effective_from, '-infinity'::date)) ON CONFLICT DO NOTHING";
const CLEAR: &str = "DELETE FROM weekly_schedule
    WHERE business_id = :business_id AND employee_id = :employee_id
        AND effective_from = COALESCE(:effective_from, '-infinity'::date)";
const FILL: &str = "INSERT INTO weekly_schedule
        (business_id, employee_id, effective_from, weekday, from_minute, to_minute)
    SELECT :business_id, :employee_id, COALESCE(:effective_from, '-infinity'::date), *
    FROM unnest(:weekdays::smallint[], :from_minutes::smallint[], :to_minutes::smallint[])";
const REMOVE: &str = "DELETE FROM weekly_pattern
    WHERE business_id = :business_id AND employee_id = :employee_id
        AND effective_from = COALESCE(:effective_from, '-infinity'::date)";

#[derive(FromQueryResult)]
struct Row {
    employee_id: Uuid,
    effective_from: Option<NaiveDate>,
    weekdays: Vec<i16>,
    from_minutes: Vec<i16>,
    to_minutes: Vec<i16>,
}

/// A week that an employee works from a date on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Week {
    /// Whose.
    pub employee: EmployeeId,
    /// Since when.
    pub effective_from: EffectiveFrom,
    /// Its hours.
    pub pattern: WeeklyPattern,
}

impl TryFrom<Row> for Week {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let minutes = row.from_minutes.into_iter().zip(row.to_minutes);
        let spans = row.weekdays.into_iter().zip(minutes).map(|(weekday, (from_minute, to_minute))| {
            WeeklySpan::try_from(SpanRow { weekday, from_minute, to_minute })
        });
        let pattern = WeeklyPattern::new(spans.collect::<Result<_, _>>()?);
        Ok(Self {
            employee: EmployeeId(row.employee_id),
            effective_from: row.effective_from.map(civil).transpose()?,
            pattern: pattern.map_err(|_| Error::Stored("weekly schedule"))?,
        })
    }
}

impl Tx {
    /// Sets the week of an employee that counts from a date.
    pub async fn set_week(&self, _: ScheduleVersion, week: &Week) -> Result<(), Error> {
        let key = self.week_key(week.employee, week.effective_from);
        self.execute(ADD, key.clone()).await?;
        self.execute(CLEAR, key.clone()).await?;
        self.execute(FILL, key.and(columns(&week.pattern))).await.map(drop)
    }

    /// Removes the week of an employee that counts from a date.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn remove_week(
        &self,
        _: ScheduleVersion,
        employee: EmployeeId,
        effective_from: EffectiveFrom,
    ) -> Result<(), Error> {
        let removed = self.execute(REMOVE, self.week_key(employee, effective_from)).await?;
        if removed == 0 { Err(Error::NotFound("weekly schedule")) } else { Ok(()) }
    }

    /// The week of an employee that counts from a date.
    pub(crate) async fn week(
        &self,
        employee: EmployeeId,
        effective_from: EffectiveFrom,
    ) -> Result<Option<Week>, Error> {
        self.one::<Row, _>(ONE, self.week_key(employee, effective_from)).await
    }

    /// An employee's weeks by the date from which they count, after the one of `after`.
    pub async fn weeks(
        &self,
        employee: EmployeeId,
        after: Option<EffectiveFrom>,
        rows: u32,
    ) -> Result<Vec<Week>, Error> {
        let values = named! {
            business_id: self.business.0,
            employee_id: employee.0,
            is_first_page: after.is_none(),
            after: after.flatten().map(naive),
            rows: i64::from(rows),
        };
        self.all::<Row, _>(OF_EMPLOYEE, values).await
    }

    /// All employees' weeks that count on `date` or later.
    pub(crate) async fn weeks_since(&self, date: NaiveDate) -> Result<Vec<Week>, Error> {
        self.all::<Row, _>(SINCE, named! { business_id: self.business.0, first: date }).await
    }

    /// Weeks of some employees that count on some of `dates`, by the date from which they do.
    pub(crate) async fn weeks_of(&self, staff: &[Uuid], dates: DateRange) -> Result<Vec<Week>, Error> {
        let values = named! {
            business_id: self.business.0,
            employee_ids: staff.to_vec(),
            first: naive(dates.first()),
            last: naive(dates.last()),
        };
        self.all::<Row, _>(WEEKS_OF_STAFF, values).await
    }

    fn week_key(&self, employee: EmployeeId, effective_from: EffectiveFrom) -> Named {
        named! {
            business_id: self.business.0,
            employee_id: employee.0,
            effective_from: effective_from.map(naive),
        }
    }
}
