//! Placing a visit: bit arithmetic over the line, then a small search over employees.
//!
//! The same code answers a search, a hold and a booking, so that what is offered can
//! be booked and what is refused was never offered.

use jiff::Timestamp;

use super::{
    id::EmployeeId,
    refusal::Refusal,
    slots::{SLOT_MINUTES, Slots},
    span::Span,
    timeline::{Person, Timeline},
    visit::{Placement, Step, Wish},
};

/// Where a visit may start so that one employee can do one of its services.
///
/// Buffers stand apart and are looked at start by start: an employee who goes on with the next
/// service of the same visit needs none in between, and few starts are ever weighed. They must
/// be free, not within working time.
struct Fit<'a> {
    employee: EmployeeId,
    service: Slots,
    occupied: &'a Slots,
    /// Slots after the visit's start at which the service begins and ends.
    begins: usize,
    ends: usize,
    /// Slots kept free before and after it.
    before: usize,
    after: usize,
}

/// Places one wish on one line.
pub struct Placer<'a> {
    line: &'a Timeline,
    wish: &'a Wish,
    fits: Vec<Vec<Fit<'a>>>,
    /// Starts at which the salon is open throughout and each service has somebody.
    possible: Slots,
}

impl<'a> Placer<'a> {
    /// Prepares the search.
    #[must_use]
    pub fn new(line: &'a Timeline, wish: &'a Wish) -> Self {
        let mut possible = line.open.clone().runs(slots(wish.minutes()));
        let mut offset = 0;
        let mut fits = Vec::with_capacity(wish.steps().len());
        for step in wish.steps() {
            let step_fits: Vec<_> = step
                .candidates
                .iter()
                .filter_map(|&employee| Some(Fit::new(employee, line.person(employee)?, step, offset)))
                .collect();
            let mut anyone = Slots::clear(line.len());
            step_fits.iter().for_each(|fit| anyone.or(&fit.service));
            possible.and(&anyone);
            fits.push(step_fits);
            offset += slots(step.service.course.minutes());
        }
        Self { line, wish, fits, possible }
    }

    /// Every start within `starts` on the offering grid at which the visit fits, ascending.
    pub fn offers(&self, starts: Span) -> impl Iterator<Item = Placement> {
        let mut candidates = Slots::clear(self.line.len());
        candidates.set(self.line.slots_beginning_in(starts));
        candidates.and(&self.line.grid);
        candidates.and(&self.possible);
        let candidates: Vec<_> = candidates.ones().collect();
        candidates.into_iter().filter_map(|slot| self.place(slot))
    }

    /// The visit at exactly `start`.
    ///
    /// # Errors
    /// NOT_WORKING where it would not fit even if nothing were taken, else SLOT_TAKEN.
    pub fn at(&self, start: Timestamp) -> Result<Placement, Refusal> {
        let slot = self.line.slot_at(start).ok_or(Refusal::NotWorking)?;
        if let Some(placement) = self.place(slot) {
            return Ok(placement);
        }
        let untaken = self.line.untaken();
        let fits_otherwise = Placer::new(&untaken, self.wish).place(slot).is_some();
        Err(if fits_otherwise { Refusal::SlotTaken } else { Refusal::NotWorking })
    }

    pub(super) fn place(&self, slot: usize) -> Option<Placement> {
        let employees = self.possible.get(slot).then(|| self.assign(slot))??;
        Some(self.wish.place(self.line.instant(slot), &employees))
    }

    /// Who does what at this start: as few changes of employee as can be, and among
    /// equals the earlier candidate. Each service is weighed once per candidate.
    fn assign(&self, slot: usize) -> Option<Vec<EmployeeId>> {
        let mut paths: Vec<Vec<Option<Path>>> = Vec::with_capacity(self.fits.len());
        for (step, fits) in self.fits.iter().enumerate() {
            let arrive = |fit: &Fit<'_>| {
                if !fit.service.get(slot) {
                    return None;
                }
                let Some(earlier) = step.checked_sub(1) else {
                    return fit.free_before(slot).then_some(Path { changes: 0, came_from: 0 });
                };
                let (people, known) = (&self.fits[earlier], &paths[earlier]);
                let stay = people.iter().position(|person| person.employee == fit.employee);
                let stay = stay.and_then(|from| Some(Path { came_from: from, ..known[from]? }));
                let change = fit.free_before(slot).then(|| cheapest_end(people, known, slot)).flatten();
                let change = change.map(|(from, path)| Path { changes: path.changes + 1, came_from: from });
                stay.into_iter().chain(change).min_by_key(|path| path.changes)
            };
            paths.push(fits.iter().map(arrive).collect());
        }
        let (mut at, _) = cheapest_end(self.fits.last()?, paths.last()?, slot)?;
        let mut employees = vec![];
        for (fits, path) in self.fits.iter().zip(&paths).rev() {
            employees.push(fits[at].employee);
            at = path[at]?.came_from;
        }
        employees.reverse();
        Some(employees)
    }
}

/// How a service can be reached with one candidate.
#[derive(Debug, Clone, Copy)]
struct Path {
    changes: usize,
    came_from: usize,
}

/// The cheapest path after which its employee may leave the visit.
fn cheapest_end(fits: &[Fit<'_>], paths: &[Option<Path>], slot: usize) -> Option<(usize, Path)> {
    fits.iter()
        .zip(paths)
        .enumerate()
        .filter_map(|(index, (fit, path))| Some((index, (*path)?, fit)))
        .filter(|(_, _, fit)| fit.free_after(slot))
        .map(|(index, path, _)| (index, path))
        .min_by_key(|(_, path)| path.changes)
}

impl<'a> Fit<'a> {
    /// `begins` is how many slots after the visit's start the step begins.
    fn new(employee: EmployeeId, person: &'a Person, step: &Step, begins: usize) -> Self {
        let course = &step.service.course;
        let free = person.working.without(&person.occupied);
        let mut active =
            course.active().map(|part| (begins + slots(part.start), slots(part.end - part.start)));
        // A course begins with the employee at work.
        let (at, length) = active.next().unwrap_or_default();
        let mut service = free.clone().runs(length).earlier(at);
        for (at, length) in active {
            service.and_ahead(&free.clone().runs(length), at);
        }
        Self {
            employee,
            service,
            occupied: &person.occupied,
            begins,
            ends: begins + slots(course.minutes()),
            before: slots(course.buffer_before()),
            after: slots(course.buffer_after()),
        }
    }

    fn free_before(&self, slot: usize) -> bool {
        let begins = slot + self.begins;
        begins.checked_sub(self.before).is_some_and(|from| self.occupied.are_clear(from..begins))
    }

    fn free_after(&self, slot: usize) -> bool {
        let ends = slot + self.ends;
        self.occupied.are_clear(ends..ends + self.after)
    }
}

fn slots(minutes: u16) -> usize {
    usize::from(minutes / SLOT_MINUTES)
}

#[cfg(test)]
pub(super) mod tests;
