//! Proposals as messages of the contract.

use engine::proposal::{Cause, Change, Line, LineState, Place, Since, State};
use proto::{
    frontdesk::scheduling::v1::{self as pb, proposal},
    time::to_proto,
};

use crate::{
    contract::FromEngine,
    store::{LineParty, StoredProposal},
};

/// Bounds keep all of them small.
fn small(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

impl FromEngine<&Cause> for proposal::Cause {
    fn from_engine(cause: &Cause) -> Self {
        match cause {
            Cause::Absence { employee, time_off } => Self::Absence(pb::AbsenceCause {
                employee_id: employee.to_string(),
                time_off_id: time_off.to_string(),
            }),
            Cause::Delay { visit, minutes } => {
                Self::Delay(pb::DelayCause { appointment_id: visit.to_string(), minutes: (*minutes).into() })
            }
            Cause::Optimisation(optimisation) => Self::Optimisation(pb::OptimisationCause {
                seed: optimisation.seed,
                input_hash: optimisation.input_hash.clone(),
                cost_before: optimisation.cost_before,
                cost_after: optimisation.cost_after,
                moves_tried: optimisation.moves_tried,
                reproducible: optimisation.reproducible,
                gained_minutes: optimisation.gain.minutes,
                gained_minor: optimisation.gain.minor,
                currency: optimisation.gain.currency.clone(),
            }),
        }
    }
}

impl FromEngine<&Change> for pb::ProposedChange {
    fn from_engine(change: &Change) -> Self {
        match change {
            Change::Move { .. } => Self::Move,
            Change::Extension { .. } => Self::Extension,
            Change::Unplaced { .. } => Self::Unplaced,
            Change::Booking { .. } => Self::Booking,
        }
    }
}

impl FromEngine<&Since> for pb::ProposedSince {
    fn from_engine(since: &Since) -> Self {
        match since {
            Since::Moved(_) => Self::Moved,
            Since::Cancelled => Self::Cancelled,
            Since::Begun => Self::Begun,
            Since::NotWaiting => Self::NotWaiting,
        }
    }
}

impl FromEngine<&Place> for pb::ProposedPlace {
    fn from_engine(place: &Place) -> Self {
        Self {
            starts_at: Some(to_proto(place.starts_at)),
            ends_at: Some(to_proto(place.ends_at)),
            employee_ids: place.employees.iter().map(ToString::to_string).collect(),
        }
    }
}

fn line(line: &Line, LineParty { customer, name, phone, since }: &LineParty) -> pb::ProposalLine {
    let (from, to) = (line.change.from(), line.change.to());
    let both = from.zip(to);
    pb::ProposalLine {
        id: line.id.to_string(),
        change: pb::ProposedChange::from_engine(&line.change).into(),
        appointment_id: line.change.visit().map(|visit| visit.to_string()).unwrap_or_default(),
        waitlist_entry_id: line.change.entry().map(|entry| entry.to_string()).unwrap_or_default(),
        customer_name: name.clone(),
        customer_phone: phone.clone(),
        seen_version: line.seen,
        from: from.map(pb::ProposedPlace::from_engine),
        to: to.map(pb::ProposedPlace::from_engine),
        shift_minutes: both.map_or(0, |(from, to)| small(from.shift_minutes(to))),
        employees_changed: both.map_or(0, |(from, to)| small(from.employees_changed(to))),
        is_applied: matches!(line.state, LineState::Applied(_)),
        since: since.as_ref().map_or(pb::ProposedSince::Unspecified, pb::ProposedSince::from_engine).into(),
        current: match since {
            Some(Since::Moved(place)) => Some(pb::ProposedPlace::from_engine(place)),
            Some(Since::Cancelled | Since::Begun | Since::NotWaiting) | None => None,
        },
        contact_hidden: false,
        customer_id: customer.map(|customer| customer.to_string()).unwrap_or_default(),
    }
}

impl From<&StoredProposal> for pb::Proposal {
    fn from(stored: &StoredProposal) -> Self {
        let StoredProposal { proposal, line_count, open_line_count, applicable_line_count, parties } = stored;
        let (state, end) = match &proposal.state {
            State::Open => (pb::ProposalState::Open, None),
            State::Applied(end) => (pb::ProposalState::Applied, Some(end)),
            State::Dismissed(end) => (pb::ProposalState::Dismissed, Some(end)),
        };
        Self {
            id: proposal.id.to_string(),
            date: proposal.date.to_string(),
            state: state.into(),
            cause: Some(proposal::Cause::from_engine(&proposal.cause)),
            lines: proposal.lines.iter().zip(parties).map(|(one, party)| line(one, party)).collect(),
            line_count: small(*line_count),
            open_line_count: small(*open_line_count),
            created_by: proposal.created_by.clone(),
            created_at: Some(to_proto(proposal.created_at)),
            closed_by: end.map(|end| end.by.clone()).unwrap_or_default(),
            closed_at: end.map(|end| to_proto(end.at)),
            version: proposal.version,
            applicable_line_count: small(*applicable_line_count),
        }
    }
}
