//! What stays where it is on the day, as bits.

use std::collections::BTreeMap;

use super::input::{Hours, Input, Seat};
use crate::{
    day::Day,
    id::{ResourceId, SubjectId},
    plan::{DayPlan, EmployeeDay},
    policy::Policy,
    ranking::Shortest,
    resource::Resource,
    schedule::Schedule,
    slots::DaySlots,
    span::Span,
    timeline::Timeline,
    working::Opening,
};

/// What is taken of each subject, by its place in [`Ground::taken`].
pub(super) type Rows = Vec<(usize, DaySlots)>;

/// What stays where it is. Subjects are employees, then resources, then customers who come more
/// than once.
#[derive(Debug)]
pub(super) struct Ground {
    subjects: Vec<SubjectId>,
    /// What is taken of each subject.
    pub taken: Vec<DaySlots>,
    /// When each employee works from now on.
    pub working: Vec<DaySlots>,
    /// The subjects of each kind of resource.
    kinds: Vec<(String, Vec<usize>)>,
    pub shortest: Shortest,
    pub line: Timeline,
    /// What the placer needs to know of services.
    pub rules: Schedule,
    day: Day,
}

impl Ground {
    pub fn of(input: &Input) -> Self {
        let day = Day::of(input.date, &input.zone);
        let bits = |spans: &[Span]| {
            let mut slots = DaySlots::default();
            spans.iter().for_each(|span| slots.set(day.slots_of(*span)));
            slots
        };
        let person = |(&employee, hours): (_, &Hours)| EmployeeDay {
            employee,
            working: bits(&hours.works),
            occupied: bits(&hours.taken),
        };
        let plan = DayPlan {
            open: bits(&input.open),
            grid: day.every(input.increment_minutes),
            employees: input.employees.iter().map(person).collect(),
            resources: input.resources.iter().map(|(id, seat)| (*id, bits(&seat.taken))).collect(),
            day: day.clone(),
        };
        let ahead = bits(Span::new(input.from, day.ends_at()).as_slice());
        let employees = plan.employees.iter().map(|person| (person.employee.into(), person.occupied));
        let resources = plan.resources.iter().map(|(id, taken)| ((*id).into(), *taken));
        let customers = input.customers.iter().map(|(id, spans)| (SubjectId(id.0), bits(spans)));
        let (subjects, taken) = employees.chain(resources).chain(customers).unzip();
        let mut kinds: Vec<(String, Vec<usize>)> = vec![];
        for (index, seat) in (input.employees.len()..).zip(input.resources.values()) {
            match kinds.iter_mut().find(|(kind, _)| *kind == seat.kind) {
                Some((_, of)) => of.push(index),
                None => kinds.push((seat.kind.clone(), vec![index])),
            }
        }
        Self {
            subjects,
            taken,
            working: plan.employees.iter().map(|person| person.working.and(&ahead)).collect(),
            kinds,
            shortest: Shortest::of_minutes(input.shortest_minutes),
            line: Timeline::new(&[plan], input.employees.keys().copied(), input.resources.keys().copied()),
            rules: rules(input),
            day,
        }
    }

    pub fn resource(&self, subject: usize) -> ResourceId {
        ResourceId(self.subjects[subject].0)
    }

    /// The resources of the same kind, itself included; `None` if the id is not a resource.
    pub fn kind(&self, resource: ResourceId) -> Option<&[usize]> {
        let subject = self.subject(resource.into())?;
        self.kinds.iter().map(|(_, of)| of.as_slice()).find(|of| of.contains(&subject))
    }

    pub fn slots(&self, span: Span) -> DaySlots {
        let mut slots = DaySlots::default();
        slots.set(self.day.slots_of(span));
        slots
    }

    pub fn subject(&self, id: SubjectId) -> Option<usize> {
        self.subjects.iter().position(|subject| *subject == id)
    }
}

/// Services and the rules between them, as a schedule without working hours.
fn rules(input: &Input) -> Schedule {
    let resource = |(id, seat): (&ResourceId, &Seat)| {
        (*id, Resource { id: *id, name: String::new(), kind: seat.kind.clone() })
    };
    Schedule {
        version: 0,
        zone: input.zone.clone(),
        policy: Policy::default(),
        opening: Opening::default(),
        rotas: BTreeMap::new(),
        services: input.services.clone(),
        resources: input.resources.iter().map(resource).collect(),
        dependencies: input.dependencies.clone(),
        names: BTreeMap::new(),
    }
}
