//! Takes a change of several records back: all of it, or nothing.

use std::collections::BTreeMap;

use caller::Role;
use engine::{
    appointment::{Appointment, CancelRequest, Canceller},
    edit::Difference,
    id::{ProposalId, ProposalLineId, TimeOffId, VisitId, WaitlistEntryId},
    proposal::State,
    schedule::Schedule,
    visit::Occupied,
};
use proto::frontdesk::scheduling::v1::{
    change_service_methods::UNDO_CHANGE, time_off_service_methods::APPROVE_TIME_OFF,
};

use super::{ChangeWorkingTime, apply_proposal::ended, join_waitlist::ended as entry_ended};
use crate::{
    Error,
    domain::{
        id::{ChangeId, ContactId},
        time_off::Decision,
        undoable::{
            Before, EntryChange, ProposalAct, ProposalChange, Returned, TimeOffChange, Undoable, VisitChange,
            WorkingTimeChange,
        },
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
        let undoable = tx.take_undoable(self.id).await?;
        let (appointments, returned) = self.put_back(tx, undoable).await?;
        tx.follow_returned(&returned).await?;
        Ok(appointments)
    }

    /// As [`Self::run`] with the change that was taken. Changes from before it have to follow the records returned, if
    /// the transaction commits.
    pub(super) async fn put_back(
        &self,
        tx: &Tx,
        undoable: Undoable,
    ) -> Result<(Vec<StoredAppointment>, Vec<Returned>), Error> {
        let Undoable { visits, entries, joined, proposal, time_off, working_time, contact, step } = undoable;
        if let Some(WorkingTimeChange { before, after }) = working_time {
            let back = ChangeWorkingTime::try_from(before)?;
            if self.role < back.method().rule.least_role {
                return Err(Error::NotTheirs);
            }
            back.put_back(tx, &after).await?;
            return Ok((vec![], vec![]));
        }
        if let Some(time_off) = time_off {
            let returned = tx.undo_time_off(&time_off, proposal.as_ref(), self.role).await?;
            return Ok((vec![], vec![returned]));
        }
        if let Some(contact) = contact {
            tx.end_contact(ContactId(contact)).await?;
            tx.audit(&UNDO_CHANGE, self.id).await?;
            return Ok((vec![], vec![]));
        }
        if let Some(step) = step {
            let (appointment, returned) = tx.undo_step(step, &UNDO_CHANGE).await?;
            return Ok((vec![appointment], vec![returned]));
        }
        let schedule = tx.settled_schedule().await?;
        if let Some(proposal) = &proposal {
            tx.undo_proposal(proposal).await?;
        }
        let ids: Vec<_> = visits.iter().map(|change| VisitId(change.visit)).collect();
        if !ids.is_empty() {
            tx.undo_visits(&schedule, &visits, tx.take_visits(&ids).await?).await?;
        }
        let mut returned = tx.undo_entries(entries).await?;
        tx.undo_joined(joined).await?;
        let mut appointments = Vec::with_capacity(ids.len());
        for VisitChange { visit, found, .. } in visits {
            let stored = tx.publish_appointment(&UNDO_CHANGE, VisitId(visit)).await?;
            returned.push(Returned { record: visit, from: found, to: stored.appointment.version });
            appointments.push(stored);
        }
        appointments.sort_by_key(|stored| stored.appointment.id);
        tx.audit(&UNDO_CHANGE, self.id).await?;
        Ok((appointments, returned))
    }
}

/// A visit that was moved, or that became something else.
struct Moved {
    now: Appointment,
    /// What it takes now.
    rows: Vec<Occupied>,
    restored: Appointment,
    /// What it takes then.
    occupied: Vec<Occupied>,
}

impl Moved {
    fn rearranged(&self) -> Rearranged<'_> {
        Rearranged { before: &self.rows, after: self.restored.clone(), occupied: &self.occupied }
    }

    /// Whether it became something else: a length alone is changed by moves as well.
    fn was_edited(&self) -> bool {
        let differences = self.now.differences(&self.restored);
        differences.iter().any(|difference| !matches!(difference, Difference::Length(..)))
    }
}

