//! Placing a visit: bit arithmetic over the line, then a small search over employees and
//! resources, for each order in which the services may come.
//!
//! The same code answers a search, a hold and a booking, so that what is offered can
//! be booked and what is refused was never offered.

use jiff::Timestamp;
use uuid::Uuid;

use super::{
    arrangement::Arrangement,
    assignment::{Effort, Fit, Job, Role},
    id::{ResourceId, SubjectId},
    refusal::Refusal,
    service::Segments,
    slots::{SLOT_MINUTES, Slots},
    span::Span,
    step::{Skilled, Variant},
    timeline::Timeline,
    visit::{Placement, VisitRequest},
};

/// One way to arrange the visit, and where it may start that way.
struct Layout<'a> {
    arrangement: &'a Arrangement,
    /// Starts at which the salon is open throughout and each service has a candidate employee and a
    /// candidate resource of each kind.
    possible: Slots,
    people: Role,
    /// By pool.
    resources: Vec<Role>,
}

/// Places one request on one line.
pub struct Placer<'a> {
    line: &'a Timeline,
    request: &'a VisitRequest,
    fits: Vec<Vec<Fit<'a>>>,
    /// The best first.
    layouts: Vec<Layout<'a>>,
    effort: Effort,
}

impl<'a> Placer<'a> {
    /// Prepares the search.
    #[must_use]
    pub fn new(line: &'a Timeline, request: &'a VisitRequest) -> Self {
        let mut search = Preparation { line, request, fits: vec![], anyone: vec![], known: vec![] };
        let layouts = request.arrangements().iter().map(|arrangement| search.layout(arrangement)).collect();
        Self { line, request, fits: search.fits, layouts, effort: Effort::new() }
    }

    /// Every start within `starts` on the offering grid at which the visit fits, ascending.
    pub fn offers(&self, starts: Span) -> impl Iterator<Item = Placement> {
        self.offers_among(starts, None)
    }

    /// As [`Self::offers`], of starts in `wanted` alone.
    pub fn offers_among(&self, starts: Span, wanted: Option<&Slots>) -> impl Iterator<Item = Placement> {
        let mut candidates = Slots::clear(self.line.len());
        candidates.set(self.line.slots_beginning_in(starts));
        candidates.and(&self.line.grid);
        if let Some(wanted) = wanted {
            candidates.and(wanted);
        }
        if let Some(admitted) = &self.request.admitted {
            let mut starts = Slots::clear(self.line.len());
            admitted.iter().for_each(|span| starts.set(self.line.slots_beginning_in(*span)));
            candidates.and(&starts);
        }
        let mut possible = Slots::clear(self.line.len());
        self.layouts.iter().for_each(|layout| possible.or(&layout.possible));
        candidates.and(&possible);
        let candidates: Vec<_> = candidates.ones().collect();
        candidates.into_iter().filter_map(|slot| Some(self.place(slot)?.1))
    }

    /// The visit at exactly `start`.
    ///
    /// # Errors
    /// EARLIER_VISIT, NOT_WORKING where it would not fit even if nothing were taken, else
    /// SLOT_TAKEN.
    pub fn at(&self, start: Timestamp) -> Result<Placement, Refusal> {
        self.way(start).map(|(_, placement)| placement)
    }

    /// As [`Self::at`], with the way in which its services follow on each other.
    ///
    /// # Errors
    /// As [`Self::at`].
    pub fn way(&self, start: Timestamp) -> Result<(&'a Arrangement, Placement), Refusal> {
        if !self.request.is_admitted(start) {
            return Err(Refusal::EarlierVisit);
        }
        let slot = self.line.slot_at(start).ok_or(Refusal::NotWorking)?;
        if let Some(way) = self.place(slot) {
            return Ok(way);
        }
        let untaken = self.line.untaken();
        let fits_otherwise = Placer::new(&untaken, self.request).place(slot).is_some();
        Err(if fits_otherwise { Refusal::SlotTaken } else { Refusal::NotWorking })
    }

    /// The first way that fits at this start.
    pub(super) fn place(&self, slot: usize) -> Option<(&'a Arrangement, Placement)> {
        let layouts = self.layouts.iter().filter(|layout| layout.possible.get(slot));
        layouts.into_iter().find_map(|layout| {
            let people = layout.people.assign(slot, &self.fits, &self.effort)?;
            let resources: Option<Vec<_>> = layout
                .resources
                .iter()
                .map(|role| Some(self.subjects(role, &role.assign(slot, &self.fits, &self.effort)?)))
                .collect();
            let employees = self.subjects(&layout.people, &people);
            let start = self.line.instant(slot);
            let placement = self.request.place(start, layout.arrangement, &employees, &resources?);
            Some((layout.arrangement, placement))
        })
    }

    /// What was chosen for each job, in the order of the steps that they belong to.
    fn subjects<T: From<Uuid>>(&self, role: &Role, chosen: &[usize]) -> Vec<T> {
        let jobs = role.jobs().iter().zip(chosen);
        let mut subjects: Vec<_> =
            jobs.map(|(job, fit)| (job.step, self.fits[job.fits][*fit].subject)).collect();
        subjects.sort_unstable();
        subjects.into_iter().map(|(_, subject)| subject.0.into()).collect()
    }
}

