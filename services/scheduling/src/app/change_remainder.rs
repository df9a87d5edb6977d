//! The remaining visits of a series, moved or cancelled together.

use std::sync::Arc;

use engine::{
    appointment::Appointment,
    id::{SeriesId, SubjectId, VisitId},
    placement::Placer,
    progress::Stage,
    refusal::Refusal,
    schedule::Schedule,
    series::{Rearrangement, Wanted},
    span::Span,
    visit::{Occupied, Placement},
};
use jiff::Timestamp;

use super::find_times::line;
use crate::{
    Error,
    domain::undoable::VisitChange,
    store::{Days, Histories, Lock, Rearranged, Tx, days_of, days_of_rows},
};

/// The remaining visits of a series, locked until the transaction ends.
#[derive(Debug)]
pub struct TakenRemainder {
    /// The business's schedule, which stays as it is as well.
    pub schedule: Arc<Schedule>,
    /// The visit that was named.
    pub from: VisitId,
    /// Where the series has it.
    pub from_planned: Timestamp,
    /// Its visits that have yet to begin, by start, each with what it takes.
    pub visits: Vec<(Appointment, Vec<Occupied>)>,
}

impl TakenRemainder {
    /// What is wanted of those visits, by place, that change with the rest.
    ///
    /// # Errors
    /// Too few employees or lengths, or too many.
    pub fn wanted(&self, rearrangement: &Rearrangement<'_>) -> Result<Vec<(usize, Wanted)>, Error> {
        let visits = self.visits.iter().enumerate();
        let moving = visits.filter(|(_, (visit, _))| rearrangement.takes(visit, self.from));
        let wanted = moving.filter_map(|(index, (visit, _))| {
            Some(rearrangement.of(visit)?.map(|wanted| (index, wanted)).map_err(Error::from))
        });
        wanted.collect()
    }
}

impl Tx {
    /// Takes the turn to change the visits of a series from one of them on, or all of them.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BusinessUnknown`].
    pub async fn take_remainder(
        &self,
        id: SeriesId,
        from: VisitId,
        whole: bool,
    ) -> Result<TakenRemainder, Error> {
        let schedule = self.settled_schedule().await?;
        let ids: Vec<_> = self.series(id).await?.appointments.iter().map(|one| one.appointment.id).collect();
        let mut all = self.take_visits(&ids).await?;
        let occurrence = all.get(&from).and_then(|from| from.appointment.occasion.occurrence);
        let occurrence = occurrence.ok_or(Error::NotFound("appointment"))?;
        let first = if whole { 1 } else { occurrence.number };
        all.retain(|_, visit| visit.appointment.is_in_remainder(first));
        let mut visits: Vec<_> = all.into_values().map(|visit| (visit.appointment, visit.rows)).collect();
        visits.sort_by_key(|(visit, _)| visit.starts_at);
        Ok(TakenRemainder { schedule, from, from_planned: occurrence.planned_at, visits })
    }

    /// Moves visits of a series to where they are `wanted`, with the places of all of them free; the series has them
    /// there from now on if they are `shifted`. Returns those that moved, as they were and as they are, and those
    /// that did not.
    ///
    /// # Errors
    /// [`Error::Occurrence`].
    pub async fn move_remainder(
        &self,
        rest: &TakenRemainder,
        wanted: &[(usize, Wanted)],
        shifted: bool,
        leave_taken: bool,
    ) -> Result<(Vec<VisitChange>, Vec<VisitId>), Error> {
        let placed = self.place_remainder(rest, wanted, leave_taken).await?;
        let (visits, placements): (Vec<_>, Vec<_>) =
            placed.into_iter().map(|(index, placement)| (&rest.visits[index], placement)).unzip();
        let moved: Vec<_> = visits.iter().map(|(visit, rows)| VisitChange::moved(visit, rows)).collect();
        let shifted_to = |visit: &Appointment, placement: &Placement| {
            let moved = visit.clone().moved_to(placement);
            if shifted { moved.planned_here() } else { moved }
        };
        let rearranged: Vec<_> = visits
            .into_iter()
            .zip(&placements)
            .map(|((visit, rows), placement)| Rearranged {
                before: rows,
                after: shifted_to(visit, placement),
                occupied: &placement.occupied,
            })
            .collect();
        self.save_rearranged(&rearranged).await?;
        for Rearranged { before, after, .. } in &rearranged {
            self.publish_freed(after.id, after.version, before).await?;
        }
        let all = rest.visits.iter().map(|(visit, _)| visit.id);
        let left = all.filter(|id| moved.iter().all(|moved| moved.visit != id.0)).collect();
        Ok((moved, left))
    }

