//! Applying lines of a proposal: several visits at once, all of them or none.

use std::collections::BTreeMap;

use engine::{
    applying::LineError,
    appointment::{Appointment, BookingDetails},
    day::Day,
    id::{ProposalId, ProposalLineId, VisitId, WaitlistEntryId},
    occupancy::{Misfit, Rearrangement},
    proposal::{self, Change, Line},
    refusal::Refusal,
    schedule::Schedule,
    visit::Placement,
    waitlist::{End, Entry},
};
use proto::frontdesk::scheduling::v1::proposal_service_methods::APPLY_PROPOSAL;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{EntryChange, ProposalAct, ProposalChange, Undoable, VisitChange},
    },
    measure::Figure,
    store::{Affected, Rearranged, StoredAppointment, Tx, taken_together},
};

/// Lines of a proposal to carry out, all of them or none.
#[derive(Debug)]
pub struct ApplyProposal {
    /// The proposal.
    pub id: ProposalId,
    /// The chosen lines.
    pub lines: Vec<ProposalLineId>,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

impl ApplyProposal {
    /// Applies the lines, in the order of the proposal, and publishes every visit they change; these, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a line that is not open, or [`Error::Line`], which names the
    /// first line that can't be applied any more.
    pub async fn run(self, tx: &Tx) -> Result<(Vec<StoredAppointment>, ChangeId), Error> {
        let schedule = tx.settled_schedule().await?;
        let proposal = tx.take_proposal(self.id).await?.seen_at(self.seen)?;
        let chosen = proposal.select(&self.lines)?;
        let applied = tx.apply_lines(&schedule, &chosen).await?;
        tx.save_proposal(&proposal.applied(&self.lines, ended(tx)), &self.lines).await?;
        let lines = self.lines.iter().map(|line| line.0).collect();
        let proposal = Some(ProposalChange { id: self.id.0, act: ProposalAct::Applied(lines) });
        let change = tx.add_undoable(&Undoable { proposal, ..applied.undoable }).await?;
        let mut appointments = Vec::with_capacity(applied.visits.len());
        for visit in applied.visits {
            appointments.push(tx.publish_appointment(&APPLY_PROPOSAL, visit).await?);
        }
        for entry in applied.entries {
            tx.audit(&APPLY_PROPOSAL, entry).await?;
        }
        tx.audit(&APPLY_PROPOSAL, self.id).await?;
        Ok((appointments, change))
    }
}

/// Who ends a proposal, and when.
pub(super) fn ended(tx: &Tx) -> proposal::End {
    proposal::End { at: tx.now(), by: tx.actor().to_owned() }
}

/// A chosen line and its position in the request.
pub type Chosen<'a> = (usize, &'a Line);

/// What was changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// Visits that were moved, extended or booked, in the order of their lines.
    pub visits: Vec<VisitId>,
    /// Who waited and was booked.
    pub entries: Vec<WaitlistEntryId>,
    /// What it takes to undo it.
    pub undoable: Undoable,
}

/// Lines with what they are about.
struct Selection<'a> {
    lines: &'a [Chosen<'a>],
    visits: BTreeMap<VisitId, Affected>,
    entries: BTreeMap<WaitlistEntryId, Entry>,
}