/// Visits by what becomes of them, each with what it takes now.
#[derive(Default)]
struct Returning {
    /// To be cancelled.
    cancelled: Vec<(Appointment, Vec<Occupied>)>,
    /// To be where and what they were.
    moved: Vec<Moved>,
    /// To be described as they were.
    described: Vec<(Appointment, Appointment)>,
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
        for VisitChange { visit, version, before, .. } in changes {
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
                    let restored = place.restore(appointment.clone());
                    returning.moved.push(Moved { now: appointment, rows, restored, occupied });
                }
                Before::Described(before) => {
                    let restored = before.restore(appointment.clone());
                    returning.described.push((appointment, restored));
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
        let Returning { cancelled, moved, described, restored } = returning;
        let rows = cancelled.iter().chain(restored).map(|(_, rows)| rows.as_slice());
        let rows: Vec<_> =
            rows.chain(moved.iter().flat_map(|one| [one.rows.as_slice(), &one.occupied])).collect();
        self.take_days(&days_of_rows(&rows, &schedule.zone)).await?;
        self.call_off(cancelled).await?;
        // A change keeps what it found of visits that it edited, or of visits that it moved.
        if moved.iter().any(Moved::was_edited) {
            let edited = moved.iter().map(|one| (one.now.clone(), one.rearranged()));
            self.save_edited(&edited.collect::<Vec<_>>()).await?;
        } else {
            self.save_rearranged(&moved.iter().map(Moved::rearranged).collect::<Vec<_>>()).await?;
        }
        for Moved { restored, rows, .. } in moved {
            self.publish_freed(restored.id, restored.version, rows).await?;
        }
        for (now, restored) in described {
            self.save_described(now, restored).await?;
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

    /// Those who got a visit or left wait again.
    async fn undo_entries(&self, mut entries: Vec<EntryChange>) -> Result<Vec<Returned>, Error> {
        entries.sort_by_key(|change| change.entry);
        let mut returned = Vec::with_capacity(entries.len());
        for EntryChange { entry: record, found, version } in entries {
            let entry = self.take_waitlist_entry(WaitlistEntryId(record)).await?;
            if entry.version != version {
                return Err(Error::ChangedSince("waitlist entry"));
            }
            let waiting = entry.wait_again()?;
            self.save_waitlist_entry(&waiting).await?;
            self.publish_waitlist(&waiting).await?;
            self.audit(&UNDO_CHANGE, waiting.id).await?;
            returned.push(Returned { record, from: found, to: waiting.version });
        }
        Ok(returned)
    }

    /// Those who were put on the waitlist wait no more.
    async fn undo_joined(&self, mut entries: Vec<EntryChange>) -> Result<(), Error> {
        entries.sort_by_key(|change| change.entry);
        for EntryChange { entry, version, .. } in entries {
            let entry = self.take_waitlist_entry(WaitlistEntryId(entry)).await?;
            if entry.version != version {
                return Err(Error::ChangedSince("waitlist entry"));
            }
            let left = entry.leave(String::new(), entry_ended(self))?;
            self.save_waitlist_entry(&left).await?;
            self.publish_waitlist(&left).await?;
            self.audit(&UNDO_CHANGE, left.id).await?;
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

    /// A decision is left to be made again; what was withdrawn stands where it stood; time off that was reported is
    /// withdrawn, and its proposal put aside.
    async fn undo_time_off(
        &self,
        change: &TimeOffChange,
        proposal: Option<&ProposalChange>,
        role: Role,
    ) -> Result<Returned, Error> {
        let decided = !change.reported && change.withdrawn.is_none();
        if decided && role < APPROVE_TIME_OFF.rule.least_role {
            return Err(Error::NotTheirs);
        }
        let edit = self.edit_schedule().await?;
        let id = TimeOffId(change.id);
        let time_off = self.take_time_off(edit.version, id).await?;
        if time_off.version != change.version {
            return Err(Error::ChangedSince("time off"));
        }
        let decision = Decision { at: self.now(), by: self.actor().to_owned(), note: String::new() };
        let undone = match &change.withdrawn {
            Some(before) => time_off.restore(before.clone())?,
            None if change.reported => time_off.withdraw(decision)?,
            None => time_off.reopen()?,
        };
        self.save_time_off(edit.version, &undone).await?;
        let returned = Returned { record: change.id, from: change.found, to: undone.version };
        if let Some(proposal) = proposal {
            self.undo_proposal(proposal).await?;
        }
        self.finish_schedule(&UNDO_CHANGE, id, edit.version).await?;
        Ok(returned)
    }
}
