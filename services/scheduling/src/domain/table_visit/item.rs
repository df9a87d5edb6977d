//! One service of a visit as a table of another system has it.

use std::collections::BTreeMap;

use engine::{
    id::{EmployeeId, ServiceId},
    schedule::Schedule,
    service::{MAX_SEGMENT_MINUTES, Service},
    slots::{SLOT_MINUTES, SLOT_SECONDS},
};
use jiff::{
    Timestamp,
    civil::DateTime,
    tz::{AmbiguousOffset, TimeZone},
};

/// A record that a table names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<T> {
    /// Its id, if the table has one.
    pub id: Option<T>,
    /// What it is called, or empty.
    pub name: String,
}

/// A time by the business's clock, in UTC, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableTime {
    /// By the business's clock.
    pub local: Option<DateTime>,
    /// In UTC.
    pub at: Option<Timestamp>,
}

/// One service of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableItem {
    /// The service.
    pub service: Reference<ServiceId>,
    /// Who does it, or anyone.
    pub employee: Reference<EmployeeId>,
    /// When it begins.
    pub starts_at: TableTime,
    /// When it ends, if the table says so.
    pub ends_at: Option<TableTime>,
    /// Which guest it is for, from 0.
    pub guest: u8,
}

/// A column and what is wrong with it.
pub(super) type Wrong = (&'static str, String);

impl TableItem {
    pub(super) fn service<'a>(&self, schedule: &'a Schedule) -> Result<&'a Service, Wrong> {
        if let Some(service) = self.service.id.and_then(|id| schedule.services.get(&id)) {
            return Ok(service);
        }
        let name = self.service.name.trim().to_lowercase();
        if name.is_empty() {
            return Err(("service", "is required".to_owned()));
        }
        let called = |service: &&Service| service.name.to_lowercase() == name;
        let also_called =
            |service: &&Service| service.aliases.iter().any(|alias| alias.to_lowercase() == name);
        only(schedule.services.values().filter(called))
            .or_else(|| only(schedule.services.values().filter(also_called)))
            .ok_or_else(|| ("service", "is no service of this business".to_owned()))
    }

    pub(super) fn employee(&self, names: &BTreeMap<EmployeeId, String>) -> Result<Option<EmployeeId>, Wrong> {
        if let Some(id) = self.employee.id.filter(|id| names.contains_key(id)) {
            return Ok(Some(id));
        }
        let wanted = self.employee.name.trim().to_lowercase();
        if wanted.is_empty() {
            return match self.employee.id {
                None => Ok(None),
                Some(_) => Err(("employee", "is no employee of this business".to_owned())),
            };
        }
        let mut called = names.iter().filter(|(_, name)| name.to_lowercase() == wanted).map(|(id, _)| *id);
        match (called.next(), called.next()) {
            (None, _) => Err(("employee", "is no employee of this business".to_owned())),
            (Some(id), None) => Ok(Some(id)),
            (Some(_), Some(_)) => {
                Err(("employee", "is the name of several: add the column “employee id”".to_owned()))
            }
        }
    }

    pub(super) fn starts_at(&self, zone: &TimeZone) -> Result<Timestamp, Wrong> {
        let at = self.starts_at.resolve(zone, "start in UTC").map_err(|rule| ("start", rule))?;
        if at.subsec_nanosecond() != 0 || at.as_second() % SLOT_SECONDS != 0 {
            return Err(("start", "must be a multiple of 5 minutes".to_owned()));
        }
        Ok(at)
    }

    /// By how many minutes it takes longer than the service does with this employee.
    pub(super) fn extra_minutes(
        &self,
        service: &Service,
        employee: Option<EmployeeId>,
        starts_at: Timestamp,
        zone: &TimeZone,
    ) -> Result<i16, Wrong> {
        let Some(ends_at) = self.ends_at else { return Ok(0) };
        let ends_at = ends_at.resolve(zone, "end in UTC").map_err(|rule| ("end", rule))?;
        let seconds = ends_at.as_second() - starts_at.as_second();
        if seconds <= 0 {
            return Err(("end", "must be after the start".to_owned()));
        }
        let usual = employee.map_or(&service.course, |employee| service.course_of(employee)).minutes();
        let extra = seconds / 60 - i64::from(usual);
        let fits = seconds % SLOT_SECONDS == 0 && extra % i64::from(SLOT_MINUTES) == 0;
        let extra = i16::try_from(extra).ok().filter(|extra| extra.unsigned_abs() <= MAX_SEGMENT_MINUTES);
        match extra {
            _ if !fits => Err(("end", "must be a multiple of 5 minutes".to_owned())),
            Some(extra) => Ok(extra),
            None => Err(("end", "makes this service too short or too long".to_owned())),
        }
    }
}

