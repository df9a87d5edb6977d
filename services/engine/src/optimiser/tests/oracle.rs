//! What the best day costs, said anew: by minutes and rows instead of bits, with an exact solver.

use core::ops::ControlFlow;
use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use pumpkin_conflict_resolvers::resolvers::ResolutionResolver;
use pumpkin_core::{
    DefaultBrancher, Solver,
    optimisation::{OptimisationDirection, linear_sat_unsat::LinearSatUnsat},
    results::{OptimisationResult, ProblemSolution, SolutionReference},
    termination::Indefinite,
    variables::{Literal, TransformableVariable},
};

use crate::{
    id::{CustomerId, ResourceId, SubjectId},
    optimiser::{
        Input, Outcome, Place,
        choice::{self, Task, Who},
        ground::Ground,
    },
    span::Span,
    visit::Placement,
};

const STEP: SignedDuration = SignedDuration::from_mins(5);

/// One way to lay a visit down, its chairs included.
#[derive(Debug, Clone)]
struct Way {
    rows: Vec<(SubjectId, Span)>,
    price: i64,
}

/// What may be laid down.
#[derive(Debug)]
struct Piece {
    ways: Vec<Way>,
    /// What it costs to leave it out, where that may be.
    without: Option<i64>,
}

/// A day as the oracle sees it.
#[derive(Debug)]
pub struct Oracle<'a> {
    input: &'a Input,
    pieces: Vec<Piece>,
}

fn overlap(one: &[(SubjectId, Span)], other: &[(SubjectId, Span)]) -> bool {
    one.iter().any(|(who, span)| other.iter().any(|(whom, taken)| who == whom && span.overlaps(*taken)))
}

impl<'a> Oracle<'a> {
    pub fn of(input: &'a Input) -> Self {
        let ground = Ground::of(input);
        let tasks = choice::tasks(&ground, &input.visits, &input.waiting);
        let pieces = tasks.iter().map(|task| Self::piece(input, task)).collect();
        Self { input, pieces }
    }

    fn piece(input: &Input, task: &Task) -> Piece {
        let placed = || task.choices.iter().filter_map(|choice| choice.placement.as_ref());
        match task.who {
            Who::Visit(id) => {
                let visit = input.visits.iter().find(|visit| visit.id == id).unwrap();
                let was_at = visit.span.starts_at();
                let ways = placed().flat_map(|placed| {
                    ways(input, placed, visit.customer, of_move(was_at, placed.starts_at))
                });
                match &visit.place {
                    Place::Stranded => Piece { ways: ways.collect(), without: Some(1000) },
                    Place::Kept(rows) => {
                        let rows = with_customer(input, rows.clone(), visit.customer, visit.span);
                        let stays = Way { rows, price: 0 };
                        Piece { ways: [stays].into_iter().chain(ways).collect(), without: None }
                    }
                }
            }
            Who::Waiting(id) => {
                let waiting = input.waiting.iter().find(|waiting| waiting.id == id).unwrap();
                let ways =
                    placed().flat_map(|placed| ways(input, placed, Some(waiting.customer), -minutes(placed)));
                Piece { ways: ways.collect(), without: Some(0) }
            }
        }
    }

    /// Minutes that lie in gaps too short, when these rows are taken beside what stays.
    fn lost(&self, rows: &[(SubjectId, Span)]) -> i64 {
        let steps = self.steps();
        self.steps_free(&steps)
            .map(|(who, could)| {
                let is_free = |at: &Timestamp| {
                    could[at] && !rows.iter().any(|(whom, span)| *whom == who && span.overlaps(step(*at)))
                };
                let mut lost = 0;
                let mut run = 0;
                for at in steps.iter().filter(|at| **at >= self.input.from).map(Some).chain([None]) {
                    if at.is_some_and(is_free) {
                        run += 5;
                    } else {
                        lost += if run < i64::from(self.input.shortest_minutes) { run } else { 0 };
                        run = 0;
                    }
                }
                lost
            })
            .sum()
    }

    /// The five minutes of the day.
    fn steps(&self) -> Vec<Timestamp> {
        let zone = &self.input.zone;
        let midnight = zone.to_timestamp(self.input.date.at(0, 0, 0, 0)).unwrap();
        (0..288).map(|step| midnight + STEP * step).collect()
    }