    /// Places visits of a series where they are `wanted`, in days that are taken with that; visits without a free place
    /// are refused, or left out.
    ///
    /// # Errors
    /// [`Error::Occurrence`].
    pub async fn place_remainder(
        &self,
        rest: &TakenRemainder,
        wanted: &[(usize, Wanted)],
        leave_taken: bool,
    ) -> Result<Vec<(usize, Placement)>, Error> {
        let mut wanted = wanted.to_vec();
        let free = self.free_without(rest, &wanted).await?;
        loop {
            match free.place_all(rest, &wanted) {
                Ok(placements) => {
                    return Ok(wanted.iter().map(|(index, _)| *index).zip(placements).collect());
                }
                // It stays, so its time is not free for the others either.
                Err((place, _)) if leave_taken => drop(wanted.remove(place)),
                Err((place, refusal)) => {
                    return Err(Error::Occurrence { number: wanted[place].1.number, refusal });
                }
            }
        }
    }

    /// Takes all days of visits, where they are and where they are wanted, and looks at what is
    /// free without them.
    async fn free_without(&self, rest: &TakenRemainder, wanted: &[(usize, Wanted)]) -> Result<Free, Error> {
        let schedule = &rest.schedule;
        let reaches = self.reaches(schedule, wanted.iter().map(|(_, wanted)| wanted))?;
        let rows = rest.visits.iter().flat_map(|(_, rows)| rows).map(|row| row.during);
        let spans: Vec<_> = reaches.iter().copied().chain(rows).collect();
        self.take_days(&days_of(&spans, &schedule.zone)).await?;
        let days = self.read_days(schedule, days_of(&reaches, &schedule.zone), Lock::Taken).await?;
        let ids: Vec<_> = rest.visits.iter().map(|(visit, _)| visit.id).collect();
        let histories =
            self.histories_of(schedule, wanted.iter().map(|(_, wanted)| wanted), &reaches).await?;
        let under = self.facts_over(&ids).await?;
        let under = under.iter().map(|fact| (fact.subject, fact.span)).collect();
        Ok(Free { days, under, histories })
    }

    /// Calls visits off, whose turn this transaction has taken.
    pub async fn save_called_off(
        &self,
        schedule: &Schedule,
        visits: &[(Appointment, Vec<Occupied>)],
    ) -> Result<(), Error> {
        let rows: Vec<_> = visits.iter().map(|(_, rows)| rows.as_slice()).collect();
        self.take_days(&days_of_rows(&rows, &schedule.zone)).await?;
        self.call_off(visits).await
    }

    /// Calls visits off whose days are taken as well.
    pub(super) async fn call_off(&self, visits: &[(Appointment, Vec<Occupied>)]) -> Result<(), Error> {
        for (visit, rows) in visits {
            self.close_visit(visit.id).await?;
            self.settle_conflicts_of(visit.id, rows, &[]).await?;
            self.publish_freed(visit.id, visit.version, rows).await?;
            self.save_state(visit).await?;
            self.add_state_change(visit.id, Stage::Cancelled, true).await?;
        }
        Ok(())
    }
}

/// What is free for visits that are placed one after the other.
pub(crate) struct Free {
    pub days: Days,
    /// Facts that take the time of visits once those are gone.
    pub under: Vec<(SubjectId, Span)>,
    /// What their customer has had.
    pub histories: Histories,
}

impl Free {
    /// Places visits where they are wanted, with the places of all of them free, or returns the one
    /// that does not fit.
    fn place_all(
        &self,
        rest: &TakenRemainder,
        wanted: &[(usize, Wanted)],
    ) -> Result<Vec<Placement>, (usize, Refusal)> {
        let moving = wanted.iter().map(|(index, _)| &rest.visits[*index]);
        // The rows of a squeezed-in visit block no time, so moving it frees none.
        let blocking = moving.filter(|(visit, _)| !visit.squeezed_in).flat_map(|(_, rows)| rows);
        let given: Vec<_> = blocking.map(|row| (row.subject, row.during)).collect();
        let mut taken = self.under.clone();
        let place = |(place, (_, wanted)): (usize, &(usize, Wanted))| {
            let placement = self.place(&rest.schedule, wanted, &given, &taken);
            let placement = placement.map_err(|refusal| (place, refusal))?;
            taken.extend(placement.occupied.iter().map(|row| (row.subject, row.during)));
            Ok(placement)
        };
        wanted.iter().enumerate().map(place).collect()
    }

    /// Places one visit once some time is given back and other time taken.
    pub fn place(
        &self,
        schedule: &Schedule,
        wanted: &Wanted,
        given: &[(SubjectId, Span)],
        taken: &[(SubjectId, Span)],
    ) -> Result<Placement, Refusal> {
        let start = wanted.starts_at.ok_or(Refusal::NotWorking)?;
        let request = schedule.request(&wanted.items).map_err(|_| Refusal::NotSkilled)?;
        let request = self.histories.complete(request);
        let mut line = line(&request, &self.days.around(request.reach(start, start)));
        given.iter().for_each(|(subject, span)| line.give(*subject, *span));
        taken.iter().for_each(|(subject, span)| line.take(*subject, *span));
        Placer::new(&line, &request).at(start)
    }
}
