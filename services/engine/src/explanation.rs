//! Why a visit can or can't start at a time: everything that is in its way.
//!
//! A start is free exactly when nothing is in the way of the visit as a whole and each of its
//! services has a candidate, and of each kind it needs a resource, without an obstacle, where a
//! buffer counts only for who comes to the visit or leaves it there. What is listed is thus all
//! there is, and all of it true. Where services may come in several orders, it is about the one
//! that is offered, or else the best.

use jiff::{SignedDuration, Timestamp};

use super::{
    arrangement::Arrangement,
    id::{
        BlockId, DependencyId, EmployeeId, FactId, OpeningExceptionId, ResourceId, ServiceId, SubjectId,
        VisitId,
    },
    item::Item,
    placement::Placer,
    policy::{Booker, Policy},
    refusal::Refusal,
    schedule::Schedule,
    service::{Segments, Service},
    slots::Slots,
    span::Span,
    step::Step,
    timeline::Timeline,
    visit::{Placement, VisitRequest, VisitRequestError, after},
    working::{Absence, Rota},
};

/// A record that takes an employee's or a resource's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// An appointment.
    Appointment(VisitId),
    /// A time held for a customer, for a few minutes.
    Hold(VisitId),
    /// An entry of an outside calendar or booking system.
    Busy(FactId),
    /// What the question supposes.
    Hypothesis,
    /// Blocked time.
    Block(BlockId),
}

/// An employee's or a resource's time that a record takes, buffers included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Whose.
    pub subject: SubjectId,
    /// When.
    pub span: Span,
    /// By what.
    pub record: Record,
}

/// What is in the way of a visit as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisitObstacle {
    /// Bookable only from this instant.
    TooSoon(Timestamp),
    /// Bookable only before this instant.
    TooFar(Timestamp),
    /// The salon is closed for some of the visit.
    Closed {
        /// Between these instants.
        span: Span,
        /// The exception that counts on the date, if one does.
        exception: Option<OpeningExceptionId>,
    },
    /// The salon has no resource of a kind that a service needs.
    NoResource,
    /// The rules between the services can't be kept in one visit.
    NotTogether,
    /// By this rule the customer must have had another visit before, and has not in time.
    EarlierVisit(DependencyId),
}

/// What of a service an obstacle lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Where the employee is needed.
    Service,
    /// In what is kept free before.
    BufferBefore,
    /// In what is kept free after.
    BufferAfter,
}

/// What keeps an employee from a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// Does not do it.
    NotSkilled,
    /// Does not work for some of it, between these instants.
    NotWorking(Span),
    /// Has time off, all of it.
    Off(Absence),
    /// Has something else to do.
    Taken {
        /// By what.
        record: Record,
        /// When, all of it.
        span: Span,
        /// Where they meet.
        part: Part,
    },
}

/// An employee who is able to do the service or was requested for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The employee.
    pub employee: EmployeeId,
    /// Empty if the employee is free.
    pub obstacles: Vec<Obstacle>,
}

/// A chair, room or machine that a service could use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceCandidate {
    /// Which.
    pub resource: ResourceId,
    /// Empty if the resource is free.
    pub obstacles: Vec<Obstacle>,
}

/// A kind of resource that a service needs one of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedNeed {
    /// The kind.
    pub kind: String,
    /// Everything of the kind.
    pub candidates: Vec<ResourceCandidate>,
}

/// One service of the visit at its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedItem {
    /// Which guest it is for, from 0.
    pub guest: u8,
    /// The service.
    pub service: ServiceId,
    /// From its first segment to the end of its last.
    pub span: Span,
    /// Everybody who may do it.
    pub candidates: Vec<Candidate>,
    /// What it needs beside them.
    pub needs: Vec<ExplainedNeed>,
}

/// Why a visit can or can't start at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The start in question.
    pub start: Timestamp,
    /// The visit as it would be booked, where it can be.
    pub offer: Option<Placement>,
    /// What is in the way of all of it.
    pub obstacles: Vec<VisitObstacle>,
    /// Its services, in order.
    pub items: Vec<ExplainedItem>,
}

