//! How a series repeats, as the contract has it.

use engine::{
    schedule::Schedule,
    series::{Cadence, Change, MAX_EVERY, MAX_OCCURRENCES, MIN_OCCURRENCES, Recurrence},
};
use proto::{
    error::{Reason, invalid},
    frontdesk::scheduling::v1 as pb,
    time::to_proto,
};
use tonic::Status;

use super::fields;
use crate::{app::Outlook, contract::offer, error::reason, store::StoredSeries};

pub(super) fn recurrence(recurrence: Option<pb::Recurrence>) -> Result<Recurrence, Status> {
    let recurrence = recurrence.ok_or_else(|| invalid("recurrence", "is required"))?;
    let cadence = match recurrence.cadence() {
        pb::Cadence::Unspecified => Err(invalid("recurrence.cadence", "is required")),
        pb::Cadence::Weekly => Ok(Cadence::Weekly),
        pb::Cadence::Monthly => Ok(Cadence::Monthly),
        pb::Cadence::MonthlyByWeekday => Ok(Cadence::MonthlyByWeekday),
    };
    let within = |number, least, most| u8::try_from(number).ok().filter(|one| (least..=most).contains(one));
    let every = within(recurrence.every.max(i32::from(recurrence.every == 0)), 1, MAX_EVERY);
    let count = within(recurrence.count, MIN_OCCURRENCES, MAX_OCCURRENCES);
    Ok(Recurrence {
        cadence: cadence?,
        every: every.ok_or_else(|| invalid("recurrence.every", "must be 1 to 12, or 0"))?,
        count: count.ok_or_else(|| invalid("recurrence.count", "must be 2 to 52"))?,
    })
}

pub(super) fn changes(changes: &[pb::OccurrenceChange]) -> Result<Vec<Change>, Status> {
    if changes.len() > usize::from(MAX_OCCURRENCES) {
        return Err(invalid("changes", "must be at most 52"));
    }
    let change = |(index, change): (usize, &pb::OccurrenceChange)| {
        let field = format!("changes[{index}].starts_at");
        let starts_at = change.starts_at.as_ref().map(|at| fields::step(&field, Some(at))).transpose()?;
        // What does not fit is no visit's number either.
        Ok(Change { number: u8::try_from(change.number).unwrap_or(0), starts_at })
    };
    changes.iter().enumerate().map(change).collect()
}

impl From<&StoredSeries> for pb::Series {
    fn from(stored: &StoredSeries) -> Self {
        let Recurrence { cadence, every, count } = stored.series.recurrence;
        let cadence = match cadence {
            Cadence::Weekly => pb::Cadence::Weekly,
            Cadence::Monthly => pb::Cadence::Monthly,
            Cadence::MonthlyByWeekday => pb::Cadence::MonthlyByWeekday,
        };
        let recurrence = pb::Recurrence { cadence: cadence.into(), every: every.into(), count: count.into() };
        Self {
            id: stored.series.id.to_string(),
            recurrence: Some(recurrence),
            appointments: stored.appointments.iter().map(pb::Appointment::from).collect(),
            booked_at: Some(to_proto(stored.series.booked_at)),
        }
    }
}

/// What a visit of a series could have, by the names of `schedule`.
pub(super) fn planned_occurrence(outlook: &Outlook, schedule: &Schedule) -> pb::PlannedOccurrence {
    let Outlook { planned, placement, nearest } = outlook;
    pb::PlannedOccurrence {
        number: planned.number.into(),
        date: planned.date.to_string(),
        starts_at: planned.starts_at.map(to_proto),
        offer: placement.as_ref().ok().map(|placement| offer(placement, schedule)),
        reason: placement.as_ref().err().map_or(Reason::Unspecified, |refusal| reason(*refusal)).into(),
        nearest: nearest.as_ref().map(|placement| offer(placement, schedule)),
    }
}
