//! Lists the dates on which an employee has hours other than the week's, beside what the week says.

use engine::{hours::DaySpan, id::EmployeeId};
use jiff::{Timestamp, civil::Date};

use crate::{
    Error,
    store::{EmployeeHours, Tx},
};

/// Whose dates, and from when on.
#[derive(Debug, Clone, Copy)]
pub struct ListDayHours {
    /// The employee.
    pub employee: EmployeeId,
    /// The first date wanted.
    pub from: Date,
    /// The date before the page.
    pub after: Date,
}

impl ListDayHours {
    /// The dates, each with its weekly hours.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx, rows: u32) -> Result<Vec<(EmployeeHours, Vec<DaySpan>)>, Error> {
        let days = tx.day_hours(self.employee, self.from, self.after, rows).await?;
        let Some(first) = days.first().map(|day| day.date) else { return Ok(vec![]) };
        let zone = tx.zone().await?;
        let earliest = first.to_zoned(zone).map_or(Timestamp::MIN, |day| day.timestamp());
        let schedule = tx.current_schedule_since(earliest).await?;
        let weekly = |day: EmployeeHours| {
            let spans = schedule.weekly_hours(day.employee, day.date);
            (day, spans)
        };
        Ok(days.into_iter().map(weekly).collect())
    }
}
