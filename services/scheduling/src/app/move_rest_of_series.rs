//! Moves the remaining visits of a series together.

use engine::{
    id::{EmployeeId, SeriesId, VisitId},
    series::Shift,
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::series_service_methods::MOVE_REST_OF_SERIES;

use crate::{Error, measure::Figure, store::Tx};

/// A move of a series from one of its visits on.
#[derive(Debug)]
pub struct MoveRestOfSeries {
    /// The series.
    pub series: SeriesId,
    /// The first visit to move.
    pub from: VisitId,
    /// When that one shall start; the others move by as much.
    pub start: Timestamp,
    /// An employee or anyone for each item; `None` for the present ones.
    pub employees: Option<Vec<Option<EmployeeId>>>,
    /// Whether visits without a free place stay where they are.
    pub leave_taken: bool,
}

impl MoveRestOfSeries {
    /// Moves the visits and publishes each; those that stayed.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Occurrence`].
    pub async fn run(self, tx: &Tx) -> Result<Vec<VisitId>, Error> {
        let rest = tx.take_remainder(self.series, self.from).await?;
        let shift = Shift::new(rest.from, self.start, &rest.schedule.zone);
        let wanted = rest.wanted(&shift, self.employees.as_deref())?;
        let (moved, left) = tx.move_remainder(&rest, &wanted, self.leave_taken).await?;
        for id in moved {
            tx.tally(Figure::Moved, 1);
            tx.publish_appointment(&MOVE_REST_OF_SERIES, id).await?;
        }
        tx.audit(&MOVE_REST_OF_SERIES, self.series).await?;
        Ok(left)
    }
}