impl Tx {
    /// Applies lines of a proposal, in its order, with a schedule that is settled before.
    ///
    /// # Errors
    /// [`Error::Line`], which names the first that is in the way.
    pub async fn apply_lines(&self, schedule: &Schedule, lines: &[Chosen<'_>]) -> Result<Applied, Error> {
        let selection = self.selection(lines).await?;
        self.admit_waiting(schedule, &selection).await?;
        let wanted = selection.wanted(schedule, self)?;
        let days = selection.days(&wanted, schedule);
        // The first check runs without locks, so that a refused request delays no other booking.
        self.rearrange(schedule, &days, &selection, &wanted).await?;
        self.take_days(&days).await?;
        let placements = self.rearrange(schedule, &days, &selection, &wanted).await?;
        self.save_applied(&selection, &placements).await
    }

    async fn selection<'a>(&self, lines: &'a [Chosen<'a>]) -> Result<Selection<'a>, Error> {
        let visits: Vec<_> = lines.iter().filter_map(|(_, line)| line.change.visit()).collect();
        let visits = self.take_visits(&visits).await?;
        let mut entries = BTreeMap::new();
        for entry in lines.iter().filter_map(|(_, line)| line.change.entry()) {
            entries.insert(entry, self.waitlist_entry(entry).await?.entry);
        }
        Ok(Selection { lines, visits, entries })
    }

    /// Makes sure that who waited has had what their visits need before.
    async fn admit_waiting(&self, schedule: &Schedule, selection: &Selection<'_>) -> Result<(), Error> {
        for (place, line) in selection.lines {
            let entry = line.change.entry().and_then(|entry| selection.entries.get(&entry));
            let (Some(entry), Some(to)) = (entry, line.change.to()) else { continue };
            if !self.is_admitted(schedule, &entry.items, to.starts_at).await? {
                return Err(Error::Line { line: *place, why: Refusal::EarlierVisit.into() });
            }
        }
        Ok(())
    }

    async fn rearrange(
        &self,
        schedule: &Schedule,
        days: &[Day],
        selection: &Selection<'_>,
        wanted: &[Rearrangement],
    ) -> Result<Vec<Placement>, Error> {
        let ids: Vec<_> = selection.visits.keys().copied().collect();
        let leaving: Vec<_> = selection.leaving().collect();
        let occupancy = self.occupancy(schedule, days, &ids, &leaving).await?;
        occupancy.rearrange(wanted).map_err(|Misfit { index, refusal }| Error::Line {
            line: selection.lines[index].0,
            why: refusal.into(),
        })
    }

    /// Closes the rows of all before any of them takes other time.
    async fn save_applied(
        &self,
        selection: &Selection<'_>,
        placements: &[Placement],
    ) -> Result<Applied, Error> {
        let (mut applied, mut moved, mut booked) = (Applied::default(), vec![], BTreeMap::new());
        for ((_, line), placement) in selection.lines.iter().zip(placements) {
            let visit = match &line.change {
                Change::Booking { entry, .. } => {
                    let visit = self.new_id();
                    booked.insert(*entry, (visit, placement));
                    visit
                }
                Change::Move { visit, .. } => {
                    moved.push(selection.rearranged(*visit, placement, Appointment::moved_to));
                    *visit
                }
                Change::Extension { visit, .. } | Change::Unplaced { visit, .. } => {
                    moved.push(selection.rearranged(*visit, placement, Appointment::extended_to));
                    *visit
                }
            };
            applied.visits.push(visit);
        }
        let was = |visit: &Rearranged<'_>| {
            let Affected { appointment, rows } = &selection.visits[&visit.after.id];
            VisitChange::moved(appointment, rows)
        };
        applied.undoable.visits = moved.iter().map(was).collect();
        self.save_rearranged(&moved).await?;
        self.tally(Figure::Moved, moved.len());
        self.tally(Figure::Booked, booked.len());
        // Entries, too, are locked in one order for everybody.
        for (entry, (visit, placement)) in booked {
            let (booked, ended) = self.book_waiting(entry, visit, placement).await?;
            applied.undoable.visits.push(booked);
            applied.undoable.entries.push(ended);
            applied.entries.push(entry);
        }
        for visit in &moved {
            self.publish_freed(visit.after.id, visit.after.version, visit.before).await?;
        }
        Ok(applied)
    }

    /// Books a visit for who waits for it.
    async fn book_waiting(
        &self,
        entry: WaitlistEntryId,
        visit: VisitId,
        placement: &Placement,
    ) -> Result<(VisitChange, EntryChange), Error> {
        let end = End { at: self.now(), by: self.actor().to_owned() };
        let booked = self.take_waitlist_entry(entry).await?.book(visit, end)?;
        let (customer, notes) = (Some(booked.customer), booked.note.clone());
        let occasion = BookingDetails { customer, notes, ..BookingDetails::default() };
        let appointment = Appointment::book(visit, placement, occasion, self.now());
        self.add_appointment(&appointment, &placement.occupied).await?;
        self.save_waitlist_entry(&booked).await?;
        self.publish_waitlist(&booked).await?;
        Ok((VisitChange::booked(&appointment), EntryChange::of(&booked)))
    }
}

impl<'a> Selection<'a> {
    /// Where each shall be, in the order of the lines.
    fn wanted(&self, schedule: &Schedule, tx: &Tx) -> Result<Vec<Rearrangement>, Error> {
        let wanted = |&(place, line): &Chosen<'_>| {
            let visit = line.change.visit().and_then(|visit| self.visits.get(&visit));
            let entry = line.change.entry().and_then(|entry| self.entries.get(&entry));
            let wanted = match (visit, entry) {
                (Some(visit), _) => line.rearrangement(&visit.appointment, &visit.rows, schedule, tx.now()),
                (None, Some(entry)) => line.booking(entry, schedule, tx.now()),
                (None, None) => Err(LineError::WrongState),
            };
            wanted.map_err(|why| Error::Line { line: place, why })
        };
        self.lines.iter().map(wanted).collect()
    }

    /// The days of all that is and all that shall be.
    fn days(&self, wanted: &[Rearrangement], schedule: &Schedule) -> Vec<Day> {
        let rows = self.visits.values().flat_map(|visit| &visit.rows).map(|row| row.during);
        taken_together(rows.chain(wanted.iter().filter_map(Rearrangement::reach)), &schedule.zone)
    }

    /// Visits that leave their time to what lies over them.
    fn leaving(&self) -> impl Iterator<Item = VisitId> {
        let moves = |change: &Change| match change {
            Change::Move { visit, .. } => Some(*visit),
            Change::Extension { .. } | Change::Unplaced { .. } | Change::Booking { .. } => None,
        };
        self.lines.iter().filter_map(move |(_, line)| moves(&line.change))
    }

    fn rearranged<'b>(
        &'b self,
        visit: VisitId,
        placement: &'b Placement,
        change: fn(Appointment, &Placement) -> Appointment,
    ) -> Rearranged<'b> {
        let Affected { appointment, rows } = &self.visits[&visit];
        let after = change(appointment.clone(), placement);
        Rearranged { before: rows, after, occupied: &placement.occupied }
    }
}
