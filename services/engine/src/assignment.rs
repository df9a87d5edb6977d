//! Who does what at one start: a small search over employees, or over the resources of a kind.
//!
//! Consecutive services are assigned by dynamic programming with the fewest changes of subject. If some
//! overlap, or are bound to each other, every assignment is tried in turn, the likeliest first, until
//! one fits or the limit is reached.

use core::{cell::Cell, ops::Range};

use super::{id::SubjectId, slots::Slots};

/// Maximum number of subjects tried at one start, in one order, if services overlap.
const MOST_TRIED: usize = 10_000;
/// Maximum number of subjects that one search tries if services overlap: some ten milliseconds of work.
const MOST_EFFORT: usize = 200_000;

/// The number of subjects a search may still try. Once it is used up, the search finds nothing more,
/// which bounds the cost of a request.
pub(super) struct Effort(Cell<usize>);

impl Effort {
    pub(super) fn new() -> Self {
        Self(Cell::new(MOST_EFFORT))
    }

    fn spend(&self, tries: usize) -> bool {
        let left = self.0.get().checked_sub(tries);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Where one subject could do one service.
///
/// Buffers are kept apart and checked start by start: an employee who continues with the next service
/// of the same visit needs none in between, and only few starts are ever checked. Buffers must be free,
/// but may lie outside working time.
pub(super) struct Fit<'a> {
    pub subject: SubjectId,
    /// Slots at which it could begin the service.
    pub service: Slots,
    pub occupied: &'a Slots,
    /// Slots that the service takes.
    pub length: usize,
    /// Slots kept free before and after it.
    pub before: usize,
    pub behind: usize,
}

impl Fit<'_> {
    fn free_before(&self, begins: usize) -> bool {
        begins.checked_sub(self.before).is_some_and(|from| self.occupied.are_clear(from..begins))
    }

    fn free_behind(&self, begins: usize) -> bool {
        let ends = begins + self.length;
        self.occupied.are_clear(ends..ends + self.behind)
    }
}

/// A service of an arrangement that needs a subject.
pub(super) struct Job {
    /// The index of its step in the visit.
    pub step: usize,
    /// The index of its candidates among all fits.
    pub fits: usize,
    /// Slots after the visit's start at which it begins.
    pub begins: usize,
    /// Slots after the visit's start in which it needs the subject, ascending.
    pub needed: Vec<Range<usize>>,
    /// Which guest it is for.
    pub guest: u8,
    /// Earlier jobs that the same subject must do (`true`) or must not do (`false`).
    pub bonds: Vec<(usize, bool)>,
}

impl Job {
    fn ends(&self) -> usize {
        self.needed.last().map_or(self.begins, |last| last.end)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.needed
            .iter()
            .any(|one| other.needed.iter().any(|two| one.start < two.end && two.start < one.end))
    }

    /// Whether the time from begin to end of both overlaps, needed or not.
    fn spans(&self, other: &Self) -> bool {
        self.begins < other.ends() && other.begins < self.ends()
    }
}

/// The jobs of an arrangement for one kind of subject, by when they begin.
pub(super) struct Role {
    jobs: Vec<Job>,
    /// Whether they are consecutive and none is bound to another.
    is_chain: bool,
}

impl Role {
    /// `jobs` ascend by when they begin.
    pub(super) fn new(jobs: Vec<Job>) -> Self {
        debug_assert!(jobs.is_sorted_by_key(|job| job.begins));
        let follows = jobs.windows(2).all(|pair| !pair[0].spans(&pair[1]));
        let is_chain = follows && jobs.iter().all(|job| job.bonds.is_empty());
        Self { jobs, is_chain }
    }

    pub(super) fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// The fit assigned to each job if the visit starts at `slot`.
    pub(super) fn assign(&self, slot: usize, fits: &[Vec<Fit<'_>>], effort: &Effort) -> Option<Vec<usize>> {
        if self.is_chain {
            return self.assign_chain(slot, fits);
        }
        Puzzle { slot, jobs: &self.jobs, fits, chosen: vec![], left: MOST_TRIED, effort }.solve()
    }

    /// Finds the fewest changes of subject, preferring earlier fits among equals. Each service is
    /// evaluated once per fit.
    fn assign_chain(&self, slot: usize, fits: &[Vec<Fit<'_>>]) -> Option<Vec<usize>> {
        let mut paths: Vec<Vec<Option<Path>>> = Vec::with_capacity(self.jobs.len());
        for (index, job) in self.jobs.iter().enumerate() {
            let begins = slot + job.begins;
            let last = index.checked_sub(1).map(|last| (&self.jobs[last], &paths[last]));
            let arrive = |fit: &Fit<'_>| {
                if !fit.service.get(begins) {
                    return None;
                }
                let Some((last, known)) = last else {
                    return fit.free_before(begins).then_some(Path { changes: 0, came_from: 0 });
                };
                let people = &fits[last.fits];
                let stay = people.iter().position(|person| person.subject == fit.subject);
                // With a gap between the steps their buffers count, but the employee stays the same.
                let goes_on = last.ends() == job.begins;
                let stay = stay.filter(|from| {
                    goes_on || people[*from].free_behind(slot + last.begins) && fit.free_before(begins)
                });
                let stay = stay.and_then(|from| Some(Path { came_from: from, ..known[from]? }));
                let change = fit.free_before(begins).then(|| cheapest_end(people, known, slot + last.begins));
                let change =
                    change.flatten().map(|(from, path)| Path { changes: path.changes + 1, came_from: from });
                stay.into_iter().chain(change).min_by_key(|path| path.changes)
            };
            let arrived = fits[job.fits].iter().map(arrive).collect();
            paths.push(arrived);
        }
        let last = self.jobs.last()?;
        let (mut at, _) = cheapest_end(&fits[last.fits], paths.last()?, slot + last.begins)?;
        let mut chosen = vec![];
        for path in paths.iter().rev() {
            chosen.push(at);
            at = path[at]?.came_from;
        }
        chosen.reverse();
        Some(chosen)
    }
}

/// The best way to reach a service with one fit.
#[derive(Debug, Clone, Copy)]
struct Path {
    changes: usize,
    came_from: usize,
}

/// The cheapest path after which its subject may leave the visit.
fn cheapest_end(fits: &[Fit<'_>], paths: &[Option<Path>], begins: usize) -> Option<(usize, Path)> {
    fits.iter()
        .zip(paths)
        .enumerate()
        .filter_map(|(index, (fit, path))| Some((index, (*path)?, fit)))
        .filter(|(_, _, fit)| fit.free_behind(begins))
        .map(|(index, path, _)| (index, path))
        .min_by_key(|(_, path)| path.changes)
}

/// Jobs that overlap or are bound to each other, at one start.
struct Puzzle<'a> {
    slot: usize,
    jobs: &'a [Job],
    fits: &'a [Vec<Fit<'a>>],
    chosen: Vec<usize>,
    /// How many more subjects may be tried at this start.
    left: usize,
    /// The limit of the whole search.
    effort: &'a Effort,
}

