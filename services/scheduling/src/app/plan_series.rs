//! Visits that repeat: what each could have, and where each is placed.

use std::sync::Arc;

use engine::{
    day::Day,
    item::Item,
    placement::Placer,
    policy::Booker,
    refusal::Refusal,
    schedule::Schedule,
    series::{Planned, Recurrence, Wanted},
    span::Span,
    visit::{Placement, VisitRequest},
};
use jiff::Timestamp;

use super::change_remainder::Free;
use super::find_times::line;
use crate::{
    Error,
    store::{Histories, Lock, Tx, days_of},
};

/// What a visit of a series could have.
#[derive(Debug, Clone)]
pub struct Outlook {
    /// The visit.
    pub planned: Planned,
    /// Where it would be, or why not.
    pub placement: Result<Placement, Refusal>,
    /// What is free nearest to it on its date, where it can't be.
    pub nearest: Option<Placement>,
}

/// A series to look at.
#[derive(Debug)]
pub struct PlanSeries {
    /// The services of each visit.
    pub items: Vec<Item>,
    /// How it repeats.
    pub recurrence: Recurrence,
    /// When the first visit starts.
    pub start: Timestamp,
}

impl PlanSeries {
    /// What each visit could have, by the schedule it was looked at with.
    ///
    /// # Errors
    /// An unknown service, or items that no employee can do.
    pub async fn run(self, tx: &Tx) -> Result<(Arc<Schedule>, Vec<Outlook>), Error> {
        let schedule = tx.settled_schedule().await?;
        let planned = self.recurrence.planned(self.start, &schedule.zone);
        let outlook = tx.series_outlook(&schedule, &self.items, &planned).await?;
        Ok((schedule, outlook))
    }
}

impl Tx {
    /// Looks at what each visit of a series could have, with one query for all of their days.
    async fn series_outlook(
        &self,
        schedule: &Schedule,
        items: &[Item],
        planned: &[Planned],
    ) -> Result<Vec<Outlook>, Error> {
        let starts = planned.iter().filter_map(|one| one.starts_at).map(Span::at).reduce(Span::hull);
        let request = match starts {
            Some(starts) => self.request(schedule, items, starts).await?,
            None => schedule.request(items)?,
        };
        let dates: Vec<_> = planned.iter().map(|one| day_around(one, schedule)).collect();
        let reaches: Vec<_> =
            dates.iter().flatten().map(|date| request.reach(date.starts_at(), date.ends_at())).collect();
        let days = self.read_days(schedule, days_of(&reaches, &schedule.zone), Lock::None).await?;
        let outlook = |(planned, date): (&Planned, Option<Span>)| {
            let (Some(start), Some(date)) = (planned.starts_at, date) else {
                return Outlook { planned: *planned, placement: Err(Refusal::NotWorking), nearest: None };
            };
            let line = line(&request, &days.around(request.reach(date.starts_at(), date.ends_at())));
            let placer = Placer::new(&line, &request);
            let admitted = schedule.policy.admit(start, Booker::Desk, self.now());
            let placement = admitted.and_then(|()| placer.at(start));
            let bookable = schedule.policy.bookable(date, Booker::Desk, self.now());
            let bookable = bookable.filter(|_| placement.is_err());
            let offers = bookable.into_iter().flat_map(|bookable| placer.offers(bookable));
            let nearest = offers.min_by_key(|offer| offer.starts_at.duration_since(start).abs());
            Outlook { planned: *planned, placement, nearest }
        };
        Ok(planned.iter().zip(dates).map(outlook).collect())
    }

    /// Takes the days of all visits of a series and places each, or says which can't be.
    ///
    /// # Errors
    /// [`Error::Occurrence`].
    pub async fn place_series(
        &self,
        schedule: &Schedule,
        wanted: &[Wanted],
    ) -> Result<Vec<Placement>, Error> {
        let reaches = self.reaches(schedule, wanted.iter())?;
        self.take_days(&days_of(&reaches, &schedule.zone)).await?;
        let days = self.read_days(schedule, days_of(&reaches, &schedule.zone), Lock::Taken).await?;
        let histories = self.histories_of(schedule, wanted.iter(), &reaches).await?;
        let (free, mut taken) = (Free { days, under: vec![], histories }, vec![]);
        let place = |wanted: &Wanted| {
            let placement = free.place(schedule, wanted, &[], &taken);
            let number = wanted.number;
            let placement = placement.map_err(|refusal| Error::Occurrence { number, refusal })?;
            taken.extend(placement.occupied.iter().map(|row| (row.subject, row.during)));
            Ok(placement)
        };
        wanted.iter().map(place).collect()
    }

    /// What the customer of some visits of a series has had.
    pub(crate) async fn histories_of<'a>(
        &self,
        schedule: &Schedule,
        wanted: impl Iterator<Item = &'a Wanted>,
        reaches: &[Span],
    ) -> Result<Histories, Error> {
        let Some(all) = reaches.iter().copied().reduce(Span::hull) else { return Ok(Histories::default()) };
        let requests: Vec<_> = wanted.filter_map(|wanted| schedule.request(&wanted.items).ok()).collect();
        self.histories(requests.iter().flat_map(VisitRequest::needs), all, self.now()).await
    }

    /// All that visits could occupy where they are wanted.
    pub(crate) fn reaches<'a>(
        &self,
        schedule: &Schedule,
        wanted: impl Iterator<Item = &'a Wanted>,
    ) -> Result<Vec<Span>, Error> {
        let reach = |wanted: &Wanted| {
            let refused = |refusal| Error::Occurrence { number: wanted.number, refusal };
            let start = wanted.starts_at.ok_or_else(|| refused(Refusal::NotWorking))?;
            schedule.policy.admit(start, Booker::Desk, self.now()).map_err(refused)?;
            Ok(schedule.request(&wanted.items)?.reach(start, start))
        };
        wanted.map(reach).collect()
    }
}

/// The local date of a planned visit.
fn day_around(planned: &Planned, schedule: &Schedule) -> Option<Span> {
    let day = Day::of(planned.date, &schedule.zone);
    planned.starts_at.and_then(|_| Span::new(day.starts_at(), day.ends_at()))
}