    /// In which of them each employee could do something.
    fn steps_free<'b>(
        &'b self,
        steps: &'b [Timestamp],
    ) -> impl Iterator<Item = (SubjectId, BTreeMap<Timestamp, bool>)> + 'b {
        self.input.employees.iter().map(|(employee, hours)| {
            let could = |at: &Timestamp| {
                let works = hours.works.iter().any(|works| works.overlaps(step(*at)));
                let taken = hours.taken.iter().any(|taken| taken.overlaps(step(*at)));
                (*at, *at >= self.input.from && works && !taken)
            };
            ((*employee).into(), steps.iter().map(could).collect())
        })
    }

    fn rows_as_it_is(&self) -> Vec<(SubjectId, Span)> {
        let kept = self.pieces.iter().filter(|piece| piece.without.is_none());
        kept.flat_map(|piece| piece.ways[0].rows.clone()).collect()
    }

    /// What the best of all days costs, by trying them all.
    pub fn by_trying(&self) -> i64 {
        fn best(oracle: &Oracle<'_>, from: usize, rows: &[(SubjectId, Span)], price: i64) -> Option<i64> {
            let Some(piece) = oracle.pieces.get(from) else { return Some(price + oracle.lost(rows)) };
            let out = piece.without.and_then(|without| best(oracle, from + 1, rows, price + without));
            let laid = piece
                .ways
                .iter()
                .filter(|way| !overlap(&way.rows, rows))
                .filter_map(|way| best(oracle, from + 1, &[rows, &way.rows].concat(), price + way.price));
            laid.chain(out).min()
        }
        best(self, 0, &[], 0).unwrap()
    }

    /// What the day costs with these rows, where others than who is named stay or are left out.
    pub fn cost_of(&self, rows: &BTreeMap<Who, Vec<(SubjectId, Span)>>, outcome: &Outcome) -> i64 {
        let taken: Vec<_> = rows.values().flatten().copied().collect();
        let change = |who: Who| outcome.changes.iter().find(|change| change.who == who);
        let visits =
            self.input.visits.iter().map(|visit| match (change(Who::Visit(visit.id)), &visit.place) {
                (Some(change), _) => of_move(visit.span.starts_at(), change.placement.starts_at),
                (None, Place::Kept(_)) => 0,
                (None, Place::Stranded) => 1000,
            });
        let waiting = self.input.waiting.iter().filter_map(|waiting| change(Who::Waiting(waiting.id)));
        self.lost(&taken) + visits.sum::<i64>()
            - waiting.map(|change| minutes(&change.placement)).sum::<i64>()
    }

    /// How many days there are to try.
    pub fn days(&self) -> usize {
        self.pieces.iter().map(|piece| piece.ways.len() + usize::from(piece.without.is_some())).product()
    }

    /// The same by an exact solver.
    pub fn best(&self) -> i64 {
        let mut solver = Solver::default();
        let tag = solver.new_constraint_tag();
        let mut terms: Vec<(i32, Literal)> = vec![];
        let mut constant = 0;
        let mut chosen: Vec<(usize, Literal, &Way)> = vec![];
        for (index, piece) in self.pieces.iter().enumerate() {
            let ways: Vec<_> = piece.ways.iter().map(|way| (index, solver.new_literal(), way)).collect();
            let without = piece.without.unwrap_or(0);
            constant += without;
            terms.extend(ways.iter().map(|(_, chosen, way)| ((way.price - without) as i32, *chosen)));
            if piece.without.is_none() {
                solver.add_clause(ways.iter().map(|(_, chosen, _)| chosen.get_true_predicate()), tag);
            }
            chosen.extend(ways);
        }
        // One way each, and none in another's.
        for (two, (piece, second, way)) in chosen.iter().enumerate() {
            for (other, first, known) in &chosen[..two] {
                if piece == other || overlap(&known.rows, &way.rows) {
                    solver.add_clause([first.get_false_predicate(), second.get_false_predicate()], tag);
                }
            }
        }
        self.count_lost(&mut solver, &chosen, &mut terms);
        // No day costs less than all that lowers the price, nor need it cost more than as it is.
        let least: i32 = terms.iter().map(|(weight, _)| (*weight).min(0)).sum();
        let as_it_is = constant + self.lost(&self.rows_as_it_is());
        let objective = solver.new_bounded_integer(constant as i32 + least, as_it_is as i32);
        let sum = terms
            .iter()
            .filter(|(weight, _)| *weight != 0)
            .map(|(weight, literal)| literal.get_integer_variable().scaled(*weight));
        let sum: Vec<_> = sum.chain([objective.scaled(-1)]).collect();
        solver.add_constraint(pumpkin_constraints::less_than_or_equals(sum, -(constant as i32), tag)).post();
        let mut brancher = solver.default_brancher();
        let mut resolver = ResolutionResolver::default();
        let go_on = |_: &Solver, _: SolutionReference<'_>, _: &DefaultBrancher, _: &ResolutionResolver| {
            ControlFlow::<()>::Continue(())
        };
        let procedure = LinearSatUnsat::new(OptimisationDirection::Minimise, objective, go_on);
        match solver.optimise(&mut brancher, &mut Indefinite, &mut resolver, procedure) {
            OptimisationResult::Optimal(best) => best.get_integer_value(objective).into(),
            _ => panic!("every day is a solution as it is"),
        }
    }

    /// Five minutes that are free are lost, unless they lie in a stretch that is free throughout and
    /// long enough.
    fn count_lost(
        &self,
        solver: &mut Solver,
        chosen: &[(usize, Literal, &Way)],
        terms: &mut Vec<(i32, Literal)>,
    ) {
        let steps = self.steps();
        let length = usize::from(self.input.shortest_minutes / 5);
        for (who, could) in self.steps_free(&steps) {
            let covers = |at: Timestamp| {
                let takes = move |way: &Way| {
                    way.rows.iter().any(|(whom, span)| *whom == who && span.overlaps(step(at)))
                };
                chosen.iter().filter(move |(_, _, way)| takes(way)).map(|(_, literal, _)| *literal)
            };
            let mut stretches: Vec<(usize, Literal)> = vec![];
            for from in 0..=steps.len() - length {
                if steps[from..from + length].iter().all(|at| could[at]) {
                    let covering = steps[from..from + length].iter().flat_map(|at| covers(*at));
                    stretches.push((from, none_of(solver, covering)));
                }
            }
            for (index, at) in steps.iter().enumerate().filter(|(_, at)| could[at]) {
                let around = stretches.iter().filter(|(from, _)| (*from..from + length).contains(&index));
                let excuses = around.map(|(_, is_free)| *is_free).chain(covers(*at));
                let is_lost = none_of(solver, excuses);
                terms.push((5, is_lost));
            }
        }
    }
}

