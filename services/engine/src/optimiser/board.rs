//! A day on which visits are laid down and taken up, and what it costs as it lies.

use super::{
    choice::{Choice, Task},
    cost::Cost,
    ground::Ground,
};
use crate::{ranking::lost_minutes_of_day, slots::DaySlots};

/// How a task lies: which of its choices, and the resource of each of its needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Laid {
    pub choice: usize,
    pub seats: Vec<usize>,
}

/// What lies where. Nothing that is laid down meets anything else.
#[derive(Debug)]
pub(super) struct Board<'a> {
    ground: &'a Ground,
    tasks: &'a [Task],
    /// What is taken of each subject by what lies here alone.
    taken: Vec<DaySlots>,
    laid: Vec<Option<Laid>>,
    /// By employee.
    lost: Vec<u16>,
    cost: Cost,
}

impl<'a> Board<'a> {
    /// The day as it is.
    pub fn new(ground: &'a Ground, tasks: &'a [Task]) -> Self {
        let left_out = tasks.iter().filter_map(|task| task.without);
        let mut board = Self {
            ground,
            tasks,
            taken: vec![DaySlots::default(); ground.taken.len()],
            laid: vec![None; tasks.len()],
            lost: vec![0; ground.working.len()],
            cost: left_out.fold(Cost::default(), |cost, without| cost + without),
        };
        (0..ground.working.len()).for_each(|employee| board.weigh(employee));
        for (index, task) in tasks.iter().enumerate() {
            if let Some(first) = task.first {
                let seats = task.choices[first].needs.iter().flat_map(|need| need.seats.first());
                board.put(index, Laid { choice: first, seats: seats.copied().collect() });
            }
        }
        board
    }

    pub fn ground(&self) -> &'a Ground {
        self.ground
    }

    pub fn tasks(&self) -> &'a [Task] {
        self.tasks
    }

    pub fn cost(&self) -> Cost {
        self.cost
    }

    pub fn laid(&self) -> &[Option<Laid>] {
        &self.laid
    }

    pub fn choice(&self, task: usize) -> Option<&'a Choice> {
        self.laid[task].as_ref().map(|laid| &self.tasks[task].choices[laid.choice])
    }

    /// Whether all is laid down that must be.
    pub fn is_whole(&self) -> bool {
        self.laid.iter().zip(self.tasks).all(|(laid, task)| laid.is_some() || task.without.is_some())
    }

    /// Lays a task down, if nothing is in its way. It must not lie anywhere.
    pub fn lay(&mut self, task: usize, choice: usize) -> bool {
        let Choice { rows, needs, .. } = &self.tasks[task].choices[choice];
        if rows.iter().any(|(subject, slots)| self.taken[*subject].meets(slots)) {
            return false;
        }
        let mut seats: Vec<usize> = Vec::with_capacity(needs.len());
        for need in needs {
            let mine = |seat: usize| seats.iter().zip(needs).filter(move |(taken, _)| **taken == seat);
            let is_free = |seat: &&usize| {
                !self.ground.taken[**seat].meets(&need.slots)
                    && !self.taken[**seat].meets(&need.slots)
                    && !mine(**seat).any(|(_, other)| other.slots.meets(&need.slots))
            };
            let Some(&seat) = need.seats.iter().find(is_free) else { return false };
            seats.push(seat);
        }
        self.put(task, Laid { choice, seats });
        true
    }

    /// Takes a task up, and says how it lay.
    pub fn lift(&mut self, task: usize) -> Option<Laid> {
        let laid = self.laid[task].take()?;
        let Choice { rows, needs, cost, .. } = &self.tasks[task].choices[laid.choice];
        let seats = laid.seats.iter().zip(needs).map(|(seat, need)| (*seat, need.slots));
        rows.iter().copied().chain(seats).for_each(|(subject, slots)| self.taken[subject].remove(&slots));
        rows.iter().for_each(|(subject, _)| self.weigh(*subject));
        self.cost = self.cost - *cost + self.tasks[task].without.unwrap_or_default();
        Some(laid)
    }

    /// Lays a task down as it lay before: nothing may be in its way.
    pub fn put(&mut self, task: usize, laid: Laid) {
        let Choice { rows, needs, cost, .. } = &self.tasks[task].choices[laid.choice];
        let seats = laid.seats.iter().zip(needs).map(|(seat, need)| (*seat, need.slots));
        rows.iter().copied().chain(seats).for_each(|(subject, slots)| self.taken[subject].add(&slots));
        rows.iter().for_each(|(subject, _)| self.weigh(*subject));
        self.cost = self.cost + *cost - self.tasks[task].without.unwrap_or_default();
        self.laid[task] = Some(laid);
    }

    /// Lays everything down as it lay before.
    pub fn restore(&mut self, laid: &[Option<Laid>]) {
        (0..laid.len()).for_each(|task| drop(self.lift(task)));
        for (task, laid) in laid.iter().enumerate() {
            laid.iter().for_each(|laid| self.put(task, laid.clone()));
        }
    }

    /// Counts again what an employee loses; other subjects lose nothing.
    fn weigh(&mut self, subject: usize) {
        let Some(working) = self.ground.working.get(subject) else { return };
        let mut free = *working;
        free.remove(&self.ground.taken[subject]);
        free.remove(&self.taken[subject]);
        let lost = lost_minutes_of_day(&free, self.ground.shortest);
        self.cost.lost_minutes += i64::from(lost) - i64::from(self.lost[subject]);
        self.lost[subject] = lost;
    }
}
