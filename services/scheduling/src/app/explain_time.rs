//! Why a time is free or not, and the next that is.

use std::sync::Arc;

use engine::{
    day::Day,
    explanation::{Explanation, Situation},
    id::VisitId,
    item::Item,
    policy::Booker,
    schedule::Schedule,
    slots::SLOT_SECONDS,
    span::Span,
    timeline::Timeline,
    visit::Placement,
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Error,
    domain::hypothesis::Hypothesis,
    store::{ATTEMPTS, Tx, plans},
};

/// How far ahead the next free time is looked for.
const AHEAD: SignedDuration = SignedDuration::from_hours(14 * 24);

/// An explanation, and what it was worked out with.
#[derive(Debug)]
pub struct Explained {
    /// The business's schedule.
    pub schedule: Arc<Schedule>,
    /// What is in the way, or the visit as it would be booked.
    pub explanation: Explanation,
    /// The first free start after one that is not free.
    pub next: Option<Placement>,
}

impl Tx {
    /// Explains the start of a visit of `items` that `booker` books under a hypothesis, and finds the
    /// next that is free where that one is not. Takes no locks.
    ///
    /// # Errors
    /// An unknown service, or an instant of which nothing is known.
    pub async fn explain(
        &self,
        items: &[Item],
        start: Timestamp,
        booker: Booker,
        hypothesis: &Hypothesis,
    ) -> Result<Explained, Error> {
        let stays = self.starts_then(&hypothesis.without, start).await?;
        let notice = (!stays).then_some(booker);
        let (schedule, explanation) = self.explanation(items, start, notice, hypothesis).await?;
        let next = self.next_offer(&schedule, items, &explanation, booker, hypothesis).await?;
        Ok(Explained { schedule, explanation, next })
    }

    async fn explanation(
        &self,
        items: &[Item],
        start: Timestamp,
        booker: Option<Booker>,
        hypothesis: &Hypothesis,
    ) -> Result<(Arc<Schedule>, Explanation), Error> {
        if hypothesis.as_of.is_some() {
            let schedule = self.schedule_under(hypothesis).await?;
            let explanation = self.explanation_by(&schedule, items, start, booker, hypothesis).await?;
            return Ok((schedule, explanation));
        }
        let mut schedule = self.known_schedule().await?;
        for _ in 0..ATTEMPTS {
            let explanation = self.explanation_by(&schedule, items, start, booker, hypothesis).await;
            if self.is_current(&schedule).await? {
                return Ok((schedule, explanation?));
            }
            schedule = self.load_schedule().await?;
        }
        Err(Error::Unsettled)
    }

    /// What is said and what is decided come from the same rows, read once.
    async fn explanation_by(
        &self,
        schedule: &Schedule,
        items: &[Item],
        start: Timestamp,
        booker: Option<Booker>,
        hypothesis: &Hypothesis,
    ) -> Result<Explanation, Error> {
        let days = Day::covering(schedule.reach(items, start)?, &schedule.zone);
        let taken = self.supposed(&days, hypothesis).await?;
        let plans = plans(schedule, days, &taken);
        let line = Timeline::new(&plans, schedule.rotas.keys().copied(), schedule.resources.keys().copied());
        let now = self.instant(hypothesis);
        let request = match self.request_as_of(schedule, items, Span::at(start), now).await {
            Ok(request) => Ok(request),
            Err(Error::Refused(refusal)) => Err(refusal),
            Err(error) => return Err(error),
        };
        let situation = Situation { schedule, line: &line, taken: &taken, now, booker };
        Ok(situation.explain(items, request.as_ref().map_err(|refusal| *refusal), start)?)
    }

    /// Whether one of some visits starts at `start`: where it is already, it needs no notice.
    async fn starts_then(&self, visits: &[VisitId], start: Timestamp) -> Result<bool, Error> {
        if visits.is_empty() {
            return Ok(false);
        }
        let visits = self.appointments_of(visits).await?;
        Ok(visits.iter().any(|visit| visit.appointment.starts_at == start))
    }

    async fn next_offer(
        &self,
        schedule: &Schedule,
        items: &[Item],
        explanation: &Explanation,
        booker: Booker,
        hypothesis: &Hypothesis,
    ) -> Result<Option<Placement>, Error> {
        let after = explanation.start + SignedDuration::from_secs(SLOT_SECONDS);
        let starts = Span::new(after, after + AHEAD).filter(|_| explanation.offer.is_none());
        let (Some(starts), Ok(_)) = (starts, schedule.request(items)) else { return Ok(None) };
        self.first_offer(items, starts, booker, None, hypothesis).await
    }
}
