//! Finds the next free time where a search found none, and counts what was not found.

use caller::{BusinessScope, Tenant};
use engine::{item::Item, part_of_day::PartOfDay, policy::Booker, span::Span, visit::Placement};
use jiff::{SignedDuration, tz::TimeZone};

use crate::{
    Error,
    domain::{demand::Demand, hypothesis::Hypothesis},
    store::Store,
};

const YEAR: SignedDuration = SignedDuration::from_hours(366 * 24);

/// A search that found nothing.
#[derive(Debug)]
pub struct FindElsewhere<'a> {
    /// What it was for.
    pub items: &'a [Item],
    /// Where it looked.
    pub starts: Span,
    /// Whose notice counts.
    pub booker: Booker,
    /// In which part of the day.
    pub part: Option<PartOfDay>,
    /// What it supposed.
    pub hypothesis: &'a Hypothesis,
    /// The business's zone.
    pub zone: &'a TimeZone,
}

impl FindElsewhere<'_> {
    /// The first free start after those that were looked at.
    ///
    /// # Errors
    /// [`Error::Unsettled`], or an instant of which nothing is known.
    pub async fn run(self, store: &Store, scope: &BusinessScope) -> Result<Option<Placement>, Error> {
        let Self { items, starts, booker, part, hypothesis, .. } = self;
        let tx = store.begin(scope);
        if hypothesis.is_real() {
            let today = self.zone.to_datetime(tx.now()).date();
            let demand = Demand::new(today, items, part.or_else(|| PartOfDay::holding(starts, self.zone)));
            store.count_demand(scope.business(), demand);
        }
        let Some(later) = later(starts) else { return Ok(None) };
        let next = tx.first_offer(items, later, booker, part, hypothesis).await?;
        tx.release();
        Ok(next)
    }
}

fn later(starts: Span) -> Option<Span> {
    Span::new(starts.ends_at(), starts.ends_at().checked_add(YEAR).ok()?)
}
