//! Proposals and their lines.

use std::collections::HashMap;

use database::{named, to_db};
use engine::{
    id::{ProposalId, ProposalLineId},
    proposal::{Line, LineState, Place, Proposal},
};
use jiff::civil::Date;
use proto::frontdesk::events::v1::{ProposalChanged, event::Payload};
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use super::{
    Tx,
    day::naive,
    proposal_row::{LineParty, LineRow, ProposalRow, StoredProposal, cause_columns, change_name, end_of},
};
use crate::Error;

/// Proposals chosen by a condition on `p`, with how many lines they have.
macro_rules! select_proposals {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.day, p.cause, p.employee_id, p.time_off_id, p.appointment_id, p.minutes, p.seed,
                p.input_hash, p.cost_before, p.cost_after, p.moves_tried, p.is_reproducible, p.gained_minutes,
                p.gained_minor, p.currency, p.state,
                p.created_by, p.created_at, p.closed_by, p.closed_at, p.version, n.line_count,
                n.open_line_count, n.applicable_line_count
            FROM proposal p CROSS JOIN LATERAL (
                SELECT count(*) AS line_count, count(*) FILTER (WHERE f.fits) AS open_line_count,
                    count(*) FILTER (WHERE f.fits AND l.change <> 'UNPLACED') AS applicable_line_count
                FROM proposal_line l
                LEFT JOIN appointment a ON a.business_id = :business_id AND a.id = l.appointment_id
                LEFT JOIN waitlist_entry w ON w.business_id = :business_id AND w.id = l.waitlist_entry_id
                -- As `Line::since` decides it.
                CROSS JOIN LATERAL (SELECT l.applied_at IS NULL AND CASE l.change
                    WHEN 'BOOKING' THEN w.state = 'WAITING'
                    ELSE a.state = ANY(CASE l.change WHEN 'EXTENSION' THEN ARRAY['IN_SERVICE']
                            ELSE ARRAY['BOOKED', 'CONFIRMED', 'ARRIVED'] END)
                        AND a.starts_at = l.from_starts_at AND a.ends_at = l.from_ends_at
                        AND l.from_employee_ids = ARRAY(SELECT i.employee_id FROM appointment_item i
                            WHERE i.business_id = :business_id AND i.visit_id = a.id ORDER BY i.position)
                    END AS fits) f
                WHERE l.business_id = :business_id AND l.proposal_id = p.id
            ) n
            WHERE p.business_id = :business_id AND ",
            $rest
        )
    };
}

const ONE: &str = select_proposals!("p.id = :id");
/// A page of open proposals with an open line, by date.
pub const OPEN_PROPOSALS: &str = select_proposals!(
    "p.state = 'OPEN' AND (p.day, p.id) > (:after_day, :after_id) AND n.open_line_count > 0
    ORDER BY p.day, p.id LIMIT :rows"
);
const LOCK: &str = "SELECT id FROM proposal WHERE business_id = :business_id AND id = :id FOR UPDATE";
/// The lines of a proposal.
pub const PROPOSAL_LINES: &str =
    "SELECT l.id, l.change, l.appointment_id, l.waitlist_entry_id, l.seen_version,
        l.from_starts_at, l.from_ends_at, l.from_employee_ids, l.to_starts_at, l.to_ends_at,
        l.to_employee_ids, l.applied_by, l.applied_at, COALESCE(c.name, d.name) AS customer_name,
        COALESCE(c.phone, d.phone) AS customer_phone, 
        COALESCE(c.merged_into, a.customer_id, d.merged_into, w.customer_id) AS customer_id,
        w.state AS entry_state
    FROM proposal_line l
    LEFT JOIN appointment a ON a.business_id = :business_id AND a.id = l.appointment_id
    LEFT JOIN customer c ON c.business_id = :business_id AND c.id = a.customer_id
    LEFT JOIN waitlist_entry w ON w.business_id = :business_id AND w.id = l.waitlist_entry_id
    LEFT JOIN customer d ON d.business_id = :business_id AND d.id = w.customer_id
    WHERE l.business_id = :business_id AND l.proposal_id = :id ORDER BY l.position";
