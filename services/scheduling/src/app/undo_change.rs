//! Takes a change of several records back: all of it, or nothing.

use std::collections::BTreeMap;

use caller::Role;
use engine::{
    appointment::{Appointment, CancelRequest, Canceller},
    id::{ProposalId, ProposalLineId, TimeOffId, VisitId, WaitlistEntryId},
    proposal::State,
    schedule::Schedule,
    visit::Occupied,
};
use proto::frontdesk::scheduling::v1::change_service_methods::UNDO_CHANGE;

use super::apply_proposal::ended;
use crate::{
    Error,
    domain::{
        id::ChangeId,
        time_off::Decision,
        undoable::{Before, EntryChange, ProposalAct, ProposalChange, TimeOffChange, Undoable, VisitChange},
    },
    measure::Figure,
    store::{Affected, Purpose, Rearranged, StoredAppointment, Tx, days_of_rows},
};

/// A change to take back.
#[derive(Debug)]
pub struct UndoChange {
    /// Which.
    pub id: ChangeId,
    /// The role of who takes it back.
    pub role: Role,
}

impl UndoChange {
    /// Takes the change back and publishes what it was about; its visits as they are now.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the actor can't take it back, [`Error::ChangedSince`], or SLOT_TAKEN.
    pub async fn run(self, tx: &Tx) -> Result<Vec<StoredAppointment>, Error> {
        let Undoable { visits, entries, proposal, time_off } = tx.take_undoable(self.id).await?;
        if let Some(time_off) = time_off {
            tx.undo_time_off(&time_off, proposal.as_ref(), self.role).await?;
            return Ok(vec![]);
        }
        let schedule = tx.settled_schedule().await?;
        if let Some(proposal) = &proposal {
            tx.undo_proposal(proposal).await?;
        }
        let ids: Vec<_> = visits.iter().map(|change| VisitId(change.visit)).collect();
        if !ids.is_empty() {
            tx.undo_visits(&schedule, &visits, tx.take_visits(&ids).await?).await?;
        }
        tx.undo_entries(entries).await?;
        let mut appointments = Vec::with_capacity(ids.len());
        for id in ids {
            appointments.push(tx.publish_appointment(&UNDO_CHANGE, id).await?);
        }
        appointments.sort_by_key(|stored| stored.appointment.id);
        tx.audit(&UNDO_CHANGE, self.id).await?;
        Ok(appointments)
    }
}

/// Visits by what becomes of them, each with what it takes now.
#[derive(Default)]
struct Returning {
    /// To be cancelled.
    cancelled: Vec<(Appointment, Vec<Occupied>)>,
    /// To be moved back, with what they take there.
    moved: Vec<(Appointment, Vec<Occupied>, Vec<Occupied>)>,
    /// To be booked again, with what they take then.
    restored: Vec<(Appointment, Vec<Occupied>)>,
}

impl Tx {
    /// What a change did to visits, whose turn this transaction has taken.
    async fn undo_visits(
        &self,
        schedule: &Schedule,
        changes: &[VisitChange],
        mut visits: BTreeMap<VisitId, Affected>,
    ) -> Result<(), Error> {
        let mut returning = Returning::default();
        for VisitChange { visit, version, before } in changes {
            let visit = visits.remove(&VisitId(*visit)).ok_or(Error::NotFound("appointment"))?;
            let Affected { appointment, rows } = visit;
            if appointment.version != *version {
                return Err(Error::ChangedSince("visit"));
            }
            match before {
                Before::Unbooked => {
                    let request = CancelRequest {
                        at: self.now(),
                        by: self.actor().to_owned(),
                        canceller: Canceller::Staff,
                        reason: String::new(),
                    };
                    returning.cancelled.push((appointment.cancel(request, &schedule.policy)?, rows));
                }
                Before::At(place) => {
                    let occupied = place.rows().ok_or(Error::Stored("change"))?;
                    returning.moved.push((place.restore(appointment), rows, occupied));
                }
                Before::Standing => {
                    let progress = self.progress(appointment.id).await?;
                    let freed_at = progress.present().freed_at.ok_or(Error::Stored("state"))?;
                    let occupied = self.booked_rows_before(appointment.id, freed_at).await?;
                    let restored = appointment.restore(&progress, self.now(), &schedule.zone)?;
                    returning.restored.push((restored, occupied));
                }
            }
        }
        self.return_visits(schedule, &returning).await
    }

