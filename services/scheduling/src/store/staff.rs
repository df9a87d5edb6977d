//! When everybody works, on some dates.

use database::named;
use engine::{dates::DateRange, id::EmployeeId};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{EmployeeHours, Tx, Week};
use crate::Error;

/// A page of employees with weekly hours or days of their own.
pub const STAFF: &str = "SELECT employee_id FROM (
        SELECT employee_id FROM weekly_pattern WHERE business_id = :business_id AND employee_id > :after
        UNION SELECT employee_id FROM day_hours WHERE business_id = :business_id AND employee_id > :after
    ) e ORDER BY employee_id LIMIT :rows";

/// When an employee works, salon and time off left aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffSchedule {
    /// Who.
    pub employee: EmployeeId,
    /// The weeks that count on some of the dates, by the date from which they do.
    pub weeks: Vec<Week>,
    /// Those of the dates that have hours of their own, by date.
    pub days: Vec<EmployeeHours>,
}

#[derive(FromQueryResult)]
struct Row {
    employee_id: Uuid,
}

impl From<Row> for Uuid {
    fn from(row: Row) -> Self {
        row.employee_id
    }
}

impl Tx {
    /// When employees after `after` work on `dates`, by employee: three reads, however many.
    pub async fn staff_schedules(
        &self,
        dates: DateRange,
        after: EmployeeId,
        rows: u32,
    ) -> Result<Vec<StaffSchedule>, Error> {
        let values = named! { business_id: self.business.0, after: after.0, rows: i64::from(rows) };
        let staff: Vec<Uuid> = self.all::<Row, _>(STAFF, values).await?;
        let mut weeks = self.weeks_of(&staff, dates).await?;
        let mut days = self.days_of(&staff, dates).await?;
        let schedule = |employee: EmployeeId| StaffSchedule {
            employee,
            weeks: weeks.extract_if(.., |week| week.employee == employee).collect(),
            days: days.extract_if(.., |day| day.employee == employee).collect(),
        };
        Ok(staff.into_iter().map(EmployeeId).map(schedule).collect())
    }
}
