//! Late-acceptance local search: a move is kept if the day is no worse than it was some moves ago.
//!
//! A move lifts a few visits and places each where it costs least, or shifts consecutive visits of an
//! employee by the same minutes. All arithmetic is on integers, so that every machine finds the same
//! day.

use jiff::{SignedDuration, Timestamp};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};

use super::{
    board::{Board, Laid},
    choice::{Choice, Task},
    ground::Ground,
};
use crate::slots::{DaySlots, SLOT_SECONDS};

/// A day is compared with the one this many moves ago.
const MEMORY: usize = 50;
/// Maximum number of visits lifted by one move.
const MOST_LIFTED: usize = 4;
/// The other lifted visits are drawn from this many closest ones.
const CLOSEST: usize = 8;
/// One in this many moves shifts a chain.
const SHIFTS: usize = 4;
/// One in this many choices is skipped, so that repeated searches differ.
const BLINKS: usize = 10;
/// Longest shift, in steps of five minutes.
const LONGEST_SHIFT: usize = 6;
/// One in this many tasks is placed at random instead of where it costs least.
const WHIMS: usize = 5;
/// After this many moves without an improvement the search returns to the best day and accepts worse
/// days by a higher threshold.
const PATIENCE: u32 = 150;
/// Thresholds in minutes: for the first return, the second and so on, then again from the start.
const HEAT: [i64; 4] = [15, 40, 100, 1_100];
/// Moves between two checks of the clock.
const LOOK: u32 = 32;

/// A random generator that gives the same numbers on every machine.
struct Dice(ChaCha8Rng);

impl Dice {
    /// A number below `sides`.
    fn below(&mut self, sides: usize) -> usize {
        let drawn = u64::from(self.0.next_u32()) * sides as u64;
        usize::try_from(drawn >> u32::BITS).unwrap_or(0)
    }

