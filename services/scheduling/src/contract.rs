//! Records of the domain as messages of the contract: in answers and in events.

mod working_time;

use engine::{
    appointment::{Cancellation, State},
    dependency::{Dependency, Rule},
    id::ResourceId,
    item::Wish,
    policy::Policy,
    progress,
    resource::Resource,
    schedule::Schedule,
    service::{Segment, SegmentKind, Segments, Service, SkillOverride},
    visit::{PlacedItem, Placement},
    window::Window,
};
use proto::{frontdesk::scheduling::v1 as pb, time::to_proto};

use crate::{
    domain::busy::Origin,
    store::{ItemNames, OpenConflict, StoredAppointment, StoredBlock},
};

pub(crate) use working_time::{day_spans, spans, time_off};

/// `From` where neither type is this crate's own: a message of the contract made of a value of the engine.
pub(crate) trait FromEngine<T> {
    fn from_engine(value: T) -> Self;
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