/// What the answer is worked out from.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The business's schedule.
    pub schedule: &'a Schedule,
    /// What is free and what is not around the start.
    pub line: &'a Timeline,
    /// The same records that the line has as taken.
    pub taken: &'a [Taken],
    /// The time.
    pub now: Timestamp,
    /// Whose notice counts; `None` for a visit that keeps its start, which needs none.
    pub booker: Option<Booker>,
}

impl Situation<'_> {
    /// Explains a start of a visit of `items`, which lies on a five-minute step of the line, by what
    /// they need, or why that is more than the salon has.
    ///
    /// # Errors
    /// An item names a service the business does not have.
    pub fn explain(
        &self,
        items: &[Item],
        request: Result<&VisitRequest, Refusal>,
        start: Timestamp,
    ) -> Result<Explanation, VisitRequestError> {
        let best = request.ok().and_then(|request| request.arrangements().first());
        let obstacles = |explained: &[ExplainedItem]| -> Vec<VisitObstacle> {
            let impossible = match request {
                Err(Refusal::NoResource) => Some(VisitObstacle::NoResource),
                Err(Refusal::NotTogether) => Some(VisitObstacle::NotTogether),
                Ok(request) if !request.is_admitted(start) => {
                    request.needs().first().map(|need| VisitObstacle::EarlierVisit(need.rule))
                }
                Ok(_) | Err(_) => None,
            };
            let policy =
                self.booker.and_then(|booker| policy(&self.schedule.policy, start, booker, self.now));
            policy.into_iter().chain(self.closed(visit(explained, start))).chain(impossible).collect()
        };
        let explained = self.explain_items(items, start, best)?;
        let in_the_way = obstacles(&explained);
        // Another order may be over before the salon closes.
        let may_be_placed = !in_the_way.iter().any(|one| !matches!(one, VisitObstacle::Closed { .. }));
        if let Ok(request) = request
            && may_be_placed
            && let Ok((way, offer)) = Placer::new(self.line, request).way(start)
        {
            let items = self.explain_items(items, start, Some(way))?;
            return Ok(Explanation { start, offer: Some(offer), obstacles: obstacles(&items), items });
        }
        Ok(Explanation { start, offer: None, obstacles: in_the_way, items: explained })
    }

    /// Explains each service at its time in an arrangement, or one after the other if there is no
    /// arrangement.
    fn explain_items(
        &self,
        items: &[Item],
        start: Timestamp,
        arrangement: Option<&Arrangement>,
    ) -> Result<Vec<ExplainedItem>, VisitRequestError> {
        let mut next = start;
        let mut explained = Vec::with_capacity(items.len());
        let services = self.schedule.services_of(items)?;
        for (index, (item, service)) in items.iter().zip(&services).enumerate() {
            let at = arrangement.map_or(next, |arrangement| after(start, arrangement.begins[index]));
            let asked = item.employee.map_or_else(|| service.employees.clone(), |employee| vec![employee]);
            let candidate =
                |employee| Candidate { employee, obstacles: self.of_employee(employee, service, at) };
            let candidates: Vec<_> = asked.into_iter().map(candidate).collect();
            let minutes = self.minutes(service, item, arrangement.map(|way| way.variants[index]));
            let ends_at = after(at, minutes);
            let span = Span::new(at, ends_at).expect("a service takes time");
            let needs = service.resource_kinds.iter().map(|kind| self.need(kind, service, span)).collect();
            let (service, guest) = (item.service, item.guest);
            explained.push(ExplainedItem { guest, service, span, candidates, needs });
            next = ends_at;
        }
        Ok(explained)
    }

    /// How long a service takes those whose length counts.
    fn minutes(&self, service: &Service, item: &Item, variant: Option<usize>) -> u16 {
        let step = Step::new(item, service);
        let counts = step.as_ref().zip(variant).map(|(step, variant)| &step.variants[variant].course);
        counts.unwrap_or(&service.course).minutes()
    }

    fn need(&self, kind: &str, service: &Service, span: Span) -> ExplainedNeed {
        let of_kind = self.schedule.resources.values().filter(|resource| resource.kind == kind);
        let stretch = Stretch::new(vec![span], &service.course, span);
        let candidate = |resource: ResourceId| {
            let obstacles = self.taken_of(resource.into(), &stretch).collect();
            ResourceCandidate { resource, obstacles }
        };
        let candidates = of_kind.map(|resource| candidate(resource.id)).collect();
        ExplainedNeed { kind: kind.to_owned(), candidates }
    }

    fn closed(&self, visit: Span) -> Option<VisitObstacle> {
        let span = self.missing(&self.line.open, visit)?;
        let date = self.schedule.zone.to_datetime(span.starts_at()).date();
        let exception = self.schedule.opening.exception_on(date).map(|exception| exception.id);
        Some(VisitObstacle::Closed { span, exception })
    }

    fn of_employee(&self, employee: EmployeeId, service: &Service, at: Timestamp) -> Vec<Obstacle> {
        if !service.employees.contains(&employee) {
            return vec![Obstacle::NotSkilled];
        }
        let course = service.course_of(employee);
        let active: Vec<_> = course
            .active()
            .filter_map(|part| Span::new(after(at, part.start), after(at, part.end)))
            .collect();
        let whole = Span::new(at, after(at, course.minutes())).expect("a service takes time");
        let off = active.iter().filter_map(|part| match self.line.person(employee) {
            Some(person) => self.missing(&person.working, *part),
            None => Some(*part),
        });
        let needed = |absence: &Absence| active.iter().any(|part| part.overlaps(absence.span));
        let absences = self.schedule.rotas.get(&employee).map(Rota::absences).unwrap_or_default();
        let absences = absences.iter().copied().filter(needed).map(Obstacle::Off);
        let stretch = Stretch::new(active.clone(), course, whole);
        let taken = self.taken_of(employee.into(), &stretch);
        off.map(Obstacle::NotWorking).chain(absences).chain(taken).collect()
    }

    fn taken_of(&self, subject: SubjectId, stretch: &Stretch) -> impl Iterator<Item = Obstacle> {
        self.taken.iter().filter(move |taken| taken.subject == subject).filter_map(|taken| {
            let part = stretch.part_of(taken.span)?;
            Some(Obstacle::Taken { record: taken.record, span: taken.span, part })
        })
    }

    /// From the first to the last of the slots of `span` that `present` lacks.
    fn missing(&self, present: &Slots, span: Span) -> Option<Span> {
        let mut slots = self.line.slots_beginning_in(span).filter(|slot| !present.get(*slot));
        let first = slots.next()?;
        let last = slots.next_back().unwrap_or(first);
        Span::new(self.line.instant(first), self.line.instant(last + 1))
    }
}

