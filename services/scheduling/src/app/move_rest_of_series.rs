//! Moves the remaining visits of a series together.

use engine::{
    appointment::Consent,
    id::{EmployeeId, SeriesId, VisitId},
    series::{Rearrangement, Shift},
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::series_service_methods::MOVE_REST_OF_SERIES;

use crate::{
    Error,
    domain::{id::ChangeId, undoable::Undoable},
    measure::Figure,
    store::Tx,
};

/// A move of a series from one of its visits on.
#[derive(Debug)]
pub struct MoveRestOfSeries {
    /// The series.
    pub series: SeriesId,
    /// The first visit to move.
    pub from: VisitId,
    /// When that one shall start, the others moving by as much; `None` if each keeps its start.
    pub start: Option<Timestamp>,
    /// An employee or anyone for each item; `None` for the present ones.
    pub employees: Option<Vec<Option<EmployeeId>>>,
    /// Extra minutes of each item; `None` for the present lengths.
    pub extra_minutes: Option<Vec<i16>>,
    /// Whether the customer agreed to another employee than the only one they asked for.
    pub consent: Consent,
    /// Whether those before it move as well.
    pub whole: bool,
    /// Whether visits without a free place stay where they are.
    pub leave_taken: bool,
}

impl MoveRestOfSeries {
    /// Moves the visits and publishes each; those that stayed, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Occurrence`].
    pub async fn run(self, tx: &Tx) -> Result<(Vec<VisitId>, ChangeId), Error> {
        let rest = tx.take_remainder(self.series, self.from, self.whole).await?;
        let zone = &rest.schedule.zone;
        let rearrangement = Rearrangement {
            shift: self.start.map(|start| Shift::new(rest.from_planned, start, zone)),
            employees: self.employees.as_deref(),
            extra_minutes: self.extra_minutes.as_deref(),
            consent: self.consent,
        };
        let wanted = rest.wanted(&rearrangement)?;
        let (moved, left) = tx.move_remainder(&rest, &wanted, self.start.is_some(), self.leave_taken).await?;
        for change in &moved {
            tx.tally(Figure::Moved, 1);
            tx.publish_appointment(&MOVE_REST_OF_SERIES, VisitId(change.visit)).await?;
        }
        tx.audit(&MOVE_REST_OF_SERIES, self.series).await?;
        let change = tx.add_undoable(&Undoable { visits: moved, ..Undoable::default() }).await?;
        Ok((left, change))
    }
}
