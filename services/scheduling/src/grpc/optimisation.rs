//! Better days, as the contract has them.

use std::collections::HashSet;

use engine::{
    id::VisitId,
    optimiser::{Cost, MAX_AGREED_MINUTES},
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
    app::{BetterDay, DayRequest},
    contract::FromEngine,
};

const MOST_AGREED: usize = 200;

pub(super) fn day_request(request: &OptimiseDayRequest) -> Result<DayRequest, Status> {
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
    Ok(DayRequest { date, agreed, with_waitlist: request.include_waitlist })
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

impl From<&BetterDay> for OptimiseDayResponse {
    fn from(better: &BetterDay) -> Self {
        let BetterDay { outcome, .. } = better;
        let cause = Cause::Optimisation(better.optimisation());
        let run = match proposal::Cause::from_engine(&cause) {
            proposal::Cause::Optimisation(run) => Some(run),
            proposal::Cause::Absence(_) | proposal::Cause::Delay(_) => None,
        };
        let (before, after) =
            (pb::DayCost::from_engine(outcome.before), pb::DayCost::from_engine(outcome.after));
        Self { proposal: None, run, before: Some(before), after: Some(after) }
    }
}
