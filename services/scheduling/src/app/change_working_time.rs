//! Changes when the salon is open or an employee works, and says which appointments that strands.

use caller::Method;
use engine::{
    hours::WeeklyPattern,
    id::{EmployeeId, OpeningExceptionId},
    working::{EffectiveFrom, OpeningException},
};
use jiff::{civil::Date, tz::TimeZone};
use proto::frontdesk::scheduling::v1::{
    change_service_methods::UNDO_CHANGE,
    opening_exception_service_methods::{ADD_OPENING_EXCEPTION, REMOVE_OPENING_EXCEPTION},
    schedule_service_methods::{
        REMOVE_DAY_HOURS, REMOVE_WEEKLY_SCHEDULE, SET_DAY_HOURS, SET_OPENING_HOURS, SET_WEEKLY_SCHEDULE,
    },
};
use uuid::Uuid;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, WorkingTime, WorkingTimeChange},
    },
    store::{EmployeeHours, ScheduleEdit, ScheduleVersion, Stranded, Tx, Week},
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

impl TryFrom<WorkingTime> for ChangeWorkingTime {
    type Error = Error;
    /// What makes the working time so again.
    fn try_from(before: WorkingTime) -> Result<Self, Error> {
        Ok(match before {
            WorkingTime::Opening(None) => return Err(Error::NotFound("change that you can undo")),
            WorkingTime::Opening(Some((zone, pattern))) => {
                let zone = TimeZone::get(&zone).map_err(|_| Error::Stored("change"))?;
                Self::OpeningHours(zone, pattern)
            }
            WorkingTime::Exception(_, Some(exception)) => Self::AddException(exception),
            WorkingTime::Exception(id, None) => Self::RemoveException(OpeningExceptionId(id)),
            WorkingTime::Week(employee, effective_from, Some(pattern)) => {
                Self::Week(Week { employee: EmployeeId(employee), effective_from, pattern })
            }
            WorkingTime::Week(employee, from, None) => Self::RemoveWeek(EmployeeId(employee), from),
            WorkingTime::Day(employee, date, Some(hours)) => {
                Self::DayHours(EmployeeHours { employee: EmployeeId(employee), date, hours })
            }
            WorkingTime::Day(employee, date, None) => Self::RemoveDayHours(EmployeeId(employee), date),
        })
    }
}

impl ChangeWorkingTime {
    /// Makes the change; the appointments that it strands, and the change.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`], [`Error::NotFound`], [`Error::Overlaps`].
    pub async fn run(&self, tx: &Tx) -> Result<(Vec<Stranded>, Option<ChangeId>), Error> {
        let (edit, stranded, change) = self.apply(tx).await?;
        tx.finish_schedule(self.method(), self.record(tx), edit.version).await?;
        // Nothing takes the first hours of a business away.
        if change.before == change.after || change.before == WorkingTime::Opening(None) {
            return Ok((stranded, None));
        }
        let undoable = Undoable { working_time: Some(change), ..Undoable::default() };
        Ok((stranded, Some(tx.add_undoable(&undoable).await?)))
    }

    /// Makes the change as it puts an earlier one back.
    ///
    /// # Errors
    /// As [`Self::run`]; [`Error::ChangedSince`] if the working time is no longer as `seen`.
    pub(super) async fn put_back(&self, tx: &Tx, seen: &WorkingTime) -> Result<(), Error> {
        let (edit, before) = self.begin(tx).await?;
        if before != *seen {
            return Err(Error::ChangedSince("working time"));
        }
        self.write(tx, edit.version).await?;
        tx.finish_schedule(&UNDO_CHANGE, self.record(tx), edit.version).await
    }

    /// The appointments that the change would strand: it is made and rolled back, so that its preview is what
    /// it would really do.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn preview(&self, tx: Tx) -> Result<Vec<Stranded>, Error> {
        Ok(self.apply(&tx).await?.1)
    }

    async fn apply(&self, tx: &Tx) -> Result<(ScheduleEdit, Vec<Stranded>, WorkingTimeChange), Error> {
        let (edit, before) = self.begin(tx).await?;
        self.write(tx, edit.version).await?;
        let stranded = tx.stranded(&edit, self.employee()).await?;
        let after = self.present(tx).await?;
        Ok((edit, stranded, WorkingTimeChange { before, after }))
    }

    /// Takes the turn to change the schedule, and reads what is to change.
    async fn begin(&self, tx: &Tx) -> Result<(ScheduleEdit, WorkingTime), Error> {
        if let Self::OpeningHours(zone, _) = self {
            // A change that commits between reading and writing would be overwritten by an undo of this one.
            tx.take_schedule_turn().await?;
            let before = self.present(tx).await?;
            return Ok((tx.edit_zone(zone).await?, before));
        }
        let edit = tx.edit_schedule().await?;
        Ok((edit, self.present(tx).await?))
    }

    async fn write(&self, tx: &Tx, version: ScheduleVersion) -> Result<(), Error> {
        match self {
            Self::OpeningHours(_, pattern) => tx.replace_opening(version, pattern).await,
            Self::AddException(exception) => tx.add_opening_exception(version, exception).await,
            Self::RemoveException(id) => tx.remove_opening_exception(version, *id).await,
            Self::Week(week) => tx.set_week(version, week).await,
            Self::RemoveWeek(employee, from) => tx.remove_week(version, *employee, *from).await,
            Self::DayHours(day) => tx.set_day_hours(version, day).await,
            Self::RemoveDayHours(employee, date) => tx.remove_day_hours(version, *employee, *date).await,
        }
    }

    /// What the record says that the change is about.
    async fn present(&self, tx: &Tx) -> Result<WorkingTime, Error> {
        match self {
            Self::OpeningHours(..) => {
                let zone = match tx.zone().await {
                    Ok(zone) => Some(zone.iana_name().unwrap_or("UTC").to_owned()),
                    Err(Error::BusinessUnknown) => None,
                    Err(error) => return Err(error),
                };
                let pattern = tx.opening_pattern().await?;
                Ok(WorkingTime::Opening(zone.map(|zone| (zone, pattern))))
            }
            Self::AddException(OpeningException { id, .. }) | Self::RemoveException(id) => {
                Ok(WorkingTime::Exception(id.0, tx.opening_exception(*id).await?))
            }
            Self::Week(Week { employee, effective_from, .. })
            | Self::RemoveWeek(employee, effective_from) => {
                let week = tx.week(*employee, *effective_from).await?.map(|week| week.pattern);
                Ok(WorkingTime::Week(employee.0, *effective_from, week))
            }
            Self::DayHours(EmployeeHours { employee, date, .. }) | Self::RemoveDayHours(employee, date) => {
                let hours = tx.hours_on(*employee, *date).await?.map(|day| day.hours);
                Ok(WorkingTime::Day(employee.0, *date, hours))
            }
        }
    }

    /// What people call for it.
    #[must_use]
    pub fn method(&self) -> &'static Method {
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