    fn shuffle<T>(&mut self, of: &mut [T]) {
        for last in (1..of.len()).rev() {
            of.swap(last, self.below(last + 1));
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// How many moves were tried.
    pub tried: u32,
    /// Whether the deadline ended it.
    pub was_cut: bool,
}

pub(super) struct Search<'a, 'b> {
    board: &'b mut Board<'a>,
    dice: Dice,
    /// Tasks with more than one possible outcome.
    movable: Vec<usize>,
    /// For each task, the tasks that could conflict with it, the closest first.
    around: Vec<Vec<usize>>,
}

impl<'a, 'b> Search<'a, 'b> {
    pub fn new(board: &'b mut Board<'a>, seed: u64) -> Self {
        let tasks = board.tasks();
        let moves = |task: &usize| tasks[*task].choices.len() > usize::from(tasks[*task].without.is_none());
        let movable: Vec<usize> = (0..tasks.len()).filter(moves).collect();
        let around = around(board.ground(), tasks, &movable);
        Self { board, dice: Dice(ChaCha8Rng::seed_from_u64(seed)), movable, around }
    }

    /// Runs the search and leaves the board at the best day found.
    pub fn run(mut self, tries: u32, mut is_late: impl FnMut() -> bool) -> End {
        let mut end = End { tried: 0, was_cut: false };
        if self.movable.is_empty() {
            return end;
        }
        let mut best = (self.board.cost().total(), self.board.laid().to_vec());
        let mut memory = [best.0; MEMORY];
        let (mut patience, mut heat) = (PATIENCE, HEAT.iter().cycle());
        for slot in (0..MEMORY).cycle() {
            if end.tried == tries {
                break;
            }
            if end.tried.is_multiple_of(LOOK) && is_late() {
                end.was_cut = true;
                break;
            }
            end.tried += 1;
            let before = self.board.cost().total();
            let lifted = self.attempt();
            let after = self.board.cost().total();
            let is_kept = self.board.is_whole() && (after <= before || after <= memory[slot]);
            if !is_kept {
                self.take_back(lifted);
            }
            memory[slot] = self.board.cost().total();
            patience -= 1;
            if memory[slot] < best.0 {
                best = (memory[slot], self.board.laid().to_vec());
                patience = PATIENCE;
            } else if patience == 0 {
                self.board.restore(&best.1);
                memory = [best.0 + heat.next().unwrap_or(&0); MEMORY];
                patience = PATIENCE;
            }
        }
        self.board.restore(&best.1);
        if !end.was_cut {
            self.settle();
        }
        end
    }

    /// Places every task where it costs least, one by one, until no move improves the day, so that no
    /// visit moves without a gain.
    fn settle(&mut self) {
        loop {
            let before = self.board.cost().total();
            for index in 0..self.movable.len() {
                let task = self.movable[index];
                let lay = self.board.lift(task);
                self.lay_best(task, 0);
                if self.board.laid()[task].is_none() && self.board.tasks()[task].without.is_none() {
                    lay.into_iter().for_each(|lay| self.board.put(task, lay));
                }
            }
            if self.board.cost().total() >= before {
                return;
            }
        }
    }

    /// Tries one move. Returns the tasks it lifted and where they lay.
    fn attempt(&mut self) -> Vec<(usize, Option<Laid>)> {
        let first = self.movable[self.dice.below(self.movable.len())];
        if self.dice.below(SHIFTS) == 0 { self.shift(first) } else { self.lay_anew(first) }
    }

    fn lay_anew(&mut self, first: usize) -> Vec<(usize, Option<Laid>)> {
        let others = self.dice.below(MOST_LIFTED);
        let mut up = vec![first];
        for _ in 0..others {
            let close = self.around[first].len().min(CLOSEST);
            if close > 0 {
                let other = self.around[first][self.dice.below(close)];
                if !up.contains(&other) {
                    up.push(other);
                }
            }
        }
        let lifted: Vec<_> = up.iter().map(|task| (*task, self.board.lift(*task))).collect();
        self.dice.shuffle(&mut up);
        for task in up {
            if self.dice.below(WHIMS) > 0 || !self.lay_somewhere(task) {
                self.lay_best(task, BLINKS);
            }
        }
        lifted
    }

    fn lay_somewhere(&mut self, task: usize) -> bool {
        let choices = self.board.tasks()[task].choices.len();
        choices > 0 && self.board.lay(task, self.dice.below(choices))
    }

    /// Places a task where it costs least, or leaves it out if that costs less.
    fn lay_best(&mut self, task: usize, blinks: usize) {
        let out = self.board.cost().total();
        let mut best = self.board.tasks()[task].without.map(|_| (out, None));
        for choice in 0..self.board.tasks()[task].choices.len() {
            if blinks > 0 && self.dice.below(blinks) == 0 || !self.board.lay(task, choice) {
                continue;
            }
            let cost = self.board.cost().total();
            let laid = self.board.lift(task);
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                best = Some((cost, laid));
            }
        }
        if let Some((_, Some(laid))) = best {
            self.board.put(task, laid);
        }
    }

    /// Shifts a task and its followers, or its predecessors, of the same employee.
    fn shift(&mut self, first: usize) -> Vec<(usize, Option<Laid>)> {
        let Some(start) = self.board.choice(first) else { return self.lay_anew(first) };
        let steps = 1 + self.dice.below(LONGEST_SHIFT);
        let by = SignedDuration::from_secs(steps as i64 * SLOT_SECONDS);
        let is_later = self.dice.below(2) == 0;
        let follows = self.dice.below(2) == 0;
        let length = 1 + self.dice.below(MOST_LIFTED);
        let side = |at: Timestamp| if follows { at >= start.starts_at } else { at <= start.starts_at };
        let beside = |task: &&usize| {
            let other = self.board.choice(**task);
            other.is_some_and(|other| side(other.starts_at) && shares(start, other))
        };
        let mut chain: Vec<usize> = self.movable.iter().filter(beside).copied().collect();
        let away = |task: &usize| {
            let at = self.board.choice(*task).map_or(start.starts_at, |choice| choice.starts_at);
            (at.duration_since(start.starts_at).abs(), *task != first, *task)
        };
        chain.sort_by_key(away);
        chain.truncate(length);
        let moved: Vec<_> =
            chain.iter().map(|task| self.shifted(*task, if is_later { by } else { -by })).collect();
        let lifted: Vec<_> = chain.iter().map(|task| (*task, self.board.lift(*task))).collect();
        for (task, choice) in chain.into_iter().zip(moved) {
            if let Some(choice) = choice {
                self.board.lay(task, choice);
            }
        }
        lifted
    }

    /// The choice with the same employees and resources, later by `by`.
    fn shifted(&self, task: usize, by: SignedDuration) -> Option<usize> {
        let now = self.board.choice(task)?;
        let at = now.starts_at + by;
        let choices = self.board.tasks()[task].choices.iter();
        choices.into_iter().position(|choice| choice.starts_at == at && same_hands(choice, now))
    }

    fn take_back(&mut self, lifted: Vec<(usize, Option<Laid>)>) {
        lifted.iter().for_each(|(task, _)| drop(self.board.lift(*task)));
        for (task, laid) in lifted {
            laid.into_iter().for_each(|laid| self.board.put(task, laid));
        }
    }
}

/// Whether two choices occupy a common employee or resource.
fn shares(one: &Choice, other: &Choice) -> bool {
    one.rows.iter().any(|(subject, _)| other.rows.iter().any(|(theirs, _)| subject == theirs))
}

fn same_hands(one: &Choice, other: &Choice) -> bool {
    one.rows.len() == other.rows.len()
        && one.rows.iter().all(|(subject, _)| other.rows.iter().any(|(theirs, _)| subject == theirs))
}

/// For each task, the tasks that could conflict with it, the closest in time first.
fn around(ground: &Ground, tasks: &[Task], movable: &[usize]) -> Vec<Vec<usize>> {
    let reach: Vec<_> = tasks.iter().map(|task| reach(ground, task)).collect();
    let start = |task: usize| {
        let Task { choices, first, .. } = &tasks[task];
        choices.get(first.unwrap_or(choices.len() / 2)).map(|choice| choice.starts_at)
    };
    let away = |one: usize, other: usize| match (start(one), start(other)) {
        (Some(one), Some(two)) => one.duration_since(two).abs(),
        _ => SignedDuration::MAX,
    };
    let of = |task: usize| {
        let meets = |other: &&usize| **other != task && meet(&reach[task], &reach[**other]);
        let mut others: Vec<usize> = movable.iter().filter(meets).copied().collect();
        others.sort_by_key(|other| (away(task, *other), *other));
        others
    };
    (0..tasks.len()).map(of).collect()
}

/// All that a task could occupy, by subject.
fn reach(ground: &Ground, task: &Task) -> Vec<DaySlots> {
    let mut all = vec![DaySlots::default(); ground.taken.len()];
    for Choice { rows, needs, .. } in &task.choices {
        rows.iter().for_each(|(subject, slots)| all[*subject].add(slots));
        needs.iter().for_each(|need| need.seats.iter().for_each(|seat| all[*seat].add(&need.slots)));
    }
    all
}

fn meet(one: &[DaySlots], other: &[DaySlots]) -> bool {
    one.iter().zip(other).any(|(one, other)| one.meets(other))
}
