//! Where a visit goes: booked for a time, moved, squeezed in, or as soon as can be for a walk-in.

use engine::{
    day::Day,
    item::Item,
    placement::Placer,
    policy::Booker,
    refusal::Refusal,
    schedule::Schedule,
    span::Span,
    squeeze_in::squeeze_in,
    timeline::Timeline,
    visit::{Placement, VisitRequest},
    walk_in::first,
};
use jiff::Timestamp;

use super::find_times::line;
use crate::{
    Error,
    store::{Lock, TakenVisit, Tx, days_of},
};

impl Tx {
    /// Takes the days around `start` and places a visit there, by a settled schedule.
    ///
    /// # Errors
    /// Why it can't be placed.
    pub async fn place(
        &self,
        schedule: &Schedule,
        items: &[Item],
        start: Timestamp,
        booker: Booker,
    ) -> Result<Placement, Error> {
        let request = self.admitted(schedule, items, start, booker).await?;
        self.place_request(schedule, &request, start).await
    }

    /// What a visit needs that may start then.
    ///
    /// # Errors
    /// TOO_SOON, TOO_FAR; an unknown service, or one that none of the requested employees does.
    pub(super) async fn admitted(
        &self,
        schedule: &Schedule,
        items: &[Item],
        start: Timestamp,
        booker: Booker,
    ) -> Result<VisitRequest, Error> {
        schedule.policy.admit(start, booker, self.now())?;
        self.request(schedule, items, Span::at(start)).await
    }

    /// As [`Self::place`], for what is needed already known.
    pub(super) async fn place_request(
        &self,
        schedule: &Schedule,
        request: &VisitRequest,
        start: Timestamp,
    ) -> Result<Placement, Error> {
        // The first check runs without locks: many requests for the same taken time are refused at once
        // instead of queueing for the day.
        self.find_place(schedule, request, start).await?;
        let days = Day::covering(request.reach(start, start), &schedule.zone);
        self.take_days(&days).await?;
        let days = self.read_days(schedule, days, Lock::Taken).await?;
        Ok(Placer::new(&line(request, &days), request).at(start)?)
    }

    /// Where a visit could be at `start`, as far as other transactions leave its time free. Takes no locks.
    ///
    /// # Errors
    /// Why it can't be placed.
    pub(super) async fn find_place(
        &self,
        schedule: &Schedule,
        request: &VisitRequest,
        start: Timestamp,
    ) -> Result<Placement, Error> {
        let days = Day::covering(request.reach(start, start), &schedule.zone);
        let seen = self.read_days(schedule, days, Lock::None).await?;
        Ok(Placer::new(&line(request, &seen), request).at(start)?)
    }

    /// Finds a visit another place at `start`, as if it had none, and takes the days of both.
    ///
    /// # Errors
    /// Why it can't be placed.
    pub async fn place_anew(
        &self,
        visit: &TakenVisit,
        items: &[Item],
        start: Timestamp,
    ) -> Result<Placement, Error> {
        visit.schedule.policy.admit_anew(visit.appointment.starts_at, start, self.now())?;
        let request = self.request(&visit.schedule, items, Span::at(start)).await?;
        let reach = request.reach(start, start);
        // The first check runs without locks, so that a refused request delays no other booking.
        Placer::new(&self.line_without(visit, &request, reach).await?, &request).at(start)?;
        self.take_days_around(visit, reach).await?;
        Ok(Placer::new(&self.line_without(visit, &request, reach).await?, &request).at(start)?)
    }

    /// What is free around `reach`, but for the visit itself.
    async fn line_without(
        &self,
        visit: &TakenVisit,
        request: &VisitRequest,
        reach: Span,
    ) -> Result<Timeline, Error> {
        let days = Day::covering(reach, &visit.schedule.zone);
        let it = [visit.appointment.id];
        Ok(self.occupancy(&visit.schedule, &days, &it, &it).await?.line(request, &[]))
    }

    /// Takes the days around `starts` and places a visit at the first of them that is free, by a
    /// settled schedule.
    ///
    /// # Errors
    /// Why it can't be placed.
    pub async fn place_walk_in(
        &self,
        schedule: &Schedule,
        items: &[Item],
        starts: Span,
    ) -> Result<Placement, Error> {
        let request = self.request(schedule, items, starts).await?;
        let days = Day::covering(request.reach(starts.starts_at(), starts.ends_at()), &schedule.zone);
        // The first check runs without locks, so that a refused request delays no other booking.
        let seen = self.read_days(schedule, days.clone(), Lock::None).await?;
        first(&line(&request, &seen), &request, starts)?;
        self.take_days(&days).await?;
        let days = self.read_days(schedule, days, Lock::Taken).await?;
        Ok(first(&line(&request, &days), &request, starts)?)
    }

    /// Takes the days of a visit at `start` that is squeezed in, by a settled schedule.
    ///
    /// # Errors
    /// TOO_SOON, TOO_FAR, NOT_SKILLED.
    pub async fn place_squeezed(
        &self,
        schedule: &Schedule,
        items: &[Item],
        start: Timestamp,
    ) -> Result<Placement, Error> {
        schedule.policy.admit(start, Booker::Desk, self.now())?;
        let request = schedule.request(items)?;
        self.take_days(&Day::covering(request.reach(start, start), &schedule.zone)).await?;
        Ok(squeeze_in(&request, start).ok_or(Refusal::NotTogether)?)
    }

    /// Takes the days of a visit that is squeezed in at `start`, and of where it is now.
    ///
    /// # Errors
    /// TOO_SOON, TOO_FAR, NOT_SKILLED.
    pub async fn squeeze_anew(
        &self,
        visit: &TakenVisit,
        items: &[Item],
        start: Timestamp,
    ) -> Result<Placement, Error> {
        visit.schedule.policy.admit_anew(visit.appointment.starts_at, start, self.now())?;
        let request = visit.schedule.request(items)?;
        self.take_days_around(visit, request.reach(start, start)).await?;
        Ok(squeeze_in(&request, start).ok_or(Refusal::NotTogether)?)
    }

    /// Takes the days of where a visit is and of where it goes.
    async fn take_days_around(&self, visit: &TakenVisit, reach: Span) -> Result<(), Error> {
        let mut spans: Vec<_> = visit.rows.iter().map(|row| row.during).collect();
        spans.push(reach);
        self.take_days(&days_of(&spans, &visit.schedule.zone)).await
    }
}
