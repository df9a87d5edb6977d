//! Cancels the remaining visits of a series together.

use engine::{
    appointment::{Appointment, CancelRequest, Canceller},
    id::{SeriesId, VisitId},
};
use proto::frontdesk::scheduling::v1::series_service_methods::CANCEL_REST_OF_SERIES;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, VisitChange},
    },
    measure::Figure,
    store::Tx,
};

/// A cancellation of a series from one of its visits on.
#[derive(Debug)]
pub struct CancelRestOfSeries {
    /// The series.
    pub series: SeriesId,
    /// The first visit to cancel.
    pub from: VisitId,
    /// Whether those before it are cancelled as well.
    pub whole: bool,
    /// May be empty.
    pub reason: String,
}

impl CancelRestOfSeries {
    /// Cancels the visits and publishes each; the change.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn run(self, tx: &Tx) -> Result<ChangeId, Error> {
        let rest = tx.take_remainder(self.series, self.from, self.whole).await?;
        let cancel = |(appointment, rows): (Appointment, _)| {
            let request = CancelRequest {
                at: tx.now(),
                by: tx.actor().to_owned(),
                canceller: Canceller::Staff,
                reason: self.reason.clone(),
            };
            Ok::<_, Error>((appointment.cancel(request, &rest.schedule.policy)?, rows))
        };
        let cancelled = rest.visits.into_iter().map(cancel).collect::<Result<Vec<_>, _>>()?;
        tx.save_called_off(&rest.schedule, &cancelled).await?;
        for (appointment, _) in &cancelled {
            tx.tally(Figure::Cancelled, 1);
            tx.publish_appointment(&CANCEL_REST_OF_SERIES, appointment.id).await?;
        }
        tx.audit(&CANCEL_REST_OF_SERIES, self.series).await?;
        let visits = cancelled.iter().map(|(visit, _)| VisitChange::cancelled(visit)).collect();
        tx.add_undoable(&Undoable { visits, ..Undoable::default() }).await
    }
}
