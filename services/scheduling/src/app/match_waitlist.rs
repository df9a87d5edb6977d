//! What there is for those who wait: the first time that suits each, and who could use what was
//! freed. Decided by the same placer as a search.

use std::sync::Arc;

use engine::{
    dates::DateRange,
    day::Day,
    id::VisitId,
    placement::Placer,
    policy::Booker,
    schedule::Schedule,
    span::Span,
    visit::{Occupied, Placement, VisitRequest},
    waitlist::{Entry, could_use, first_offer},
};
use proto::frontdesk::events::v1::{WaitlistMatched, event::Payload};

use super::find_times::line;
use crate::{
    Error,
    measure::Figure,
    store::{ATTEMPTS, Lock, Tx, days_of},
};

/// Most entries that an event names.
const MOST_TOLD: usize = 50;

/// The visit a waiting customer wants, and when it may start.
struct Wanted {
    request: VisitRequest,
    starts: Vec<Span>,
    /// All that it could touch.
    reach: Span,
}

impl Wanted {
    /// What an entry wants under `schedule`; `None` if no employee does its services any more or none
    /// of its starts can be booked now.
    fn of(entry: &Entry, schedule: &Schedule, bookable: Span) -> Option<Self> {
        let request = schedule.request(&entry.items).ok()?;
        let starts = entry.starts_within(bookable, &schedule.zone);
        let reach = request.reach(starts.first()?.starts_at(), starts.last()?.ends_at());
        Some(Self { request, starts, reach })
    }
}

impl Tx {
    /// The first time that suits each of `entries` now and the desk may book, with one query for all
    /// of their days. Takes no locks.
    ///
    /// # Errors
    /// [`Error::Unsettled`].
    pub async fn first_offers<'a>(
        &self,
        entries: impl Iterator<Item = &'a Entry> + Clone,
    ) -> Result<(Arc<Schedule>, Vec<Option<Placement>>), Error> {
        let mut schedule = self.known_schedule().await?;
        for _ in 0..ATTEMPTS {
            let bookable = Span::new(
                schedule.policy.earliest(Booker::Desk, self.now()),
                schedule.policy.end(self.now()),
            );
            let wanted = |entry| Wanted::of(entry, &schedule, bookable?);
            let mut wanted: Vec<_> = entries.clone().map(wanted).collect();
            self.complete(wanted.iter_mut().flatten(), bookable).await?;
            let reaches: Vec<_> = wanted.iter().flatten().map(|wanted| wanted.reach).collect();
            let days = self.read_days(&schedule, days_of(&reaches, &schedule.zone), Lock::None).await?;
            if days.schedule_version == schedule.version {
                let offer = |wanted: &Wanted| {
                    let line = line(&wanted.request, &days.around(wanted.reach));
                    first_offer(&Placer::new(&line, &wanted.request), &wanted.starts)
                };
                let offers = wanted.iter().map(|wanted| wanted.as_ref().and_then(offer)).collect();
                return Ok((schedule, offers));
            }
            schedule = self.load_schedule().await?;
        }
        Err(Error::Unsettled)
    }

    /// Publishes which waitlist entries could use the time that a visit, now at `version`, has freed in
    /// days locked by this transaction. Entries that also need other days are found by listing the
    /// waitlist.
    pub async fn publish_freed(&self, visit: VisitId, version: i64, freed: &[Occupied]) -> Result<(), Error> {
        let Some(span) = freed.iter().map(|freed| freed.during).reduce(Span::hull) else { return Ok(()) };
        let schedule = self.settled_schedule().await?;
        let days = Day::covering(span, &schedule.zone);
        let dates =
            days.first().zip(days.last()).map(|(first, last)| DateRange::new(first.date(), last.date()));
        let Some(Ok(dates)) = dates else { return Ok(()) };
        let waiting = self.waiting_for(dates).await?;
        // The desk is told, and books them.
        let bookable = dates
            .span(&schedule.zone)
            .and_then(|days| schedule.policy.bookable(days, Booker::Desk, self.now()));
        let (Some(bookable), false) = (bookable, waiting.is_empty()) else { return Ok(()) };
        let days = self.read_days(&schedule, days, Lock::Changed).await?;
        let wanted = |entry: &Entry| Some((entry.id, Wanted::of(entry, &schedule, bookable)?));
        let mut wanted: Vec<_> = waiting.iter().filter_map(|waits| wanted(&waits.entry)).collect();
        self.complete(wanted.iter_mut().map(|(_, wanted)| wanted), Some(bookable)).await?;
        let fits = |wanted: &Wanted| {
            let line = line(&wanted.request, &days);
            could_use(&Placer::new(&line, &wanted.request), &wanted.starts, freed)
        };
        let fitting = wanted.iter().filter(|(_, wanted)| fits(wanted)).map(|(id, _)| id.to_string());
        let entry_ids: Vec<_> = fitting.take(MOST_TOLD).collect();
        if entry_ids.is_empty() {
            return Ok(());
        }
        self.tally(Figure::WaitlistOffered, entry_ids.len());
        let matched = WaitlistMatched { appointment_id: visit.to_string(), entry_ids };
        self.publish_change(visit, version, Payload::WaitlistMatched(matched)).await
    }

    /// Lets requests know what their customers have had.
    async fn complete<'a>(
        &self,
        wanted: impl Iterator<Item = &'a mut Wanted>,
        bookable: Option<Span>,
    ) -> Result<(), Error> {
        let mut wanted: Vec<_> = wanted.collect();
        let Some(bookable) = bookable else { return Ok(()) };
        let needs = wanted.iter().flat_map(|wanted| wanted.request.needs());
        let histories = self.histories(needs, bookable, self.now()).await?;
        for wanted in &mut wanted {
            wanted.request = histories.complete(wanted.request.clone());
        }
        Ok(())
    }
}
