//! A visit: what is wanted, and what it becomes once placed.

use jiff::{SignedDuration, Timestamp};

use super::{
    arrangement::Arrangement,
    history::{Had, Need, admits, admitted},
    id::{EmployeeId, ResourceId, ServiceId, SubjectId},
    item::Wish,
    refusal::Refusal,
    service::{Price, Segments},
    span::Span,
    step::Step,
};

/// Why a request can't be placed anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VisitRequestError {
    /// The item at this place names a service the business does not have.
    #[error("there is no such service")]
    UnknownService(usize),
    /// The item at this place would be too short, or too long.
    #[error("a service would be too short, or too long")]
    Length(usize),
    /// None of the requested employees can do it, or the rules between the services forbid it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Resources of one kind, and the steps that need one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// The kind.
    pub kind: String,
    /// The resources; never empty.
    pub resources: Vec<ResourceId>,
    /// The steps, ascending; never empty.
    pub steps: Vec<usize>,
}

/// Two steps of one guest whose employees are bound to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bond {
    /// The steps.
    pub steps: (usize, usize),
    /// Whether one employee does both, rather than two.
    pub same: bool,
}

/// What is wanted of a salon: services, and all the ways to do them.
#[derive(Debug, Clone)]
pub struct VisitRequest {
    pub(super) steps: Vec<Step>,
    pub(super) arrangements: Vec<Arrangement>,
    pub(super) pools: Vec<Pool>,
    pub(super) bonds: Vec<Bond>,
    pub(super) currency: String,
    pub(super) needs: Vec<Need>,
    /// When it may start after what its customer has had, where that matters.
    pub(super) admitted: Option<Vec<Span>>,
}

impl VisitRequest {
    /// Its services, in the order asked for.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The ways in which they may follow on each other, the best first; never empty.
    #[must_use]
    pub fn arrangements(&self) -> &[Arrangement] {
        &self.arrangements
    }

    /// The same, in those ways alone in which each service begins so many minutes after the start; `None` if there is
    /// no such way.
    #[must_use]
    pub fn beginning(mut self, minutes: &[u16]) -> Option<Self> {
        self.arrangements.retain(|arrangement| arrangement.begins == minutes);
        (!self.arrangements.is_empty()).then_some(self)
    }

    /// What it needs of chairs, rooms and machines.
    #[must_use]
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// Steps whose employees are bound to each other.
    #[must_use]
    pub fn bonds(&self) -> &[Bond] {
        &self.bonds
    }

    /// Everybody who may do some of it.
    pub fn candidates(&self) -> impl Iterator<Item = EmployeeId> {
        self.steps.iter().flat_map(Step::candidates)
    }

    /// Every resource that some of it may use.
    pub fn resources(&self) -> impl Iterator<Item = ResourceId> {
        self.pools.iter().flat_map(|pool| pool.resources.iter().copied())
    }

    /// All that a visit could occupy, buffers included, when it starts between `first`
    /// and `last`.
    #[must_use]
    pub fn reach(&self, first: Timestamp, last: Timestamp) -> Span {
        let courses = || self.steps.iter().flat_map(|step| &step.variants).map(|variant| &variant.course);
        let before = courses().map(Segments::buffer_before).max().unwrap_or(0);
        let behind = courses().map(Segments::buffer_after).max().unwrap_or(0);
        let minutes = self.arrangements.iter().map(|arrangement| arrangement.minutes).max().unwrap_or(0);
        let starts_at = first - SignedDuration::from_mins(before.into());
        Span::new(starts_at, after(last.max(first), minutes + behind)).expect("a visit takes time")
    }

    /// Puts the visit at `start` in an arrangement, with an employee per step and a resource
    /// per step of each pool.
    pub(super) fn place(
        &self,
        start: Timestamp,
        arrangement: &Arrangement,
        employees: &[EmployeeId],
        resources: &[Vec<ResourceId>],
    ) -> Placement {
        let mut items = Vec::with_capacity(self.steps.len());
        let mut stays = vec![];
        for (index, step) in self.steps.iter().enumerate() {
            let course = &step.variants[arrangement.variants[index]].course;
            let at = after(start, arrangement.begins[index]);
            let mine = self.pools.iter().zip(resources).filter_map(|(pool, chosen)| {
                let place = pool.steps.binary_search(&index).ok()?;
                chosen.get(place).copied()
            });
            let mine: Vec<ResourceId> = mine.collect();
            let employee = employees[index];
            stays.push(Stay::of_employee(employee, course, at));
            stays.extend(mine.iter().map(|resource| Stay::of_resource(*resource, course, at)));
            items.push(PlacedItem {
                guest: step.guest,
                service: step.service,
                employee,
                starts_at: at,
                ends_at: after(at, course.minutes()),
                resources: mine,
                price_minor: step.price(employee),
                extra_minutes: step.extra_minutes,
                wish: step.wish,
            });
        }
        items.sort_by_key(|item| (item.starts_at, item.guest));
        let minor = items.iter().map(|item| item.price_minor).sum();
        let price = Price { minor, currency: self.currency.clone() };
        let ends_at = after(start, arrangement.minutes);
        Placement { starts_at: start, ends_at, items, occupied: occupied(&stays), price }
    }
}

