//! Working time: when the salon is open on a day, and when each employee works.
//!
//! An employee works while the salon is open (by its week, or the exception of the
//! date), within the hours of the date, or else of the week that counts on it, but
//! for approved time off.

mod day;

use std::collections::BTreeMap;

use jiff::civil::Date;

use serde::{Deserialize, Serialize};

use super::{
    dates::DateRange,
    day::Day,
    hours::{DayHours, WeeklyPattern},
    id::{OpeningExceptionId, TimeOffId},
    slots::DaySlots,
    span::Span,
};

pub use day::WorkingDay;

/// Dates on which the salon is open at other hours than its week says, or closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningException {
    /// Its id.
    pub id: OpeningExceptionId,
    /// Its dates; no two exceptions share one.
    pub dates: DateRange,
    /// The hours of each date.
    pub hours: DayHours,
    /// What people call it, or empty.
    pub label: String,
}

/// When a salon is open.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Opening {
    week: WeeklyPattern,
    /// By their first dates.
    exceptions: BTreeMap<Date, OpeningException>,
}

impl Opening {
    /// Open as in `week`, but on the dates of `exceptions`, which share none.
    #[must_use]
    pub fn new(week: WeeklyPattern, exceptions: Vec<OpeningException>) -> Self {
        let exceptions = exceptions.into_iter().map(|exception| (exception.dates.first(), exception));
        Self { week, exceptions: exceptions.collect() }
    }

    /// The exception that counts on `date`.
    #[must_use]
    pub fn exception_on(&self, date: Date) -> Option<&OpeningException> {
        let (_, latest) = self.exceptions.range(..=date).next_back()?;
        (latest.dates.last() >= date).then_some(latest)
    }

    /// The slots of `day` in which it is open.
    #[must_use]
    pub fn on(&self, day: &Day) -> DaySlots {
        match self.exception_on(day.date()) {
            Some(exception) => exception.hours.on(day),
            None => self.week.on(day),
        }
    }
}

impl From<WeeklyPattern> for Opening {
    fn from(week: WeeklyPattern) -> Self {
        Self::new(week, vec![])
    }
}

/// The first date on which a week counts; `None` counts from always.
pub type EffectiveFrom = Option<Date>;

/// Approved time off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absence {
    /// Its record.
    pub time_off: TimeOffId,
    /// When.
    pub span: Span,
}

/// When an employee is at work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rota {
    #[serde(with = "weeks")]
    weeks: BTreeMap<EffectiveFrom, WeeklyPattern>,
    days: BTreeMap<Date, DayHours>,
    /// The time of the absences, ascending and apart from each other.
    off: Vec<Span>,
    absences: Vec<Absence>,
    /// After it they work no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_day: Option<Date>,
}

impl Rota {
    /// At work as the latest of `weeks` says, on `days` at their hours, and never in
    /// `absences`, which may overlap.
    #[must_use]
    pub fn new(
        weeks: BTreeMap<EffectiveFrom, WeeklyPattern>,
        days: BTreeMap<Date, DayHours>,
        absences: Vec<Absence>,
    ) -> Self {
        let off = apart(absences.iter().map(|absence| absence.span).collect());
        Self { weeks, days, off, absences, last_day: None }
    }

    /// The same, but never at work after a date.
    #[must_use]
    pub fn until(self, last_day: Option<Date>) -> Self {
        Self { last_day, ..self }
    }

    /// Whether the employee has left by `date`.
    #[must_use]
    pub fn has_ended(&self, date: Date) -> bool {
        self.last_day.is_some_and(|last_day| last_day < date)
    }

    /// The employee's time off.
    #[must_use]
    pub fn absences(&self) -> &[Absence] {
        &self.absences
    }

    /// The week that counts on `date`.
    #[must_use]
    pub fn week_on(&self, date: Date) -> Option<&WeeklyPattern> {
        self.weeks.range(..=Some(date)).next_back().map(|(_, week)| week)
    }

    /// The slots of `day` within the employee's hours: those of the date, or else the week's.
    #[must_use]
    pub fn hours_on(&self, day: &Day) -> DaySlots {
        if self.has_ended(day.date()) {
            return DaySlots::default();
        }
        match self.days.get(&day.date()) {
            Some(hours) => hours.on(day),
            None => self.week_on(day.date()).map(|week| week.on(day)).unwrap_or_default(),
        }
    }

    /// Whether the date has hours of its own.
    #[must_use]
    pub fn has_own_hours(&self, date: Date) -> bool {
        self.days.contains_key(&date)
    }

    /// The slots of `day` in which the employee works, where `open` are those in which
    /// the salon is open.
    #[must_use]
    pub fn on(&self, day: &Day, open: &DaySlots) -> DaySlots {
        self.less_off(day, self.hours_on(day).and(open))
    }

    fn less_off(&self, day: &Day, working: DaySlots) -> DaySlots {
        let from = self.off.partition_point(|off| off.ends_at() <= day.starts_at());
        let off = self.off[from..].iter().take_while(|off| off.starts_at() < day.ends_at());
        let (mut kept, mut at) = (DaySlots::default(), 0);
        for slots in off.map(|off| day.slots_of(*off)) {
            // Two that end and begin within one slot both touch it.
            kept.set(at..slots.start.max(at));
            at = slots.end;
        }
        if at == 0 {
            return working;
        }
        kept.set(at..day.slots());
        working.and(&kept)
    }
}

impl From<WeeklyPattern> for Rota {
    fn from(week: WeeklyPattern) -> Self {
        Self::new(BTreeMap::from([(None, week)]), BTreeMap::new(), vec![])
    }
}

/// A missing date can't be a key in JSON, so weeks are written as pairs.
mod weeks {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::{EffectiveFrom, WeeklyPattern};

    pub(super) fn serialize<S: Serializer>(
        weeks: &BTreeMap<EffectiveFrom, WeeklyPattern>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(weeks)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<EffectiveFrom, WeeklyPattern>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

/// The same time in spans that neither overlap nor touch, ascending.
fn apart(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut apart: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.starts_at() <= last.ends_at() => *last = last.hull(span),
            _ => apart.push(span),
        }
    }
    apart
}

#[cfg(test)]
mod tests;
