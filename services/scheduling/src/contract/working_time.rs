//! When a salon is open, when its people work, and when they are away.

use engine::{
    dates::DateRange,
    hours::{DaySpan, WeeklyPattern, WeeklySpan},
    working::OpeningException,
};
use jiff::tz::TimeZone;
use proto::{frontdesk::scheduling::v1 as pb, time::to_proto};

use super::{FromEngine, text};
use crate::{
    domain::time_off::{Decision, Extent, Kind, Stage},
    store::{EmployeeHours, OverlappingVisit, StaffSchedule, StoredTimeOff, Week},
};

impl FromEngine<&WeeklySpan> for pb::WeeklySpan {
    fn from_engine(span: &WeeklySpan) -> Self {
        Self {
            weekday: span.weekday.to_monday_one_offset().into(),
            from_minute: span.from.into(),
            to_minute: span.to.into(),
        }
    }
}

/// A pattern's spans.
pub(crate) fn spans(pattern: &WeeklyPattern) -> Vec<pb::WeeklySpan> {
    pattern.spans().iter().map(pb::WeeklySpan::from_engine).collect()
}

/// Spans of a date.
pub(crate) fn day_spans(spans: &[DaySpan]) -> Vec<pb::DaySpan> {
    let span = |span: &DaySpan| pb::DaySpan { from_minute: span.from.into(), to_minute: span.to.into() };
    spans.iter().map(span).collect()
}

impl From<&Week> for pb::WeeklySchedule {
    fn from(week: &Week) -> Self {
        Self { effective_from: text(week.effective_from), spans: spans(&week.pattern) }
    }
}

impl From<&StaffSchedule> for pb::StaffSchedule {
    fn from(staff: &StaffSchedule) -> Self {
        Self {
            employee_id: staff.employee.to_string(),
            schedules: staff.weeks.iter().map(pb::WeeklySchedule::from).collect(),
            days: staff.days.iter().map(pb::DayHours::from).collect(),
        }
    }
}

impl From<&EmployeeHours> for pb::DayHours {
    fn from(day: &EmployeeHours) -> Self {
        Self { date: day.date.to_string(), spans: day_spans(day.hours.spans()), weekly: vec![] }
    }
}

impl FromEngine<&OpeningException> for pb::OpeningException {
    fn from_engine(exception: &OpeningException) -> Self {
        Self {
            id: exception.id.to_string(),
            first_date: exception.dates.first().to_string(),
            last_date: exception.dates.last().to_string(),
            spans: day_spans(exception.hours.spans()),
            label: exception.label.clone(),
        }
    }
}

impl From<Kind> for pb::TimeOffKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Holiday => Self::Holiday,
            Kind::Sick => Self::Sick,
            Kind::Training => Self::Training,
            Kind::Other => Self::Other,
        }
    }
}

impl From<Stage> for pb::TimeOffState {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Requested => Self::Requested,
            Stage::Approved => Self::Approved,
            Stage::Declined => Self::Declined,
            Stage::Withdrawn => Self::Withdrawn,
        }
    }
}

impl From<&Decision> for pb::TimeOffDecision {
    fn from(decision: &Decision) -> Self {
        Self {
            decided_by: decision.by.clone(),
            decided_at: Some(to_proto(decision.at)),
            note: decision.note.clone(),
        }
    }
}

/// Time off as it lies in `zone`.
pub(crate) fn time_off(stored: &StoredTimeOff, zone: &TimeZone) -> pb::TimeOff {
    let StoredTimeOff { time_off, employee_name, visits, .. } = stored;
    let span = time_off.extent.span(zone);
    let dates = match time_off.extent {
        Extent::Days(dates) => Some(dates),
        Extent::Span(_) => None,
    };
    let appointment = |one: &OverlappingVisit| pb::StandingAppointment {
        appointment_id: one.appointment.to_string(),
        starts_at: Some(to_proto(one.starts_at)),
        customer_name: one.customer_name.clone(),
        service_names: one.services.clone(),
    };
    pb::TimeOff {
        id: time_off.id.to_string(),
        employee_id: time_off.employee.to_string(),
        employee_name: employee_name.clone(),
        kind: pb::TimeOffKind::from(time_off.kind).into(),
        reason: time_off.reason.clone(),
        starts_at: span.map(|span| to_proto(span.starts_at())),
        ends_at: span.map(|span| to_proto(span.ends_at())),
        first_date: text(dates.map(DateRange::first)),
        last_date: text(dates.map(DateRange::last)),
        state: pb::TimeOffState::from(time_off.state.stage()).into(),
        decision: time_off.state.decision().map(pb::TimeOffDecision::from),
        requested_by: time_off.requested_by.clone(),
        requested_at: Some(to_proto(time_off.requested_at)),
        version: time_off.version,
        appointments: visits.iter().filter(|visit| visit.is_stranded).map(appointment).collect(),
    }
}
