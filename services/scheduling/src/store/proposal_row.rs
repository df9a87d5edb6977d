//! Proposals and their lines as rows.

use chrono::{DateTime, NaiveDate, Utc};
use database::{Named, from_db, named};
use engine::{
    id::{CustomerId, EmployeeId, ProposalId, ProposalLineId, TimeOffId, VisitId, WaitlistEntryId},
    optimiser::Gain,
    proposal::{Cause, Change, End, Line, LineState, Optimisation, Place, Proposal, Since, State},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::day::civil;
use crate::Error;

/// A proposal with what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredProposal {
    /// The proposal; in a list, without its lines.
    pub proposal: Proposal,
    /// How many lines it has.
    pub line_count: i64,
    /// How many of them are not applied and still fit.
    pub open_line_count: i64,
    /// How many of these have a place to go to.
    pub applicable_line_count: i64,
    /// What goes with each line.
    pub parties: Vec<LineParty>,
}

/// Whom a line is about, and what happened since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineParty {
    /// `None` for a walk-in without a name.
    pub customer: Option<CustomerId>,
    /// Empty while they are not known here.
    pub name: String,
    /// E.164.
    pub phone: String,
    /// Of a line that is not applied: what it no longer fits for.
    pub since: Option<Since>,
}

#[derive(FromQueryResult)]
pub(crate) struct ProposalRow {
    id: Uuid,
    day: NaiveDate,
    cause: String,
    employee_id: Option<Uuid>,
    time_off_id: Option<Uuid>,
    appointment_id: Option<Uuid>,
    minutes: Option<i16>,
    seed: Option<i64>,
    input_hash: Option<String>,
    cost_before: Option<i64>,
    cost_after: Option<i64>,
    moves_tried: Option<i64>,
    is_reproducible: Option<bool>,
    gained_minutes: Option<i64>,
    gained_minor: Option<i64>,
    currency: Option<String>,
    state: String,
    created_by: String,
    created_at: DateTime<Utc>,
    closed_by: Option<String>,
    closed_at: Option<DateTime<Utc>>,
    version: i64,
    line_count: i64,
    open_line_count: i64,
    applicable_line_count: i64,
}

#[derive(FromQueryResult)]
pub(crate) struct LineRow {
    id: Uuid,
    change: String,
    appointment_id: Option<Uuid>,
    waitlist_entry_id: Option<Uuid>,
    seen_version: i64,
    from_starts_at: Option<DateTime<Utc>>,
    from_ends_at: Option<DateTime<Utc>>,
    from_employee_ids: Option<Vec<Uuid>>,
    to_starts_at: Option<DateTime<Utc>>,
    to_ends_at: Option<DateTime<Utc>>,
    to_employee_ids: Option<Vec<Uuid>>,
    applied_by: Option<String>,
    applied_at: Option<DateTime<Utc>>,
    customer_name: Option<String>,
    customer_phone: Option<String>,
    customer_id: Option<Uuid>,
    entry_state: Option<String>,
}

impl ProposalRow {
    fn cause(&mut self) -> Option<Cause> {
        match self.cause.as_str() {
            "ABSENCE" => Some(Cause::Absence {
                employee: EmployeeId(self.employee_id?),
                time_off: TimeOffId(self.time_off_id?),
            }),
            "DELAY" => Some(Cause::Delay {
                visit: VisitId(self.appointment_id?),
                minutes: u16::try_from(self.minutes?).ok()?,
            }),
            "OPTIMISATION" => Some(Cause::Optimisation(Optimisation {
                seed: self.seed?,
                input_hash: self.input_hash.take()?,
                cost_before: self.cost_before?,
                cost_after: self.cost_after?,
                moves_tried: self.moves_tried?,
                reproducible: self.is_reproducible?,
                gain: Gain {
                    minutes: self.gained_minutes?,
                    minor: self.gained_minor?,
                    currency: self.currency.take()?,
                },
            })),
            _ => None,
        }
    }

    fn state(&mut self) -> Option<State> {
        match (self.state.as_str(), end(self.closed_at, self.closed_by.take())) {
            ("OPEN", None) => Some(State::Open),
            ("APPLIED", Some(end)) => Some(State::Applied(end)),
            ("DISMISSED", Some(end)) => Some(State::Dismissed(end)),
            _ => None,
        }
    }
}