impl Puzzle<'_> {
    fn solve(mut self) -> Option<Vec<usize>> {
        let enough = (0..self.jobs.len()).all(|job| self.has_hands_enough(job));
        (enough && self.extend()).then_some(self.chosen)
    }

    fn fit(&self, job: usize) -> &Fit<'_> {
        &self.fits[self.jobs[job].fits][self.chosen[job]]
    }

    /// Whether the jobs running when a job begins can be assigned at all, by a matching. Without this
    /// check a large party would be tried in every order before it fails.
    fn has_hands_enough(&self, job: usize) -> bool {
        let at = self.jobs[job].begins;
        let goes_on = |job: &&Job| job.needed.iter().any(|part| part.contains(&at));
        let mut matched: Vec<(SubjectId, usize)> = vec![];
        let together: Vec<&Job> = self.jobs.iter().filter(goes_on).collect();
        (0..together.len()).all(|one| self.augment(&together, one, &mut matched, &mut vec![]))
    }

    fn augment(
        &self,
        together: &[&Job],
        job: usize,
        matched: &mut Vec<(SubjectId, usize)>,
        seen: &mut Vec<SubjectId>,
    ) -> bool {
        let begins = self.slot + together[job].begins;
        for fit in self.fits[together[job].fits].iter().filter(|fit| fit.service.get(begins)) {
            if !self.effort.spend(1) {
                return false;
            }
            if seen.contains(&fit.subject) {
                continue;
            }
            seen.push(fit.subject);
            match matched.iter().position(|(subject, _)| *subject == fit.subject) {
                None => {
                    matched.push((fit.subject, job));
                    return true;
                }
                Some(held) if self.augment(together, matched[held].1, matched, seen) => {
                    matched[held].1 = job;
                    return true;
                }
                Some(_) => {}
            }
        }
        false
    }

    fn extend(&mut self) -> bool {
        let next = self.chosen.len();
        let Some(job) = self.jobs.get(next) else { return self.may_all_leave(usize::MAX) };
        if !self.may_all_leave(job.begins) {
            return false;
        }
        let stays = self.jobs[..next].iter().rposition(|before| before.guest == job.guest);
        let stays = stays.map(|before| self.fit(before).subject);
        let fits = &self.fits[job.fits];
        let first = stays.and_then(|subject| fits.iter().position(|fit| fit.subject == subject));
        let others = (0..fits.len()).filter(|fit| Some(*fit) != first);
        for fit in first.into_iter().chain(others) {
            if self.left == 0 || !self.effort.spend(1) {
                return false;
            }
            self.left -= 1;
            if self.may_do(next, &fits[fit]) {
                self.chosen.push(fit);
                if self.extend() {
                    return true;
                }
                self.chosen.pop();
            }
        }
        false
    }

    fn may_do(&self, next: usize, fit: &Fit<'_>) -> bool {
        let job = &self.jobs[next];
        let begins = self.slot + job.begins;
        let is_bound = |&(other, same): &(usize, bool)| (self.fit(other).subject == fit.subject) == same;
        let mine = || (0..next).filter(|other| self.fit(*other).subject == fit.subject);
        fit.service.get(begins)
            && job.bonds.iter().all(is_bound)
            && mine().all(|other| !self.jobs[other].overlaps(job))
            && (mine().any(|other| self.jobs[other].ends() == job.begins) || fit.free_before(begins))
    }

    /// Whether each employee or resource whose job ends before `begins` either continues with another
    /// job of the visit or is free for the buffer after it.
    fn may_all_leave(&self, begins: usize) -> bool {
        let over = (0..self.chosen.len()).filter(|job| self.jobs[*job].ends() < begins);
        over.into_iter().all(|job| {
            let (fit, ends) = (self.fit(job), self.jobs[job].ends());
            let goes_on =
                |other: usize| self.jobs[other].begins == ends && self.fit(other).subject == fit.subject;
            fit.free_behind(self.slot + self.jobs[job].begins) || (0..self.chosen.len()).any(goes_on)
        })
    }
}
