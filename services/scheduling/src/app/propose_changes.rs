//! Proposals for visits that can't stay where they are.

use engine::{
    appointment::{Appointment, State},
    day::Day,
    delay::{Delay, Pushed},
    explanation::Record,
    id::{TimeOffId, VisitId},
    occupancy::Target,
    proposal::{self, Cause, Change, Line, LineState, MAX_LINES, Place, Proposal},
    refusal::Refusal,
    rescheduling::{Displaced, Found, Search, starts},
    schedule::Schedule,
    span::Span,
    visit::Placement,
};

use crate::{
    Error,
    domain::{hypothesis::Hypothesis, time_off::Kind},
    store::{Affected, OverlappingVisit, Rearranged, TakenVisit, Tx, taken_together},
};

impl Tx {
    /// Proposes new places for the visits that time off strands, and, for an employee who comes late, for
    /// customers who wait for them already; `None` if there are none. Reporting an absence locks the schedule exclusively, so no booking happens meanwhile.
    pub async fn propose_for_absence(&self, absence: TimeOffId) -> Result<Option<Proposal>, Error> {
        let schedule = self.read_schedule().await?;
        let absence = self.time_off(absence, &schedule.zone).await?;
        let waits = |visit: &&OverlappingVisit| visit.is_stranded || absence.time_off.kind != Kind::Sick;
        let visits: Vec<_> = absence.visits.iter().filter(waits).map(|visit| visit.appointment).collect();
        let stranded = displaced(self.affected(&visits).await?.into_values());
        if stranded.is_empty() {
            return Ok(None);
        }
        let away = absence.time_off.extent.span(&schedule.zone).ok_or(Error::Stored("time off"))?;
        let day = Day::of(schedule.zone.to_datetime(away.starts_at()).date(), &schedule.zone);
        let found = self.best_places(&schedule, &day, &stranded).await?;
        let lines = stranded.iter().zip(found);
        let lines = lines.map(|(displaced, found)| (change(displaced, found), displaced.visit.version));
        let time_off = &absence.time_off;
        let cause = Cause::Absence { employee: time_off.employee, time_off: time_off.id };
        Ok(Some(self.new_proposal(&day, cause, lines.collect())))
    }

    async fn best_places(
        &self,
        schedule: &Schedule,
        day: &Day,
        stranded: &[Displaced],
    ) -> Result<Vec<Option<Found>>, Error> {
        let Some(starts) = whole(day).and_then(|whole| starts(whole, self.now())) else {
            return Ok(vec![None; stranded.len()]);
        };
        let search = Search { schedule, starts };
        let reach = search.reach(stranded.iter().map(|displaced| &displaced.visit));
        let ids: Vec<_> = stranded.iter().map(|displaced| displaced.visit.id).collect();
        let days = taken_together(reach.into_iter(), &schedule.zone);
        Ok(search.one_by_one(self.occupancy(schedule, &days, &ids, &ids).await?, stranded))
    }

    /// Delays a visit's start, or its end if it is in service, by `minutes`. If other visits are in the
    /// way, nothing changes and the result is a proposal that moves them.
    ///
    /// # Errors
    /// [`Error::WrongState`]; NOT_WORKING; SLOT_TAKEN if anything but a visit that has not begun is in
    /// the way.
    pub async fn delay(&self, visit: &TakenVisit, minutes: u16) -> Result<Option<Proposal>, Error> {
        let TakenVisit { schedule, appointment, rows, .. } = visit;
        let delay = appointment.delayed(rows, minutes, schedule, self.now())?;
        match self.place_later(visit, &delay).await {
            Ok(_) => {
                let spans = rows.iter().map(|row| row.during).chain(delay.reach());
                self.take_days(&taken_together(spans, &schedule.zone)).await?;
                let placement = self.place_later(visit, &delay).await?;
                self.save_delayed(visit, &placement).await?;
                Ok(None)
            }
            Err(Error::Refused(Refusal::SlotTaken)) => {
                self.push_others(visit, &delay, minutes).await.map(Some)
            }
            Err(error) => Err(error),
        }
    }

    /// Where a visit is that is later. One that lies beside others has nothing in its way.
    async fn place_later(&self, visit: &TakenVisit, delay: &Delay) -> Result<Placement, Error> {
        if let (true, Target::Exactly(placement)) = (visit.appointment.squeezed_in, &delay.target) {
            return Ok(placement.clone());
        }
        let TakenVisit { schedule, appointment, .. } = visit;
        let days = taken_together(delay.reach().into_iter(), &schedule.zone);
        let free = self.occupancy(schedule, &days, &[appointment.id], &leaving(appointment)).await?;
        Ok(free.place(&delay.target, &[])?)
    }