impl TryFrom<ProposalRow> for StoredProposal {
    type Error = Error;
    fn try_from(mut row: ProposalRow) -> Result<Self, Error> {
        let stored = || Error::Stored("proposal");
        let proposal = Proposal {
            id: ProposalId(row.id),
            date: civil(row.day)?,
            cause: row.cause().ok_or_else(stored)?,
            lines: vec![],
            state: row.state().ok_or_else(stored)?,
            created_by: row.created_by,
            created_at: from_db(row.created_at),
            version: row.version,
        };
        Ok(Self {
            proposal,
            line_count: row.line_count,
            open_line_count: row.open_line_count,
            applicable_line_count: row.applicable_line_count,
            parties: vec![],
        })
    }
}

impl LineRow {
    fn change(&mut self) -> Option<Change> {
        let from = place(self.from_starts_at, self.from_ends_at, self.from_employee_ids.take());
        let to = place(self.to_starts_at, self.to_ends_at, self.to_employee_ids.take());
        let visit = self.appointment_id.map(VisitId);
        match (self.change.as_str(), self.waitlist_entry_id.map(WaitlistEntryId)) {
            ("MOVE", None) => Some(Change::Move { visit: visit?, from: from?, to: to? }),
            ("EXTENSION", None) => Some(Change::Extension { visit: visit?, from: from?, to: to? }),
            ("UNPLACED", None) => Some(Change::Unplaced { visit: visit?, from: from? }),
            ("BOOKING", Some(entry)) => Some(Change::Booking { entry, to: to? }),
            _ => None,
        }
    }
}

impl TryFrom<LineRow> for (Line, LineParty) {
    type Error = Error;
    fn try_from(mut row: LineRow) -> Result<Self, Error> {
        let line = Line {
            id: ProposalLineId(row.id),
            change: row.change().ok_or(Error::Stored("line of a proposal"))?,
            seen: row.seen_version,
            state: end(row.applied_at, row.applied_by).map_or(LineState::Open, LineState::Applied),
        };
        let has_left = row.entry_state.is_some_and(|state| state != "WAITING");
        let party = LineParty {
            customer: row.customer_id.map(CustomerId),
            name: row.customer_name.unwrap_or_default(),
            phone: row.customer_phone.unwrap_or_default(),
            since: (has_left && line.state == LineState::Open).then_some(Since::NotWaiting),
        };
        Ok((line, party))
    }
}

fn end(at: Option<DateTime<Utc>>, by: Option<String>) -> Option<End> {
    Some(End { at: from_db(at?), by: by? })
}

fn place(
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
    employees: Option<Vec<Uuid>>,
) -> Option<Place> {
    Some(Place {
        starts_at: from_db(starts_at?),
        ends_at: from_db(ends_at?),
        employees: employees?.into_iter().map(EmployeeId).collect(),
    })
}

/// A cause's name and the columns of all causes.
pub(crate) fn cause_columns(cause: &Cause) -> Named {
    let (name, absence, delay, optimisation) = match cause {
        Cause::Absence { employee, time_off } => ("ABSENCE", Some((employee, time_off)), None, None),
        Cause::Delay { visit, minutes } => ("DELAY", None, Some((visit, *minutes)), None),
        Cause::Optimisation(optimisation) => ("OPTIMISATION", None, None, Some(optimisation)),
    };
    named! {
        cause: name,
        employee_id: absence.map(|(employee, _)| employee.0),
        time_off_id: absence.map(|(_, time_off)| time_off.0),
        appointment_id: delay.map(|(visit, _)| visit.0),
        minutes: delay.map(|(_, minutes)| minutes.cast_signed()),
        seed: optimisation.map(|optimisation| optimisation.seed),
        input_hash: optimisation.map(|optimisation| optimisation.input_hash.as_str()),
        cost_before: optimisation.map(|optimisation| optimisation.cost_before),
        cost_after: optimisation.map(|optimisation| optimisation.cost_after),
        moves_tried: optimisation.map(|optimisation| optimisation.moves_tried),
        is_reproducible: optimisation.map(|optimisation| optimisation.reproducible),
        gained_minutes: optimisation.map(|optimisation| optimisation.gain.minutes),
        gained_minor: optimisation.map(|optimisation| optimisation.gain.minor),
        currency: optimisation.map(|optimisation| optimisation.gain.currency.as_str()),
    }
}

pub(crate) fn change_name(change: &Change) -> &'static str {
    match change {
        Change::Move { .. } => "MOVE",
        Change::Extension { .. } => "EXTENSION",
        Change::Unplaced { .. } => "UNPLACED",
        Change::Booking { .. } => "BOOKING",
    }
}

/// A state's name and what ended it.
pub(crate) fn end_of(state: &State) -> (&'static str, Option<&End>) {
    match state {
        State::Open => ("OPEN", None),
        State::Applied(end) => ("APPLIED", Some(end)),
        State::Dismissed(end) => ("DISMISSED", Some(end)),
    }
}
