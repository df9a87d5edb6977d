//! What a wish can be placed on: schedule and free time, as of now.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Tx,
    day::{Days, Lock},
};
use crate::{
    Error,
    domain::{
        day::Day,
        placement::Placer,
        plan::DayPlan,
        policy::Booker,
        schedule::Schedule,
        span::Span,
        timeline::Timeline,
        visit::{Item, Placement, Wish},
    },
};

/// Schedules change seldom: a search that meets this many changes gives up.
pub(super) const ATTEMPTS: usize = 5;

/// All that a search needs.
#[derive(Debug)]
pub struct Agenda {
    /// The business's schedule.
    pub schedule: Arc<Schedule>,
    /// What is wanted.
    pub wish: Wish,
    /// When it may start; nothing, where no start asked for is bookable.
    pub starts: Option<Span>,
    /// What is free around then.
    pub line: Timeline,
}

impl Tx {
    /// Looks at the time in which a visit of `items` could take place when it starts
    /// within `starts`. Takes no locks.
    ///
    /// # Errors
    /// An unknown service, or one that nobody who is asked for does.
    pub async fn agenda(&self, items: &[Item], starts: Span) -> Result<Agenda, Error> {
        let mut schedule = self.known_schedule().await?;
        for _ in 0..ATTEMPTS {
            if let Some(agenda) = self.agenda_by(schedule, items, starts).await? {
                return Ok(agenda);
            }
            schedule = self.load_schedule().await?;
        }
        Err(Error::Unsettled)
    }

    /// The agenda by this schedule; none if the schedule has changed.
    async fn agenda_by(
        &self,
        schedule: Arc<Schedule>,
        items: &[Item],
        starts: Span,
    ) -> Result<Option<Agenda>, Error> {
        let wish = match schedule.wish(items) {
            Ok(wish) => wish,
            Err(error) => {
                return if self.is_current(&schedule).await? { Err(error.into()) } else { Ok(None) };
            }
        };
        let Some(starts) = schedule.policy.bookable(starts, self.now()) else {
            let nothing = Agenda { wish, starts: None, line: Timeline::new::<DayPlan>(&[], []), schedule };
            return Ok(self.is_current(&nothing.schedule).await?.then_some(nothing));
        };
        let days = Day::covering(wish.reach(starts.starts_at(), starts.ends_at()), &schedule.zone);
        let days = self.read_days(&schedule, days, Lock::None).await?;
        let line = line(&wish, &days);
        let is_current = days.schedule_version == schedule.version;
        Ok(is_current.then_some(Agenda { schedule, wish, starts: Some(starts), line }))
    }

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
        schedule.policy.admit(start, booker, self.now())?;
        let wish = schedule.wish(items)?;
        let days = Day::covering(wish.reach(start, start), &schedule.zone);
        // Whoever is refused here has stood in nobody's way: a crowd after one time does
        // not queue for the day only to hear, one by one, that it is taken.
        let seen = self.read_days(schedule, days.clone(), Lock::None).await?;
        Placer::new(&line(&wish, &seen), &wish).at(start)?;
        self.take_days(&days).await?;
        let days = self.read_days(schedule, days, Lock::Taken).await?;
        Ok(Placer::new(&line(&wish, &days), &wish).at(start)?)
    }
}

pub(super) fn line(wish: &Wish, days: &Days) -> Timeline {
    let plans: Vec<_> = days.plans.iter().map(|day| &day.plan).collect();
    let candidates = wish.steps().iter().flat_map(|step| step.candidates.iter().copied());
    let mut line = Timeline::new(&plans, candidates);
    for (employee, span) in &days.held {
        line.take(*employee, *span);
    }
    line
}
