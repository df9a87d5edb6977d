//! Reads the figures of a span of local dates, and of as many before.

use jiff::tz::TimeZone;

use crate::{
    domain::{
        insights::{Clock, Figures, Keyed},
        span::Dates,
    },
    error::Error,
    store::Tx,
};

/// Which figures.
#[derive(Debug)]
pub struct ReadInsights {
    /// Of calls that started on these dates.
    pub dates: Dates,
    /// In the business's zone.
    pub zone: TimeZone,
}

/// Figures of a span and of the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insights {
    /// Of the span.
    pub figures: Figures,
    /// Of as many dates before.
    pub previous: Figures,
    /// The span's days and hours.
    pub clock: Clock,
}

impl ReadInsights {
    /// Reads them, up to date. To be committed.
    pub async fn run(self, tx: &Tx) -> Result<Insights, Error> {
        tx.update_figures().await?;
        let (figures, clock) = self.figures(tx, self.dates).await?;
        let (previous, _) = self.figures(tx, self.dates.before()).await?;
        Ok(Insights { figures, previous, clock })
    }

    async fn figures(&self, tx: &Tx, dates: Dates) -> Result<(Figures, Clock), Error> {
        let (span, hours) = (dates.in_zone(&self.zone), dates.hours(&self.zone));
        let clock = Clock::of(dates, &hours, &tx.quarters(span, &hours).await?);
        let keyed = Keyed::from(tx.tally(span).await?);
        Ok((Figures { all: clock.all(), keyed }, clock))
    }
}
