//! Places for customers who are here, and for those who are squeezed in.

use engine::{
    day::Day,
    policy::Booker,
    refusal::Refusal,
    schedule::Schedule,
    span::Span,
    squeeze_in::squeeze_in,
    visit::{Item, Placement},
    walk_in::first,
};
use jiff::Timestamp;

use super::{Tx, agenda::line, day::Lock};
use crate::Error;

impl Tx {
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
        let wish = self.wish(schedule, items, starts).await?;
        let days = Day::covering(wish.reach(starts.starts_at(), starts.ends_at()), &schedule.zone);
        // Refused here already, it has stood in nobody's way.
        let seen = self.read_days(schedule, days.clone(), Lock::None).await?;
        first(&line(&wish, &seen), &wish, starts)?;
        self.take_days(&days).await?;
        let days = self.read_days(schedule, days, Lock::Taken).await?;
        Ok(first(&line(&wish, &days), &wish, starts)?)
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
        let wish = schedule.wish(items)?;
        self.take_days(&Day::covering(wish.reach(start, start), &schedule.zone)).await?;
        Ok(squeeze_in(&wish, start).ok_or(Refusal::NotTogether)?)
    }
}
