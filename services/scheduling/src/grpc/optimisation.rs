//! Working out a better day, one of a business at a time.

use core::time::Duration;
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use caller::BusinessId;
use engine::{
    id::VisitId,
    optimiser::{Cost, MAX_AGREED_MINUTES, Outcome, Run, optimise},
    proposal::Cause,
    slots::SLOT_MINUTES,
};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{self as pb, OptimiseDayRequest, OptimiseDayResponse, proposal},
    parse::id,
};
use tonic::Status;

use super::fields;
use crate::{
    Error,
    app::{DayWish, OptimisableDay},
    contract::FromEngine,
};

/// Longest that one day is worked on.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Most days that are worked on at once, of all businesses.
const MOST_AT_ONCE: usize = 4;
const MOST_AGREED: usize = 200;

/// Whose day is being worked on.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns(Arc<Mutex<HashSet<BusinessId>>>);

/// A business's turn, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    turns: Turns,
    business: BusinessId,
}

impl Turns {
    pub(super) fn take(&self, business: BusinessId) -> Result<Turn, Error> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() < MOST_AT_ONCE && taken.insert(business) {
            Ok(Turn { turns: self.clone(), business })
        } else {
            Err(Error::Optimising)
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.business);
    }
}

/// A better day, and how it was found.
#[derive(Debug)]
pub(super) struct Better {
    pub(super) day: OptimisableDay,
    pub(super) run: Run,
    pub(super) outcome: Outcome,
}

/// Runs the optimiser on a blocking thread.
pub(super) async fn better(day: OptimisableDay, seed: u64, turn: Turn) -> Result<Better, Status> {
    let run = Run::of(&day.input, seed);
    let search = move || {
        let until = Instant::now() + MOST_TIME;
        let outcome = optimise(&day.input, run, || Instant::now() >= until);
        drop(turn);
        Better { day, run, outcome }
    };
    tokio::task::spawn_blocking(search).await.map_err(|_| Status::internal("an internal error"))
}

pub(super) fn day_wish(request: &OptimiseDayRequest) -> Result<DayWish, Status> {
    let date = fields::optional_date("date", &request.date)?;
    let date = date.ok_or_else(|| invalid("date", "is required"))?;
    if request.agreed.len() > MOST_AGREED {
        return Err(invalid("agreed", "must be at most 200"));
    }
    let mut seen = HashSet::new();
    let agreement = |(index, agreement): (usize, &pb::Agreement)| {
        let field = |name: &str| format!("agreed[{index}].{name}");
        let visit: VisitId = id(&field("appointment_id"), &agreement.appointment_id)?;
        if !seen.insert(visit) {
            return Err(invalid(&field("appointment_id"), "names a visit twice"));
        }
        let fits = |minutes: &u16| {
            (SLOT_MINUTES..=MAX_AGREED_MINUTES).contains(minutes) && minutes.is_multiple_of(SLOT_MINUTES)
        };
        let minutes = u16::try_from(agreement.minutes).ok().filter(fits);
        let problem = || invalid(&field("minutes"), "must be a multiple of 5, from 5 to 240");
        Ok((visit, minutes.ok_or_else(problem)?))
    };
    let agreed = request.agreed.iter().enumerate().map(agreement).collect::<Result<_, Status>>()?;
    Ok(DayWish { date, agreed, with_waitlist: request.include_waitlist })
}

/// The seed that was asked for, or one that is drawn: a positive number.
pub(super) fn seed(seed: i64) -> Result<u64, Status> {
    let drawn = || u64::from_le_bytes(boot::random::bytes()) >> 1;
    match u64::try_from(seed) {
        Ok(0) => Ok(drawn().max(1)),
        Ok(seed) => Ok(seed),
        Err(_) => Err(invalid("seed", "must not be negative")),
    }
}

impl FromEngine<Cost> for pb::DayCost {
    fn from_engine(cost: Cost) -> Self {
        Self {
            total: cost.total(),
            lost_minutes: cost.lost_minutes,
            touched: cost.touched,
            moved_minutes: cost.moved_minutes,
            unplaced: cost.unplaced,
            served_minutes: cost.served_minutes,
        }
    }
}

impl From<&Better> for OptimiseDayResponse {
    fn from(better: &Better) -> Self {
        let Better { day, run, outcome } = better;
        let cause = Cause::Optimisation(outcome.optimisation(&day.input, *run));
        let run = match proposal::Cause::from_engine(&cause) {
            proposal::Cause::Optimisation(run) => Some(run),
            proposal::Cause::Absence(_) | proposal::Cause::Delay(_) => None,
        };
        let (before, after) =
            (pb::DayCost::from_engine(outcome.before), pb::DayCost::from_engine(outcome.after));
        Self { proposal: None, run, before: Some(before), after: Some(after) }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_business_has_one_turn_and_all_of_them_four() {
        let turns = Turns::default();
        let take = |number| turns.take(BusinessId(Uuid::from_u128(number)));
        let first = take(1).unwrap();
        assert!(matches!(take(1), Err(Error::Optimising)));
        let others: Vec<_> = (2..=4).map(|number| take(number).unwrap()).collect();
        assert!(matches!(take(5), Err(Error::Optimising)));
        drop(first);
        assert!(take(1).is_ok());
        drop(others);
    }
}