/// Whose fits these are: the candidates of a step's variant, or of a pool's resources for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Need {
    step: usize,
    variant: usize,
    pool: Option<usize>,
}

/// Works out each fit once, whatever the number of arrangements that use it.
struct Preparation<'a> {
    line: &'a Timeline,
    request: &'a VisitRequest,
    fits: Vec<Vec<Fit<'a>>>,
    /// Slots at which at least one employee or resource could begin; indexed like `fits`.
    anyone: Vec<Slots>,
    known: Vec<Need>,
}

impl<'a> Preparation<'a> {
    fn layout(&mut self, arrangement: &'a Arrangement) -> Layout<'a> {
        let mut possible = self.line.open.clone().runs(slots(arrangement.minutes));
        let steps: Vec<usize> = (0..self.request.steps().len()).collect();
        let people = self.role(arrangement, &steps, None, &mut possible);
        let request = self.request;
        let pools = request.pools().iter().enumerate();
        let resources =
            pools.map(|(pool, of)| self.role(arrangement, &of.steps, Some(pool), &mut possible)).collect();
        Layout { arrangement, possible, people, resources }
    }

    fn role(
        &mut self,
        arrangement: &Arrangement,
        steps: &[usize],
        pool: Option<usize>,
        possible: &mut Slots,
    ) -> Role {
        let mut order = steps.to_vec();
        order.sort_by_key(|step| arrangement.begins[*step]);
        let mut jobs = Vec::with_capacity(order.len());
        for (place, &step) in order.iter().enumerate() {
            let variant = arrangement.variants[step];
            let fits = self.fits(Need { step, variant, pool });
            let begins = slots(arrangement.begins[step]);
            possible.and_ahead(&self.anyone[fits], begins);
            let course = &self.request.steps()[step].variants[variant].course;
            let moved = |(at, length): (usize, usize)| begins + at..begins + at + length;
            let bonds = match pool {
                None => self.bonds(&order[..place], step),
                Some(_) => vec![],
            };
            let guest = self.request.steps()[step].guest;
            jobs.push(Job {
                step,
                fits,
                begins,
                needed: needed(course, pool).map(moved).collect(),
                guest,
                bonds,
            });
        }
        Role::new(jobs)
    }

    /// Steps before this one to whose employee its own is bound.
    fn bonds(&self, before: &[usize], step: usize) -> Vec<(usize, bool)> {
        let bond = |(place, other): (usize, &usize)| {
            let pair = [(*other, step), (step, *other)];
            let bond = self.request.bonds().iter().find(|bond| pair.contains(&bond.steps))?;
            Some((place, bond.same))
        };
        before.iter().enumerate().filter_map(bond).collect()
    }

    fn fits(&mut self, need: Need) -> usize {
        if let Some(known) = self.known.iter().position(|known| *known == need) {
            return known;
        }
        let Variant { course, candidates } = &self.request.steps()[need.step].variants[need.variant];
        let line = self.line;
        let fits: Vec<_> = match need.pool {
            None => {
                let fit = |who: &Skilled| {
                    let person = line.person(who.employee)?;
                    let free = person.working.without(&person.occupied);
                    Some(fit(who.employee.into(), free, &person.occupied, course, None))
                };
                candidates.iter().filter_map(fit).collect()
            }
            Some(pool) => {
                let fit = |resource: &ResourceId| {
                    let occupied = line.resource(*resource)?;
                    let free = Slots::full(line.len()).without(occupied);
                    Some(fit((*resource).into(), free, occupied, course, need.pool))
                };
                self.request.pools()[pool].resources.iter().filter_map(fit).collect()
            }
        };
        let mut anyone = Slots::clear(line.len());
        fits.iter().for_each(|fit| anyone.or(&fit.service));
        self.known.push(need);
        self.fits.push(fits);
        self.anyone.push(anyone);
        self.known.len() - 1
    }
}

fn fit<'a>(
    subject: SubjectId,
    free: Slots,
    occupied: &'a Slots,
    course: &Segments,
    pool: Option<usize>,
) -> Fit<'a> {
    let mut needed = needed(course, pool);
    let (at, length) = needed.next().unwrap_or_default();
    let rest: Vec<_> = needed.collect();
    let service = if rest.is_empty() {
        free.runs(length).earlier(at)
    } else {
        let mut service = free.clone().runs(length).earlier(at);
        rest.into_iter().for_each(|(at, length)| service.and_ahead(&free.clone().runs(length), at));
        service
    };
    Fit {
        subject,
        service,
        occupied,
        length: slots(course.minutes()),
        before: slots(course.buffer_before()),
        behind: slots(course.buffer_after()),
    }
}

/// Slots after a service's start at which its subject is needed, and for how many: an employee
/// while at work, a resource all the time.
fn needed(course: &Segments, pool: Option<usize>) -> impl Iterator<Item = (usize, usize)> {
    let whole = pool.map(|_| (0, slots(course.minutes())));
    let active = course.active().filter(move |_| pool.is_none());
    whole.into_iter().chain(active.map(|part| (slots(part.start), slots(part.end - part.start))))
}

fn slots(minutes: u16) -> usize {
    usize::from(minutes / SLOT_MINUTES)
}

#[cfg(test)]
pub(super) mod tests;
