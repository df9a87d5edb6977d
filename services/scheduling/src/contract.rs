//! Records of the domain as messages of the contract: in answers and in events.

use engine::{
    appointment::{Cancellation, State},
    dates::DateRange,
    dependency::{Dependency, Rule},
    hours::{DaySpan, WeeklyPattern, WeeklySpan},
    id::ResourceId,
    item::Wish,
    policy::Policy,
    progress,
    resource::Resource,
    schedule::Schedule,
    service::{Segment, SegmentKind, Segments, Service, SkillOverride},
    visit::{PlacedItem, Placement},
    window::Window,
    working::OpeningException,
};
use jiff::tz::TimeZone;
use proto::{frontdesk::scheduling::v1 as pb, time::to_proto};

use crate::{
    domain::{
        busy::Origin,
        time_off::{Decision, Extent, Kind, Stage},
    },
    store::{
        EmployeeHours, ItemNames, OpenConflict, OverlappingVisit, StaffSchedule, StoredAppointment,
        StoredBlock, StoredTimeOff, Week,
    },
};

/// `From` where neither type is this crate's own: a message of the contract made of a value of the engine.
pub(crate) trait FromEngine<T> {
    fn from_engine(value: T) -> Self;
}

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

impl FromEngine<&Segment> for pb::Segment {
    fn from_engine(segment: &Segment) -> Self {
        let kind = match segment.kind {
            SegmentKind::Active => pb::SegmentKind::Active,
            SegmentKind::Processing => pb::SegmentKind::Processing,
        };
        Self { kind: kind.into(), minutes: segment.minutes.into() }
    }
}

impl FromEngine<&Service> for pb::Service {
    fn from_engine(service: &Service) -> Self {
        Self {
            id: service.id.to_string(),
            name: service.name.clone(),
            category: service.category.clone(),
            segments: service.course.segments().iter().map(pb::Segment::from_engine).collect(),
            buffer_before_minutes: service.course.buffer_before().into(),
            buffer_after_minutes: service.course.buffer_after().into(),
            price_minor: service.price.minor,
            currency: service.price.currency.clone(),
            aliases: service.aliases.clone(),
            employee_ids: service.employees.iter().map(ToString::to_string).collect(),
            overrides: service.overrides.iter().map(pb::SkillOverride::from_engine).collect(),
            resource_kinds: service.resource_kinds.clone(),
            version: service.version,
            patch_test: service.patch_test.clone(),
        }
    }
}

impl FromEngine<&SkillOverride> for pb::SkillOverride {
    fn from_engine(skill: &SkillOverride) -> Self {
        let segments = skill.course.as_ref().map(Segments::segments).unwrap_or_default();
        Self {
            employee_id: skill.employee.to_string(),
            segment_minutes: segments.iter().map(|segment| segment.minutes.into()).collect(),
            price_minor: skill.price_minor,
        }
    }
}

impl FromEngine<&Policy> for pb::BookingPolicy {
    fn from_engine(policy: &Policy) -> Self {
        // Bounds keep all of them small.
        let whole = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
        Self {
            increment_minutes: policy.increment_minutes.into(),
            lead_minutes: whole(policy.lead.as_mins()),
            horizon_days: whole(policy.horizon_days()),
            cancellation_window_minutes: whole(policy.cancellation.as_mins()),
        }
    }
}

impl FromEngine<&Resource> for pb::Resource {
    fn from_engine(resource: &Resource) -> Self {
        Self { id: resource.id.to_string(), name: resource.name.clone(), kind: resource.kind.clone() }
    }
}

impl FromEngine<&Dependency> for pb::Dependency {
    fn from_engine(dependency: &Dependency) -> Self {
        let rule = match dependency.rule {
            Rule::Order { .. } => pb::DependencyRule::Order,
            Rule::SameEmployee => pb::DependencyRule::SameEmployee,
            Rule::DifferentEmployee => pb::DependencyRule::DifferentEmployee,
            Rule::Parallel => pb::DependencyRule::Parallel,
            Rule::EarlierVisit { .. } => pb::DependencyRule::EarlierVisit,
        };
        let plain = Self {
            id: dependency.id.to_string(),
            first_service_id: dependency.first.to_string(),
            then_service_id: dependency.then.to_string(),
            rule: rule.into(),
            ..Self::default()
        };
        match dependency.rule {
            Rule::Order { least, most } => {
                Self { least_gap_minutes: least.into(), most_gap_minutes: most.map(i32::from), ..plain }
            }
            Rule::EarlierVisit { least_hours, most_days } => {
                Self { least_hours: least_hours.into(), most_days: Some(most_days.into()), ..plain }
            }
            Rule::SameEmployee | Rule::DifferentEmployee | Rule::Parallel => plain,
        }
    }
}

fn placed_item(item: &PlacedItem, names: &ItemNames) -> pb::PlacedItem {
    let resource = |(index, resource): (usize, &ResourceId)| pb::PlacedResource {
        resource_id: resource.to_string(),
        resource_name: names.resources.get(index).cloned().unwrap_or_default(),
    };
    pb::PlacedItem {
        service_id: item.service.to_string(),
        service_name: names.service.clone(),
        employee_id: item.employee.to_string(),
        employee_name: names.employee.clone(),
        starts_at: Some(to_proto(item.starts_at)),
        ends_at: Some(to_proto(item.ends_at)),
        guest: item.guest.into(),
        resources: item.resources.iter().enumerate().map(resource).collect(),
        price_minor: item.price_minor,
        extra_minutes: item.extra_minutes.into(),
        employee_wish: pb::EmployeeWish::from_engine(item.wish).into(),
        wished_employee_id: text(item.wish.employee()),
        wished_employee_name: names.wished.clone(),
    }
}

