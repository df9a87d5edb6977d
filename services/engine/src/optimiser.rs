//! Optimises a day: moves visits slightly to close gaps, gives the visits of an absent employee to
//! colleagues, and books waiting customers. The result is a proposal and is never applied by itself.
//!
//! The optimiser searches for the day of least [`Cost`]. A visit that keeps its employees may move by
//! up to 15 minutes, or by as much as its customer agreed to, in steps of five minutes; its services
//! stay with the same employees. If an employee is away, any employee who does the services may take
//! them. Everything else stays where it is. Every placement is one that a booking could have too.
//!
//! The same input, seed and number of tries give the same answer on every machine; a run that was
//! ended by the clock says that it need not.

mod board;
mod choice;
mod cost;
mod gain;
mod ground;
mod input;
mod proposing;
mod search;

use serde::{Deserialize, Serialize};

pub use choice::Who;
pub use cost::{Cost, WORTH_A_CALL};
pub use gain::Gain;
pub use input::{
    Facts, Hours, Input, MAX_AGREED_MINUTES, NOTICE, Place, Seat, TOLERANCE_MINUTES, Visit, Waiting,
};
pub use proposing::{DateError, may_optimise};

use self::{board::Board, choice::Choice, ground::Ground, search::Search};
use super::{id::SubjectId, visit::Placement};

/// Moves that are tried for each who may be moved or served.
const TRIES_EACH: usize = 200;
/// Fewest moves that are tried, and most.
const TRIES: core::ops::RangeInclusive<u32> = 2_000..=20_000;

/// How to look for a better day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Where the random numbers begin.
    pub seed: u64,
    /// How many moves to try.
    pub tries: u32,
}

impl Run {
    /// As many moves as the day deserves.
    #[must_use]
    pub fn of(input: &Input, seed: u64) -> Self {
        let tries = u32::try_from((input.visits.len() + input.waiting.len()) * TRIES_EACH);
        Self { seed, tries: tries.unwrap_or(u32::MAX).clamp(*TRIES.start(), *TRIES.end()) }
    }
}

/// A visit that gets another time or another employee, or a waiting customer who gets a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Who.
    pub who: Who,
    /// How the visit is placed.
    pub placement: Placement,
}

/// The best day that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What the day costs as it is.
    pub before: Cost,
    /// What it would cost.
    pub after: Cost,
    /// How many moves were tried.
    pub tried: u32,
    /// Whether the same run gives the same answer: it was not ended by the clock.
    pub is_reproducible: bool,
    /// Who is touched, by the new starts.
    pub changes: Vec<Change>,
}

/// Looks for a better day until enough moves were tried or it `is_late`, which is asked now and then.
#[must_use]
pub fn optimise(input: &Input, run: Run, is_late: impl FnMut() -> bool) -> Outcome {
    let ground = Ground::of(input);
    let tasks = choice::tasks(&ground, &input.visits, &input.waiting);
    let mut board = Board::new(&ground, &tasks);
    let before = board.cost();
    let end = Search::new(&mut board, run.seed).run(run.tries, is_late);
    let mut changes: Vec<Change> = (0..tasks.len()).filter_map(|task| change(&board, task)).collect();
    changes.sort_by_key(|change| (change.placement.starts_at, change.who));
    let (after, tried, is_reproducible) = (board.cost(), end.tried, !end.was_cut);
    Outcome { before, after, tried, is_reproducible, changes }
}

fn change(board: &Board<'_>, task: usize) -> Option<Change> {
    let laid = board.laid()[task].as_ref()?;
    let Choice { needs, placement, .. } = board.choice(task)?;
    let mut placement = placement.clone()?;
    let seats = needs.iter().zip(&laid.seats);
    let seats: Vec<_> = seats.map(|(need, seat)| (need.placed_on, board.ground().resource(*seat))).collect();
    let instead = |id| seats.iter().find(|(placed_on, _)| *placed_on == id).map(|(_, seat)| *seat);
    for resource in placement.items.iter_mut().flat_map(|item| &mut item.resources) {
        *resource = instead(*resource).unwrap_or(*resource);
    }
    for row in &mut placement.occupied {
        row.subject = instead(row.subject.0.into()).map_or(row.subject, SubjectId::from);
    }
    Some(Change { who: board.tasks()[task].who, placement })
}

#[cfg(test)]
mod tests;
