//! What a request can be placed on: schedule and free time, as of now.

use std::sync::Arc;

use engine::{
    day::Day,
    item::Item,
    part_of_day::PartOfDay,
    placement::Placer,
    plan::DayPlan,
    policy::Booker,
    schedule::Schedule,
    span::Span,
    timeline::Timeline,
    visit::{Placement, VisitRequest},
};
use jiff::SignedDuration;

use crate::{
    Error,
    domain::hypothesis::Hypothesis,
    store::{ATTEMPTS, Days, Lock, Tx, plans},
};

/// Most that ask for the next free time find it this soon.
const FIRST_WINDOW: SignedDuration = SignedDuration::from_hours(2 * 24);
const LONGEST_WINDOW: SignedDuration = SignedDuration::from_hours(62 * 24);

/// All that a search needs.
#[derive(Debug)]
pub struct Agenda {
    /// The business's schedule.
    pub schedule: Arc<Schedule>,
    /// What is wanted.
    pub request: VisitRequest,
    /// When it may start; `None` if no requested start can be booked.
    pub starts: Option<Span>,
    /// What is free around then.
    pub line: Timeline,
    /// The days of the line.
    pub days: Vec<Day>,
}

impl Agenda {
    /// Where no start that is asked for is bookable.
    pub(crate) fn nothing(schedule: Arc<Schedule>, request: VisitRequest) -> Self {
        Self { schedule, request, starts: None, line: Timeline::new::<DayPlan>(&[], [], []), days: vec![] }
    }

    /// Every offer, by start, of a part of the day or at any time.
    #[must_use]
    pub fn offers(&self, part: Option<PartOfDay>) -> Vec<Placement> {
        self.first_offers(part, usize::MAX)
    }

    /// The first `most` offers.
    #[must_use]
    pub fn first_offers(&self, part: Option<PartOfDay>, most: usize) -> Vec<Placement> {
        let Some(starts) = self.starts else { return vec![] };
        let wanted = part.map(|part| part.slots(&self.days));
        Placer::new(&self.line, &self.request).offers_among(starts, wanted.as_ref()).take(most).collect()
    }
}

impl Tx {
    /// Looks at the time in which a visit of `items` could take place when it starts
    /// within `starts`, as far as `booker` may book it. Takes no locks.
    ///
    /// # Errors
    /// An unknown service, or one that none of the requested employees does.
    pub async fn agenda(&self, items: &[Item], starts: Span, booker: Booker) -> Result<Agenda, Error> {
        let mut schedule = self.known_schedule().await?;
        for _ in 0..ATTEMPTS {
            if let Some(agenda) = self.agenda_by(schedule, items, starts, booker).await? {
                return Ok(agenda);
            }
            schedule = self.load_schedule().await?;
        }
        Err(Error::Unsettled)
    }

    /// The agenda as it is, or under a hypothesis.
    ///
    /// # Errors
    /// As [`Self::agenda_under`].
    pub async fn agenda_by_hypothesis(
        &self,
        items: &[Item],
        starts: Span,
        booker: Booker,
        hypothesis: &Hypothesis,
    ) -> Result<Agenda, Error> {
        if hypothesis.is_real() {
            self.agenda(items, starts, booker).await
        } else {
            self.agenda_under(items, starts, booker, hypothesis).await
        }
    }

    /// The agenda under this schedule; `None` if the schedule has changed.
    async fn agenda_by(
        &self,
        schedule: Arc<Schedule>,
        items: &[Item],
        starts: Span,
        booker: Booker,
    ) -> Result<Option<Agenda>, Error> {
        let request = match self.request(&schedule, items, starts).await {
            Ok(request) => request,
            Err(error) => return if self.is_current(&schedule).await? { Err(error) } else { Ok(None) },
        };
        let Some(starts) = schedule.policy.bookable(starts, booker, self.now()) else {
            let nothing = Agenda::nothing(schedule, request);
            return Ok(self.is_current(&nothing.schedule).await?.then_some(nothing));
        };
        let days = Day::covering(request.reach(starts.starts_at(), starts.ends_at()), &schedule.zone);
        let days = self.read_days(&schedule, days, Lock::None).await?;
        let line = line(&request, &days);
        let is_current = days.schedule_version == schedule.version;
        let days = days.plans.iter().map(|day| day.plan.day.clone()).collect();
        Ok(is_current.then_some(Agenda { schedule, request, starts: Some(starts), line, days }))
    }

    /// As [`Tx::agenda`], under a hypothesis.
    ///
    /// # Errors
    /// As [`Tx::agenda`], and an instant of which nothing is known.
    pub async fn agenda_under(
        &self,
        items: &[Item],
        starts: Span,
        booker: Booker,
        hypothesis: &Hypothesis,
    ) -> Result<Agenda, Error> {
        let schedule = self.schedule_under(hypothesis).await?;
        let request = self.request_as_of(&schedule, items, starts, self.instant(hypothesis)).await?;
        let Some(starts) = schedule.policy.bookable(starts, booker, self.instant(hypothesis)) else {
            return Ok(Agenda::nothing(schedule, request));
        };
        let days = Day::covering(request.reach(starts.starts_at(), starts.ends_at()), &schedule.zone);
        let taken = self.supposed(&days, hypothesis).await?;
        let plans = plans(&schedule, days, &taken);
        let line = Timeline::new(&plans, request.candidates(), request.resources());
        let days = plans.into_iter().map(|plan| plan.day).collect();
        Ok(Agenda { schedule, request, starts: Some(starts), line, days })
    }

    /// The first offer that starts within `starts`, looked for in ever longer windows.
    ///
    /// # Errors
    /// As [`Self::agenda_under`].
    pub async fn first_offer(
        &self,
        items: &[Item],
        starts: Span,
        booker: Booker,
        part: Option<PartOfDay>,
        hypothesis: &Hypothesis,
    ) -> Result<Option<Placement>, Error> {
        let (mut from, mut length) = (starts.starts_at(), FIRST_WINDOW);
        while let Some(window) = Span::new(from, starts.ends_at().min(from + length)) {
            let agenda = self.agenda_by_hypothesis(items, window, booker, hypothesis).await?;
            if let Some(first) = agenda.first_offers(part, 1).pop() {
                return Ok(Some(first));
            }
            from = window.ends_at();
            if from >= agenda.schedule.policy.end(self.instant(hypothesis)) {
                break;
            }
            length = (length * 2).min(LONGEST_WINDOW);
        }
        Ok(None)
    }
}

pub(crate) fn line(request: &VisitRequest, days: &Days) -> Timeline {
    let plans: Vec<_> = days.plans.iter().map(|day| &day.plan).collect();
    let mut line = Timeline::new(&plans, request.candidates(), request.resources());
    for (subject, span) in &days.held {
        line.take(*subject, *span);
    }
    line
}
