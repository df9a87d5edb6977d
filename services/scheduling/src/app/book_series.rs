//! Books a repeating visit: all of it, or none.

use engine::{
    appointment::{Appointment, BookingDetails},
    id::SeriesId,
    item::Item,
    occurrence::Occurrence,
    series::{Change, Recurrence, Series, changed},
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::series_service_methods::BOOK_SERIES;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, VisitChange},
    },
    measure::Figure,
    store::Tx,
};

/// A series to book.
#[derive(Debug)]
pub struct BookSeries {
    /// The services of each visit.
    pub items: Vec<Item>,
    /// How it repeats.
    pub recurrence: Recurrence,
    /// When the first visit starts.
    pub start: Timestamp,
    /// Visits that are left out, or start elsewhere.
    pub changes: Vec<Change>,
    /// For whom.
    pub occasion: BookingDetails,
}

impl BookSeries {
    /// Books the visits and publishes each; the series, and the change.
    ///
    /// # Errors
    /// Changes that don't fit the series; [`Error::Occurrence`] with the first visit that can't be placed.
    pub async fn run(self, tx: &Tx) -> Result<(SeriesId, ChangeId), Error> {
        let Self { items, recurrence, start, changes, occasion } = self;
        let schedule = tx.settled_schedule().await?;
        let planned = changed(&recurrence.planned(start, &schedule.zone), &changes)?;
        let wanted: Vec<_> = planned.iter().map(|one| one.of(&items)).collect();
        let placements = tx.place_series(&schedule, &wanted).await?;
        let series = Series { id: tx.new_id(), recurrence, booked_at: tx.now() };
        tx.add_series(&series).await?;
        let mut visits = Vec::with_capacity(planned.len());
        for (planned, placement) in planned.iter().zip(&placements) {
            // One that is booked elsewhere was meant to be there: the rest takes it along.
            let planned_at = placement.starts_at;
            let occurrence = Some(Occurrence { series: series.id, number: planned.number, planned_at });
            let occasion = BookingDetails { occurrence, ..occasion.clone() };
            let appointment = Appointment::book(tx.new_id(), placement, occasion, tx.now());
            tx.add_appointment(&appointment, &placement.occupied).await?;
            tx.tally(Figure::Booked, 1);
            tx.publish_appointment(&BOOK_SERIES, appointment.id).await?;
            visits.push(VisitChange::booked(&appointment));
        }
        tx.audit(&BOOK_SERIES, series.id).await?;
        let change = tx.add_undoable(&Undoable { visits, ..Undoable::default() }).await?;
        Ok((series.id, change))
    }
}