    /// All leave where they are before any takes its former time.
    async fn return_visits(&self, schedule: &Schedule, returning: &Returning) -> Result<(), Error> {
        let Returning { cancelled, moved, restored } = returning;
        let rows = cancelled.iter().chain(restored).map(|(_, rows)| rows.as_slice());
        let rows: Vec<_> =
            rows.chain(moved.iter().flat_map(|(_, before, after)| [before.as_slice(), after])).collect();
        self.take_days(&days_of_rows(&rows, &schedule.zone)).await?;
        self.call_off(cancelled).await?;
        let rearranged = moved.iter().map(|(visit, before, occupied)| {
            let after = visit.clone();
            Rearranged { before, after, occupied }
        });
        self.save_rearranged(&rearranged.collect::<Vec<_>>()).await?;
        for (visit, before, _) in moved {
            self.publish_freed(visit.id, visit.version, before).await?;
        }
        for (visit, rows) in restored {
            self.settle_conflicts_of(visit.id, &[], rows).await?;
            self.occupy(Purpose::of(visit), rows).await?;
            self.save_state(visit).await?;
            self.undo_state_change(visit.id).await?;
        }
        self.tally(Figure::Cancelled, cancelled.len());
        self.tally(Figure::Moved, moved.len());
        Ok(())
    }

    /// Those who got a visit wait again.
    async fn undo_entries(&self, mut entries: Vec<EntryChange>) -> Result<(), Error> {
        entries.sort_by_key(|change| change.entry);
        for EntryChange { entry, version } in entries {
            let entry = self.take_waitlist_entry(WaitlistEntryId(entry)).await?;
            if entry.version != version {
                return Err(Error::ChangedSince("waitlist entry"));
            }
            let waiting = entry.wait_again()?;
            self.save_waitlist_entry(&waiting).await?;
            self.publish_waitlist(&waiting).await?;
            self.audit(&UNDO_CHANGE, waiting.id).await?;
        }
        Ok(())
    }

    async fn undo_proposal(&self, ProposalChange { id, act }: &ProposalChange) -> Result<(), Error> {
        let proposal = self.take_proposal(ProposalId(*id)).await?;
        let (undone, lines) = match act {
            // Of no account any more once it was applied or put aside.
            ProposalAct::Added if proposal.state != State::Open => return Ok(()),
            ProposalAct::Added => (proposal.dismiss(ended(self))?, vec![]),
            ProposalAct::Dismissed(version) if proposal.version != *version => {
                return Err(Error::ChangedSince("proposal"));
            }
            ProposalAct::Dismissed(_) => (proposal.reopen()?, vec![]),
            ProposalAct::Applied(lines) => {
                let lines: Vec<_> = lines.iter().copied().map(ProposalLineId).collect();
                (proposal.undone(&lines)?, lines)
            }
        };
        self.save_undone_lines(undone.id, &lines).await?;
        self.save_proposal(&undone, &[]).await?;
        self.audit(&UNDO_CHANGE, undone.id).await
    }

    /// A decision is left to be made again; time off that was reported is withdrawn, and its proposal put aside.
    async fn undo_time_off(
        &self,
        change: &TimeOffChange,
        proposal: Option<&ProposalChange>,
        role: Role,
    ) -> Result<(), Error> {
        if !change.reported && role < Role::Manager {
            return Err(Error::NotTheirs);
        }
        let edit = self.edit_schedule().await?;
        let id = TimeOffId(change.id);
        let time_off = self.take_time_off(edit.version, id).await?;
        if time_off.version != change.version {
            return Err(Error::ChangedSince("time off"));
        }
        let decision = Decision { at: self.now(), by: self.actor().to_owned(), note: String::new() };
        let undone = if change.reported { time_off.withdraw(decision)? } else { time_off.reopen()? };
        self.save_time_off(edit.version, &undone).await?;
        if let Some(proposal) = proposal {
            self.undo_proposal(proposal).await?;
        }
        self.finish_schedule(&UNDO_CHANGE, id, edit.version).await
    }
}
