//! Moves a visit that has not begun to another time, other employees or another length.

use engine::{
    appointment::{Appointment, Consent},
    id::{EmployeeId, VisitId},
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::appointment_service_methods::MOVE_APPOINTMENT;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, VisitChange},
    },
    measure::Figure,
    store::{StoredAppointment, Tx},
};

/// A move.
#[derive(Debug)]
pub struct MoveAppointment {
    /// The visit.
    pub id: VisitId,
    /// The new start; `None` for the present one.
    pub start: Option<Timestamp>,
    /// An employee or anyone for each item; `None` for the present ones.
    pub employees: Option<Vec<Option<EmployeeId>>>,
    /// Extra minutes of each item; `None` for the present lengths.
    pub extra_minutes: Option<Vec<i16>>,
    /// Whether the customer agreed to another employee than the only one they asked for.
    pub consent: Consent,
    /// Whether it may lie beside others.
    pub squeezed_in: bool,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

impl MoveAppointment {
    /// Moves the visit and publishes it; what it is now, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a visit that has begun, a place that is not free, another
    /// employee than the only one the customer asked for.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, ChangeId), Error> {
        let visit = tx.take_visit(self.id).await?;
        let appointment = visit.appointment.clone().seen_at(self.seen)?;
        let items = match &self.extra_minutes {
            Some(extra) => appointment.resized(self.employees.as_deref(), extra, self.consent),
            None => appointment.rearranged_with(self.employees.as_deref(), self.consent),
        };
        let start = self.start.unwrap_or(appointment.starts_at);
        let placement = if self.squeezed_in {
            tx.squeeze_anew(&visit, &items?, start).await?
        } else {
            tx.place_anew(&visit, &items?, start).await?
        };
        let visits = vec![VisitChange::moved(&appointment, &visit.rows)];
        let moved = Appointment { squeezed_in: self.squeezed_in, ..appointment.moved_to(&placement) };
        tx.save_moved(&visit, &moved, &placement).await?;
        tx.tally(Figure::Moved, 1);
        let stored = tx.publish_appointment(&MOVE_APPOINTMENT, self.id).await?;
        Ok((stored, tx.add_undoable(&Undoable { visits, ..Undoable::default() }).await?))
    }
}