impl FromEngine<Wish> for pb::EmployeeWish {
    fn from_engine(wish: Wish) -> Self {
        match wish {
            Wish::Anyone => Self::Unspecified,
            Wish::Prefers(_) => Self::Prefers,
            Wish::Only(_) => Self::Only,
        }
    }
}

/// A placement by the names of `schedule`.
pub(crate) fn offer(placement: &Placement, schedule: &Schedule) -> pb::Offer {
    let item = |item: &PlacedItem| {
        let service = schedule.services.get(&item.service).map(|service| service.name.clone());
        let resource = |id: &ResourceId| schedule.resources.get(id).map(|one| one.name.clone());
        let names = ItemNames {
            service: service.unwrap_or_default(),
            employee: schedule.name_of(item.employee).to_owned(),
            wished: item
                .wish
                .employee()
                .map(|wished| schedule.name_of(wished).to_owned())
                .unwrap_or_default(),
            resources: item.resources.iter().map(|id| resource(id).unwrap_or_default()).collect(),
        };
        placed_item(item, &names)
    };
    pb::Offer {
        starts_at: Some(to_proto(placement.starts_at)),
        ends_at: Some(to_proto(placement.ends_at)),
        items: placement.items.iter().map(item).collect(),
        price_minor: placement.price.minor,
        currency: placement.price.currency.clone(),
        lost_minutes: 0,
    }
}

impl FromEngine<progress::Stage> for pb::AppointmentState {
    fn from_engine(stage: progress::Stage) -> Self {
        match stage {
            progress::Stage::Booked => Self::Booked,
            progress::Stage::Confirmed => Self::Confirmed,
            progress::Stage::Arrived => Self::Arrived,
            progress::Stage::InService => Self::InService,
            progress::Stage::Completed => Self::Completed,
            progress::Stage::Cancelled => Self::Cancelled,
            progress::Stage::NoShow => Self::NoShow,
        }
    }
}

/// A state that a visit may be brought to, and when.
pub(crate) fn step(stage: progress::Stage, window: Window) -> pb::AppointmentStep {
    pb::AppointmentStep {
        state: pb::AppointmentState::from_engine(stage).into(),
        from: window.from.map(to_proto),
        until: window.until.map(to_proto),
    }
}

impl FromEngine<Window> for pb::DelayWindow {
    fn from_engine(window: Window) -> Self {
        Self { from: window.from.map(to_proto), until: window.until.map(to_proto) }
    }
}

impl From<&StoredAppointment> for pb::Appointment {
    fn from(stored: &StoredAppointment) -> Self {
        let StoredAppointment { appointment, customer, names } = stored;
        let items = appointment.items.iter().zip(names);
        let occurrence = appointment.occasion.occurrence;
        Self {
            id: appointment.id.to_string(),
            state: pb::AppointmentState::from_engine(appointment.state.stage()).into(),
            customer_id: text(appointment.occasion.customer),
            customer_name: customer.name.clone(),
            customer_phone: customer.phone.clone(),
            starts_at: Some(to_proto(appointment.starts_at)),
            ends_at: Some(to_proto(appointment.ends_at)),
            items: items.map(|(item, names)| placed_item(item, names)).collect(),
            price_minor: appointment.price.minor,
            currency: appointment.price.currency.clone(),
            call_id: text(appointment.occasion.call),
            notes: appointment.occasion.notes.clone(),
            version: appointment.version,
            created_at: Some(to_proto(appointment.created_at)),
            late_cancellation: appointment.state.was_cancelled_late(),
            squeezed_in: appointment.squeezed_in,
            series_id: text(occurrence.map(|occurrence| occurrence.series)),
            occurrence: occurrence.map_or(0, |occurrence| occurrence.number.into()),
            moved_alone: occurrence.is_some() && !appointment.is_as_planned(),
            contact_hidden: false,
            cancellation: match &appointment.state {
                State::Cancelled(cancellation) => Some(pb::Cancellation::from_engine(cancellation)),
                _ => None,
            },
        }
    }
}

impl FromEngine<&Cancellation> for pb::Cancellation {
    fn from_engine(cancellation: &Cancellation) -> Self {
        Self {
            cancelled_by: cancellation.by.clone(),
            cancelled_at: Some(to_proto(cancellation.at)),
            reason: cancellation.reason.clone(),
        }
    }
}

impl From<&StoredBlock> for pb::Block {
    fn from(stored: &StoredBlock) -> Self {
        let StoredBlock { block, employee_name } = stored;
        Self {
            id: block.id.to_string(),
            employee_id: block.employee.to_string(),
            employee_name: employee_name.clone(),
            title: block.title.clone(),
            starts_at: Some(to_proto(block.span.starts_at())),
            ends_at: Some(to_proto(block.span.ends_at())),
            blocked_by: block.by.clone(),
            blocked_at: Some(to_proto(block.at)),
        }
    }
}

impl From<Origin> for pb::BusyOrigin {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Calendar => Self::Calendar,
            Origin::Provider => Self::Provider,
        }
    }
}

impl From<&OpenConflict> for pb::Conflict {
    fn from(conflict: &OpenConflict) -> Self {
        Self {
            id: conflict.id.to_string(),
            employee_id: conflict.employee.to_string(),
            employee_name: conflict.employee_name.clone(),
            appointment_id: conflict.appointment.appointment.id.to_string(),
            appointment: Some(pb::Appointment::from(&conflict.appointment)),
            origin: pb::BusyOrigin::from(conflict.source.origin).into(),
            source_id: conflict.source.id.to_string(),
            title: conflict.title.clone(),
            starts_at: Some(to_proto(conflict.span.starts_at())),
            ends_at: Some(to_proto(conflict.span.ends_at())),
        }
    }
}

pub(crate) fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