/// A subject's part in one service.
struct Stay {
    subject: SubjectId,
    /// When it is needed, ascending.
    needed: Vec<Span>,
    before: u16,
    behind: u16,
}

impl Stay {
    fn of_employee(employee: EmployeeId, course: &Segments, at: Timestamp) -> Self {
        let span = |part: core::ops::Range<u16>| Span::new(after(at, part.start), after(at, part.end));
        Self::new(employee.into(), course, course.active().filter_map(span).collect())
    }

    fn of_resource(resource: ResourceId, course: &Segments, at: Timestamp) -> Self {
        Self::new(resource.into(), course, Span::new(at, after(at, course.minutes())).into_iter().collect())
    }

    fn new(subject: SubjectId, course: &Segments, needed: Vec<Span>) -> Self {
        Self { subject, needed, before: course.buffer_before(), behind: course.buffer_after() }
    }

    fn starts_at(&self) -> Option<Timestamp> {
        self.needed.first().map(|span| span.starts_at())
    }

    fn ends_at(&self) -> Option<Timestamp> {
        self.needed.last().map(|span| span.ends_at())
    }
}

/// The ledger rows of a visit's stays. Consecutive stays of one employee or resource need no buffer
/// between them.
fn occupied(stays: &[Stay]) -> Vec<Occupied> {
    let mut rows: Vec<Occupied> = vec![];
    for stay in stays {
        let others = || stays.iter().filter(|other| other.subject == stay.subject);
        let comes = others().all(|other| other.ends_at() != stay.starts_at());
        let goes = others().all(|other| other.starts_at() != stay.ends_at());
        let from = rows.len();
        rows.extend(stay.needed.iter().map(|&span| Occupied {
            subject: stay.subject,
            during: span,
            service: span,
        }));
        if comes && let Some(first) = rows.get_mut(from) {
            first.widen(stay.before, 0);
        }
        if goes && let Some(last) = rows.last_mut() {
            last.widen(0, stay.behind);
        }
    }
    rows.sort_by_key(|row| row.service);
    part(&mut rows);
    rows
}

/// So many minutes later.
pub(super) fn after(at: Timestamp, minutes: u16) -> Timestamp {
    at + SignedDuration::from_mins(minutes.into())
}

/// Cuts a buffer short where its subject is needed again for the same visit, so that
/// rows of one visit on one subject never overlap. The rows ascend.
fn part(occupied: &mut [Occupied]) {
    for later in 1..occupied.len() {
        let subject = occupied[later].subject;
        let Some(earlier) = occupied[..later].iter().rposition(|row| row.subject == subject) else {
            continue;
        };
        let (done, next) = (occupied[earlier].service.ends_at(), occupied[later].service.starts_at());
        let starts_at = occupied[later].during.starts_at().max(done).min(next);
        let ends_at = occupied[earlier].during.ends_at().min(starts_at);
        let later_end = occupied[later].during.ends_at();
        let earlier_start = occupied[earlier].during.starts_at();
        occupied[later].during = Span::new(starts_at, later_end).unwrap_or(occupied[later].service);
        occupied[earlier].during = Span::new(earlier_start, ends_at).unwrap_or(occupied[earlier].service);
    }
}

/// One service placed on an employee and a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedItem {
    /// Which guest it is for, from 0.
    pub guest: u8,
    /// The service.
    pub service: ServiceId,
    /// Who does it.
    pub employee: EmployeeId,
    /// From its first segment.
    pub starts_at: Timestamp,
    /// To the end of its last.
    pub ends_at: Timestamp,
    /// The chairs, rooms and machines it uses.
    pub resources: Vec<ResourceId>,
    /// What it costs, in the currency's minor unit.
    pub price_minor: i32,
    /// By how many minutes it was planned longer than the service; negative, where it is shorter.
    pub extra_minutes: i16,
    /// Whom the customer asked for.
    pub wish: Wish,
}

/// A stretch in which a visit needs an employee or a resource: one row of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupied {
    /// Who or what is needed.
    pub subject: SubjectId,
    /// What is taken, buffers included.
    pub during: Span,
    /// What the customer gets of it.
    pub service: Span,
}

impl Occupied {
    fn widen(&mut self, before: u16, after: u16) {
        let starts_at = self.during.starts_at() - SignedDuration::from_mins(before.into());
        let ends_at = self.during.ends_at() + SignedDuration::from_mins(after.into());
        self.during = Span::new(starts_at, ends_at).unwrap_or(self.during);
    }
}

/// A visit on employees and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// When the customer comes.
    pub starts_at: Timestamp,
    /// When the customer goes.
    pub ends_at: Timestamp,
    /// What is done, by start and guest.
    pub items: Vec<PlacedItem>,
    /// What it takes from whom, ascending.
    pub occupied: Vec<Occupied>,
    /// What it costs.
    pub price: Price,
}

impl VisitRequest {
    /// The request of a customer who has had all this: it may start only when all it needs is met.
    #[must_use]
    pub fn after(self, had: &[Had]) -> Self {
        Self { admitted: admitted(&self.needs, had), ..self }
    }

    /// What its customer must have had before.
    #[must_use]
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// Whether it may start at `start` after what its customer has had.
    #[must_use]
    pub fn is_admitted(&self, start: Timestamp) -> bool {
        admits(self.admitted.as_deref(), start)
    }
}