const ADD: &str =
    "INSERT INTO proposal (business_id, id, day, cause, employee_id, time_off_id, appointment_id,
        minutes, seed, input_hash, cost_before, cost_after, moves_tried, is_reproducible, gained_minutes,
        gained_minor, currency, state, created_by, created_at, version)
    VALUES (:business_id, :id, :day, :cause, :employee_id, :time_off_id, :appointment_id, :minutes, :seed,
        :input_hash, :cost_before, :cost_after, :moves_tried, :is_reproducible, :gained_minutes, :gained_minor,
        :currency, 'OPEN', :created_by,
        :created_at, :version)";
const ADD_LINES: &str = "INSERT INTO proposal_line (business_id, proposal_id, position, id, change,
        appointment_id, waitlist_entry_id, seen_version, from_starts_at, from_ends_at, from_employee_ids,
        to_starts_at, to_ends_at, to_employee_ids)
    SELECT :business_id, :id, l.* FROM jsonb_to_recordset(:lines) AS l (position smallint, id uuid, change text,
        appointment_id uuid, waitlist_entry_id uuid, seen_version bigint, from_starts_at timestamptz,
        from_ends_at timestamptz, from_employee_ids uuid[], to_starts_at timestamptz,
        to_ends_at timestamptz, to_employee_ids uuid[])";
const SAVE: &str =
    "UPDATE proposal SET state = :state, closed_at = :closed_at, closed_by = :closed_by, version = :version
    WHERE business_id = :business_id AND id = :id";
const SAVE_APPLIED: &str = "UPDATE proposal_line SET applied_at = :now, applied_by = :actor
    WHERE business_id = :business_id AND proposal_id = :id AND id = ANY(:line_ids::uuid[])";

const SAVE_UNDONE: &str = "UPDATE proposal_line SET applied_at = NULL, applied_by = NULL
    WHERE business_id = :business_id AND proposal_id = :id AND id = ANY(:line_ids::uuid[])";

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl From<IdRow> for ProposalId {
    fn from(row: IdRow) -> Self {
        Self(row.id)
    }
}