/// Whether none of these holds.
fn none_of(solver: &mut Solver, these: impl Iterator<Item = Literal>) -> Literal {
    let tag = solver.new_constraint_tag();
    let none = solver.new_literal();
    let mut any = vec![none.get_true_predicate()];
    for one in these {
        solver.add_clause([none.get_false_predicate(), one.get_false_predicate()], tag);
        any.push(one.get_true_predicate());
    }
    solver.add_clause(any, tag);
    none
}

fn minutes(placed: &Placement) -> i64 {
    placed.ends_at.duration_since(placed.starts_at).as_mins()
}

fn of_move(from: Timestamp, to: Timestamp) -> i64 {
    15 + to.duration_since(from).as_mins().abs() / 5
}

fn step(at: Timestamp) -> Span {
    Span::new(at, at + STEP).unwrap()
}

fn with_customer(
    input: &Input,
    mut rows: Vec<(SubjectId, Span)>,
    customer: Option<CustomerId>,
    whole: Span,
) -> Vec<(SubjectId, Span)> {
    let twice = customer.filter(|customer| input.customers.contains_key(customer));
    rows.extend(twice.map(|customer| (SubjectId(customer.0), whole)));
    rows
}

/// A placement on every chair that it could have instead.
fn ways(input: &Input, placed: &Placement, customer: Option<CustomerId>, price: i64) -> Vec<Way> {
    let mut seats: Vec<ResourceId> = placed.items.iter().flat_map(|item| item.resources.clone()).collect();
    seats.sort_unstable();
    seats.dedup();
    let mut all: Vec<Vec<(SubjectId, Span)>> =
        vec![placed.occupied.iter().map(|row| (row.subject, row.during)).collect()];
    all[0].retain(|(subject, _)| !seats.contains(&ResourceId(subject.0)));
    for seat in seats {
        let rows = placed.occupied.iter().filter(|row| row.subject == seat.into());
        let spans: Vec<_> = rows.map(|row| row.during).collect();
        let alike = input.resources.iter().filter(|(_, other)| other.kind == input.resources[&seat].kind);
        let free = alike.filter(|(_, other)| {
            !spans.iter().any(|span| other.taken.iter().any(|taken| taken.overlaps(*span)))
        });
        let free: Vec<_> = free.map(|(id, _)| *id).collect();
        let on = |rows: &Vec<(SubjectId, Span)>, id: &ResourceId| {
            let mine: Vec<_> = spans.iter().map(|span| (SubjectId::from(*id), *span)).collect();
            (!overlap(rows, &mine)).then(|| [rows.as_slice(), &mine].concat())
        };
        all = all
            .iter()
            .flat_map(|rows| free.iter().filter_map(|id| on(rows, id)).collect::<Vec<_>>())
            .collect();
    }
    let whole = Span::new(placed.starts_at, placed.ends_at).unwrap();
    let way = |rows| Way { rows: with_customer(input, rows, customer, whole), price };
    all.into_iter().map(way).collect()
}