fn policy(policy: &Policy, start: Timestamp, booker: Booker, now: Timestamp) -> Option<VisitObstacle> {
    match policy.admit(start, booker, now) {
        Err(Refusal::TooSoon) => Some(VisitObstacle::TooSoon(policy.earliest(booker, now))),
        Err(_) => Some(VisitObstacle::TooFar(policy.end(now))),
        Ok(()) => None,
    }
}

/// A subject's part in a service, with its buffers.
struct Stretch {
    needed: Vec<Span>,
    before: Option<Span>,
    behind: Option<Span>,
}

impl Stretch {
    fn new(needed: Vec<Span>, course: &Segments, whole: Span) -> Self {
        let from = whole.starts_at() - SignedDuration::from_mins(course.buffer_before().into());
        let before = Span::new(from, whole.starts_at());
        let behind = Span::new(whole.ends_at(), after(whole.ends_at(), course.buffer_after()));
        Self { needed, before, behind }
    }

    fn part_of(&self, span: Span) -> Option<Part> {
        let meets = |part: &Option<Span>| part.is_some_and(|part| part.overlaps(span));
        if self.needed.iter().any(|part| part.overlaps(span)) {
            Some(Part::Service)
        } else if meets(&self.before) {
            Some(Part::BufferBefore)
        } else {
            meets(&self.behind).then_some(Part::BufferAfter)
        }
    }
}

/// All of a visit: from its start to the end of its last service.
fn visit(items: &[ExplainedItem], start: Timestamp) -> Span {
    let ends_at = items.iter().map(|item| item.span.ends_at()).max().unwrap_or(start);
    Span::new(start, ends_at).expect("a visit takes time")
}

#[cfg(test)]
mod tests;
