//! Changes when the salon is open or an employee works, and says which appointments that strands.

use caller::Method;
use engine::{
    hours::WeeklyPattern,
    id::{EmployeeId, OpeningExceptionId},
    working::{EffectiveFrom, OpeningException},
};
use jiff::{civil::Date, tz::TimeZone};
use proto::frontdesk::scheduling::v1::{
    opening_exception_service_methods::{ADD_OPENING_EXCEPTION, REMOVE_OPENING_EXCEPTION},
    schedule_service_methods::{
        REMOVE_DAY_HOURS, REMOVE_WEEKLY_SCHEDULE, SET_DAY_HOURS, SET_OPENING_HOURS, SET_WEEKLY_SCHEDULE,
    },
};
use uuid::Uuid;

use crate::{
    Error,
    store::{EmployeeHours, ScheduleEdit, Stranded, Tx, Week},
};

/// A change of working time.
#[derive(Debug)]
pub enum ChangeWorkingTime {
    /// The salon's zone and its week.
    OpeningHours(TimeZone, WeeklyPattern),
    /// Dates on which the salon has other hours.
    AddException(OpeningException),
    /// The salon follows its week again.
    RemoveException(OpeningExceptionId),
    /// An employee's week from a date on.
    Week(Week),
    /// That week no longer counts.
    RemoveWeek(EmployeeId, EffectiveFrom),
    /// An employee's hours on a date.
    DayHours(EmployeeHours),
    /// The employee follows the week again on that date.
    RemoveDayHours(EmployeeId, Date),
}

impl ChangeWorkingTime {
    /// Makes the change; the appointments that it strands.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`], [`Error::NotFound`], [`Error::Overlaps`].
    pub async fn run(&self, tx: &Tx) -> Result<Vec<Stranded>, Error> {
        let (edit, stranded) = self.apply(tx).await?;
        tx.finish_schedule(self.method(), self.record(tx), edit.version).await?;
        Ok(stranded)
    }

    /// [`Self::run`] in a transaction of its own.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn commit(&self, tx: Tx) -> Result<Vec<Stranded>, Error> {
        let stranded = self.run(&tx).await?;
        tx.commit().await?;
        Ok(stranded)
    }

    /// The appointments that the change would strand: it is made and rolled back, so that its preview is what
    /// it would really do.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn preview(&self, tx: Tx) -> Result<Vec<Stranded>, Error> {
        Ok(self.apply(&tx).await?.1)
    }

    async fn apply(&self, tx: &Tx) -> Result<(ScheduleEdit, Vec<Stranded>), Error> {
        let edit = match self {
            Self::OpeningHours(zone, _) => tx.edit_zone(zone).await?,
            _ => tx.edit_schedule().await?,
        };
        let version = edit.version;
        match self {
            Self::OpeningHours(_, pattern) => tx.replace_opening(version, pattern).await?,
            Self::AddException(exception) => tx.add_opening_exception(version, exception).await?,
            Self::RemoveException(id) => tx.remove_opening_exception(version, *id).await?,
            Self::Week(week) => tx.set_week(version, week).await?,
            Self::RemoveWeek(employee, from) => tx.remove_week(version, *employee, *from).await?,
            Self::DayHours(day) => tx.set_day_hours(version, day).await?,
            Self::RemoveDayHours(employee, date) => tx.remove_day_hours(version, *employee, *date).await?,
        }
        let stranded = tx.stranded(&edit, self.employee()).await?;
        Ok((edit, stranded))
    }

    fn method(&self) -> &'static Method {
        match self {
            Self::OpeningHours(..) => &SET_OPENING_HOURS,
            Self::AddException(_) => &ADD_OPENING_EXCEPTION,
            Self::RemoveException(_) => &REMOVE_OPENING_EXCEPTION,
            Self::Week(_) => &SET_WEEKLY_SCHEDULE,
            Self::RemoveWeek(..) => &REMOVE_WEEKLY_SCHEDULE,
            Self::DayHours(_) => &SET_DAY_HOURS,
            Self::RemoveDayHours(..) => &REMOVE_DAY_HOURS,
        }
    }

    /// Whose working time changes; every employee's if `None`.
    fn employee(&self) -> Option<EmployeeId> {
        match self {
            Self::OpeningHours(..) | Self::AddException(_) | Self::RemoveException(_) => None,
            Self::Week(week) => Some(week.employee),
            Self::DayHours(day) => Some(day.employee),
            Self::RemoveWeek(employee, _) | Self::RemoveDayHours(employee, _) => Some(*employee),
        }
    }

    /// The record that the audit row names.
    fn record(&self, tx: &Tx) -> Uuid {
        match self {
            Self::AddException(exception) => exception.id.0,
            Self::RemoveException(id) => id.0,
            _ => self.employee().map_or(tx.business().0, |employee| employee.0),
        }
    }
}