impl TableTime {
    /// The instant that is meant; `column` is the one that tells apart the hour that comes twice.
    fn resolve(self, zone: &TimeZone, column: &str) -> Result<Timestamp, String> {
        match (self.local, self.at) {
            (None, None) => Err("is required".to_owned()),
            (None, Some(at)) => Ok(at),
            (Some(local), Some(at)) if zone.to_datetime(at) == local => Ok(at),
            (Some(_), Some(_)) => Err(format!("is another time than the column “{column}”")),
            (Some(local), None) => {
                let meant = zone.to_ambiguous_zoned(local);
                match meant.offset() {
                    AmbiguousOffset::Unambiguous { .. } => meant
                        .unambiguous()
                        .map(|zoned| zoned.timestamp())
                        .map_err(|_| "is out of range".to_owned()),
                    AmbiguousOffset::Gap { .. } => {
                        Err("does not exist that day, as the clocks go forward then".to_owned())
                    }
                    AmbiguousOffset::Fold { .. } => Err(format!(
                        "comes twice that day, as the clocks go back then: add the column “{column}”"
                    )),
                }
            }
        }
    }
}

/// Refuses an employee who does not do the service, and a service that no employee does.
pub(super) fn check_skill(service: &Service, employee: Option<EmployeeId>) -> Result<(), Wrong> {
    match employee {
        Some(employee) if !service.employees.contains(&employee) => {
            Err(("employee", "does not do this service".to_owned()))
        }
        None if service.employees.is_empty() => Err(("service", "is done by no employee".to_owned())),
        _ => Ok(()),
    }
}

/// The only one; `None` if there is none, or another.
fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn london() -> TimeZone {
        TimeZone::get("Europe/London").unwrap()
    }

    fn local(text: &str) -> TableTime {
        TableTime { local: Some(text.parse().unwrap()), at: None }
    }

    #[test]
    fn times_are_the_salons_and_hours_that_are_skipped_or_come_twice_are_named() {
        let resolve = |time: TableTime| time.resolve(&london(), "start in UTC");
        let winter: Timestamp = "2026-01-05T09:00Z".parse().unwrap();
        let summer: Timestamp = "2026-06-02T08:00Z".parse().unwrap();
        assert_eq!(resolve(local("2026-01-05T09:00")), Ok(winter));
        assert_eq!(resolve(local("2026-06-02T09:00")), Ok(summer));
        assert!(resolve(local("2026-03-29T01:30")).unwrap_err().contains("does not exist"));
        assert!(resolve(local("2026-10-25T01:30")).unwrap_err().contains("comes twice"));
        let second = "2026-10-25T01:30Z".parse().unwrap();
        let both = TableTime { at: Some(second), ..local("2026-10-25T01:30") };
        assert_eq!(resolve(both), Ok(second));
        let other = TableTime { at: Some(summer), ..local("2026-10-25T01:30") };
        assert!(resolve(other).unwrap_err().contains("another time"));
        assert_eq!(resolve(TableTime { local: None, at: Some(summer) }), Ok(summer));
    }
}