    async fn save_delayed(&self, visit: &TakenVisit, placement: &Placement) -> Result<(), Error> {
        let after = visit.appointment.clone().delayed_to(placement);
        let (id, version) = (after.id, after.version);
        let (before, occupied) = (&visit.rows[..], &placement.occupied[..]);
        self.save_rearranged(&[Rearranged { before, after, occupied }]).await?;
        self.publish_freed(id, version, before).await
    }

    /// Where those could go that a visit pushes, after itself.
    async fn push_others(&self, visit: &TakenVisit, delay: &Delay, minutes: u16) -> Result<Proposal, Error> {
        let TakenVisit { schedule, appointment, .. } = visit;
        let day = Day::of(schedule.zone.to_datetime(appointment.starts_at).date(), &schedule.zone);
        let whole = whole(&day).ok_or(Refusal::SlotTaken)?;
        let starts = starts(whole, self.now()).ok_or(Refusal::SlotTaken)?;
        let search = Search { schedule, starts };
        let movable = self.movable_in(whole, schedule, appointment.id).await?;
        let reach = search.reach(movable.iter().map(|displaced| &displaced.visit));
        let days = taken_together(reach.into_iter().chain(delay.reach()).chain([whole]), &schedule.zone);
        let mut leaving = leaving(appointment);
        leaving.extend(movable.iter().map(|displaced| displaced.visit.id));
        let without: Vec<_> = leaving.iter().copied().chain([appointment.id]).collect();
        let free = self.occupancy(schedule, &days, &without, &leaving).await?;
        let pushed = delay.push(&search, &free, &movable)?;
        let lines = lines(appointment, pushed, &movable).ok_or(Refusal::SlotTaken)?;
        let cause = Cause::Delay { visit: appointment.id, minutes };
        Ok(self.new_proposal(&day, cause, lines))
    }

    /// Other visits of a day that have not begun and take time from others, by start.
    async fn movable_in(
        &self,
        whole: Span,
        schedule: &Schedule,
        but: VisitId,
    ) -> Result<Vec<Displaced>, Error> {
        let days = Day::covering(whole, &schedule.zone);
        let taken = self.taken_under(&days, &Hypothesis::default()).await?;
        let visit = |record: Record| match record {
            Record::Appointment(visit) if visit != but => Some(visit),
            _ => None,
        };
        let mut ids: Vec<_> = taken.iter().filter_map(|taken| visit(taken.record)).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut movable = displaced(self.affected(&ids).await?.into_values());
        movable.retain(|other| {
            let start = other.visit.starts_at;
            whole.starts_at() <= start && start < whole.ends_at()
        });
        Ok(movable)
    }

    /// A new, open proposal for a day.
    pub(crate) fn new_proposal(&self, day: &Day, cause: Cause, changes: Vec<(Change, i64)>) -> Proposal {
        let line = |(change, seen)| Line { id: self.new_id(), change, seen, state: LineState::Open };
        Proposal {
            id: self.new_id(),
            date: day.date(),
            cause,
            lines: changes.into_iter().map(line).collect(),
            state: proposal::State::Open,
            created_by: self.actor().to_owned(),
            created_at: self.now(),
            version: 1,
        }
    }
}

/// Those of `visits` that have not begun, by start.
fn displaced(visits: impl Iterator<Item = Affected>) -> Vec<Displaced> {
    let ahead = visits.filter(|affected| affected.appointment.state.is_ahead());
    let mut displaced: Vec<_> =
        ahead.map(|affected| Displaced::new(affected.appointment, affected.rows)).collect();
    displaced.sort_by_key(|displaced| (displaced.visit.starts_at, displaced.visit.id));
    displaced
}

fn change(Displaced { visit, .. }: &Displaced, found: Option<Found>) -> Change {
    let (from, visit) = (Place::of(visit), visit.id);
    match found {
        Some(found) => Change::Move { visit, from, to: found.place },
        None => Change::Unplaced { visit, from },
    }
}

/// The visit itself and those that it pushes; `None` if they are too many for a proposal.
fn lines(visit: &Appointment, pushed: Pushed, movable: &[Displaced]) -> Option<Vec<(Change, i64)>> {
    let (from, to) = (Place::of(visit), Place::anew(&visit.items, &pushed.first));
    let first = match visit.state {
        State::InService => Change::Extension { visit: visit.id, from, to },
        _ => Change::Move { visit: visit.id, from, to },
    };
    let followers = pushed.followers.into_iter();
    let followers =
        followers.map(|(index, found)| (change(&movable[index], found), movable[index].visit.version));
    let lines: Vec<_> = core::iter::once((first, visit.version)).chain(followers).collect();
    (lines.len() <= MAX_LINES).then_some(lines)
}

/// The visit, if it leaves its time to overlapping busy time; a visit in service stays.
fn leaving(visit: &Appointment) -> Vec<VisitId> {
    if visit.state == State::InService { vec![] } else { vec![visit.id] }
}

fn whole(day: &Day) -> Option<Span> {
    Span::new(day.starts_at(), day.ends_at())
}