impl Tx {
    /// Keeps a proposal and tells others of it. It has lines.
    pub async fn add_proposal(&self, proposal: &Proposal) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: proposal.id.0,
            day: naive(proposal.date),
            created_by: proposal.created_by.as_str(),
            created_at: to_db(proposal.created_at),
            version: proposal.version,
        };
        self.execute(ADD, values.and(cause_columns(&proposal.cause))).await?;
        let lines: Vec<_> = (1..).zip(&proposal.lines).map(|(position, line)| row(position, line)).collect();
        let values = named! {
            business_id: self.business.0,
            id: proposal.id.0,
            lines: serde_json::Value::from(lines),
        };
        self.execute(ADD_LINES, values).await?;
        self.publish_proposal(proposal).await
    }

    /// One proposal, with its lines.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn proposal(&self, id: ProposalId) -> Result<StoredProposal, Error> {
        let key = || named! { business_id: self.business.0, id: id.0 };
        let found: Option<StoredProposal> = self.one::<ProposalRow, _>(ONE, key()).await?;
        let found = found.ok_or(Error::NotFound("proposal"))?;
        let lines = self.all::<LineRow, (Line, LineParty)>(PROPOSAL_LINES, key()).await?;
        let (lines, mut parties): (Vec<Line>, Vec<LineParty>) = lines.into_iter().unzip();
        let open = || lines.iter().zip(0..).filter(|(line, _)| line.state == LineState::Open);
        let visits: Vec<_> = open().filter_map(|(line, _)| line.change.visit()).collect();
        let visits = if visits.is_empty() { vec![] } else { self.appointments_of(&visits).await? };
        let visits: HashMap<_, _> =
            visits.into_iter().map(|stored| (stored.appointment.id, stored.appointment)).collect();
        for (line, index) in open() {
            let visit = line.change.visit().and_then(|visit| visits.get(&visit));
            if let Some(since) = visit.and_then(|visit| line.since(visit)) {
                parties[index].since = Some(since);
            }
        }
        Ok(StoredProposal { proposal: Proposal { lines, ..found.proposal }, parties, ..found })
    }

    /// Locks a proposal until this transaction ends. Lock it before its visits and days.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_proposal(&self, id: ProposalId) -> Result<Proposal, Error> {
        let locked: Option<ProposalId> =
            self.one::<IdRow, _>(LOCK, named! { business_id: self.business.0, id: id.0 }).await?;
        locked.ok_or(Error::NotFound("proposal"))?;
        Ok(self.proposal(id).await?.proposal)
    }

    /// Open proposals after the one of a date and an id, by them; without their lines.
    pub async fn open_proposals(
        &self,
        after: (Date, ProposalId),
        rows: u32,
    ) -> Result<Vec<StoredProposal>, Error> {
        let values = named! {
            business_id: self.business.0,
            after_day: naive(after.0),
            after_id: after.1.0,
            rows: i64::from(rows),
        };
        self.all::<ProposalRow, _>(OPEN_PROPOSALS, values).await
    }

    /// Saves where a proposal stands, and which lines were applied now, and tells others.
    pub async fn save_proposal(&self, proposal: &Proposal, applied: &[ProposalLineId]) -> Result<(), Error> {
        let (state, end) = end_of(&proposal.state);
        let values = named! {
            business_id: self.business.0,
            id: proposal.id.0,
            state,
            closed_at: end.map(|end| to_db(end.at)),
            closed_by: end.map(|end| end.by.as_str()),
            version: proposal.version,
        };
        self.execute(SAVE, values).await?;
        let ids: Vec<_> = applied.iter().map(|line| line.0).collect();
        let values = named! {
            business_id: self.business.0,
            id: proposal.id.0,
            line_ids: ids,
            now: self.at(),
            actor: self.actor(),
        };
        self.execute(SAVE_APPLIED, values).await?;
        self.publish_proposal(proposal).await
    }

    /// Saves that lines are no longer applied.
    pub async fn save_undone_lines(&self, id: ProposalId, lines: &[ProposalLineId]) -> Result<(), Error> {
        let line_ids: Vec<_> = lines.iter().map(|line| line.0).collect();
        let values = named! { business_id: self.business.0, id: id.0, line_ids };
        self.execute(SAVE_UNDONE, values).await.map(drop)
    }

    async fn publish_proposal(&self, proposal: &Proposal) -> Result<(), Error> {
        let count = |lines: usize| i32::try_from(lines).unwrap_or(i32::MAX);
        let payload = Payload::Proposal(ProposalChanged {
            proposal_id: proposal.id.to_string(),
            line_count: count(proposal.lines.len()),
            open_line_count: count(proposal.open_lines()),
        });
        self.publish_change(proposal.id, proposal.version, payload).await
    }
}

fn row(position: usize, line: &Line) -> serde_json::Value {
    debug_assert_eq!(line.state, LineState::Open);
    let (from, to) = (line.change.from(), line.change.to());
    let employees = |place: &Place| place.employees.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "position": position,
        "id": line.id.to_string(),
        "change": change_name(&line.change),
        "appointment_id": line.change.visit().map(|visit| visit.to_string()),
        "waitlist_entry_id": line.change.entry().map(|entry| entry.to_string()),
        "seen_version": line.seen,
        "from_starts_at": from.map(|from| from.starts_at.to_string()),
        "from_ends_at": from.map(|from| from.ends_at.to_string()),
        "from_employee_ids": from.map(employees),
        "to_starts_at": to.map(|to| to.starts_at.to_string()),
        "to_ends_at": to.map(|to| to.ends_at.to_string()),
        "to_employee_ids": to.map(employees),
    })
}
