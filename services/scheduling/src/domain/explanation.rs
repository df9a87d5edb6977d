//! Why a visit can or can't start at a time: everything that is in its way.
//!
//! A start is free exactly when nothing is in the way of the visit as a whole and each of its
//! services has a candidate without an obstacle, where a buffer counts only for who comes to
//! the visit or leaves it there. What is listed is thus all there is, and all of it true.

use jiff::Timestamp;

use super::{
    id::{BlockId, EmployeeId, FactId, OpeningExceptionId, ServiceId, VisitId},
    placement::Placer,
    policy::{Booker, Policy},
    refusal::Refusal,
    schedule::Schedule,
    service::Course,
    slots::Slots,
    span::Span,
    timeline::Timeline,
    visit::{Item, Placement, WishError, after},
    working::{Absence, Rota},
};

/// A record that takes an employee's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// An appointment.
    Appointment(VisitId),
    /// A time kept for somebody, for minutes.
    Hold(VisitId),
    /// An entry of an outside calendar.
    Busy(FactId),
    /// Blocked time.
    Block(BlockId),
}

/// An employee's time that a record takes, buffers included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Whose.
    pub employee: EmployeeId,
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

/// Somebody who may do a service, or was asked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Who.
    pub employee: EmployeeId,
    /// Nothing, where the employee is free.
    pub obstacles: Vec<Obstacle>,
}

/// One service of the visit at its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedItem {
    /// The service.
    pub service: ServiceId,
    /// From its first segment to the end of its last.
    pub span: Span,
    /// Everybody who may do it.
    pub candidates: Vec<Candidate>,
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
}

impl Situation<'_> {
    /// Explains a start of a visit of `items`, which lies on a five-minute step of the line.
    ///
    /// # Errors
    /// An item names a service the business does not have.
    pub fn explain(&self, items: &[Item], start: Timestamp) -> Result<Explanation, WishError> {
        let mut at = start;
        let mut explained = Vec::with_capacity(items.len());
        for item in items {
            let service = self.schedule.services.get(&item.service).ok_or(WishError::UnknownService)?;
            let asked = item.employee.map_or_else(|| service.employees.clone(), |employee| vec![employee]);
            let candidate = |employee| {
                let skilled = service.employees.contains(&employee);
                let obstacles = if skilled {
                    self.obstacles(employee, &service.course, at)
                } else {
                    vec![Obstacle::NotSkilled]
                };
                Candidate { employee, obstacles }
            };
            let candidates = asked.into_iter().map(candidate).collect();
            let ends_at = after(at, service.course.minutes());
            let span = Span::new(at, ends_at).expect("a service takes time");
            explained.push(ExplainedItem { service: item.service, span, candidates });
            at = ends_at;
        }
        let visit = Span::new(start, at).expect("a visit takes time");
        let obstacles: Vec<_> =
            policy(&self.schedule.policy, start, self.now).into_iter().chain(self.closed(visit)).collect();
        let offer = match self.schedule.wish(items) {
            Ok(wish) if obstacles.is_empty() => Placer::new(self.line, &wish).at(start).ok(),
            Ok(_) | Err(_) => None,
        };
        Ok(Explanation { start, offer, obstacles, items: explained })
    }

    fn closed(&self, visit: Span) -> Option<VisitObstacle> {
        let span = self.missing(&self.line.open, visit)?;
        let date = self.schedule.zone.to_datetime(span.starts_at()).date();
        let exception = self.schedule.opening.exception_on(date).map(|exception| exception.id);
        Some(VisitObstacle::Closed { span, exception })
    }

    fn obstacles(&self, employee: EmployeeId, course: &Course, at: Timestamp) -> Vec<Obstacle> {
        let minutes = |from: u16, to: u16| Span::new(after(at, from), after(at, to));
        let active: Vec<_> = course.active().filter_map(|part| minutes(part.start, part.end)).collect();
        let ends_at = after(at, course.minutes());
        let before = Span::new(before(at, course.buffer_before()), at);
        let behind = Span::new(ends_at, after(ends_at, course.buffer_after()));
        let part_of = |span: Span| {
            let meets = |part: &Option<Span>| part.is_some_and(|part| part.overlaps(span));
            if active.iter().any(|part| part.overlaps(span)) {
                Some(Part::Service)
            } else if meets(&before) {
                Some(Part::BufferBefore)
            } else {
                meets(&behind).then_some(Part::BufferAfter)
            }
        };
        let taken = self.taken.iter().filter(|taken| taken.employee == employee).filter_map(|taken| {
            let part = part_of(taken.span)?;
            Some(Obstacle::Taken { record: taken.record, span: taken.span, part })
        });
        let off = active.iter().filter_map(|part| match self.line.person(employee) {
            Some(person) => self.missing(&person.working, *part),
            None => Some(*part),
        });
        let needed = |absence: &Absence| active.iter().any(|part| part.overlaps(absence.span));
        let absences = self.schedule.rotas.get(&employee).map(Rota::absences).unwrap_or_default();
        let absences = absences.iter().copied().filter(needed).map(Obstacle::Off);
        off.map(Obstacle::NotWorking).chain(absences).chain(taken).collect()
    }

    /// From the first to the last of the slots of `span` that `present` lacks.
    fn missing(&self, present: &Slots, span: Span) -> Option<Span> {
        let mut slots = self.line.slots_beginning_in(span).filter(|slot| !present.get(*slot));
        let first = slots.next()?;
        let last = slots.next_back().unwrap_or(first);
        Span::new(self.line.instant(first), self.line.instant(last + 1))
    }
}

fn policy(policy: &Policy, start: Timestamp, now: Timestamp) -> Option<VisitObstacle> {
    match policy.admit(start, Booker::Customer, now) {
        Err(Refusal::TooSoon) => Some(VisitObstacle::TooSoon(policy.earliest(now))),
        Err(_) => Some(VisitObstacle::TooFar(policy.end(now))),
        Ok(()) => None,
    }
}

fn before(at: Timestamp, minutes: u16) -> Timestamp {
    at - jiff::SignedDuration::from_mins(minutes.into())
}

#[cfg(test)]
mod tests;
