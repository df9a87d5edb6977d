//! Tells followers of an appointment as it is now, and notes in the audit trail who made it so.

use caller::Method;
use engine::id::VisitId;
use proto::frontdesk::{events::v1::event::Payload, scheduling::v1 as pb};

use crate::{
    Error,
    store::{StoredAppointment, Tx},
};

impl Tx {
    /// Announces an appointment that `method` changed, with its audit row; returns it as it is now.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn publish_appointment(
        &self,
        method: &Method,
        id: VisitId,
    ) -> Result<StoredAppointment, Error> {
        let stored = self.appointment(id).await?;
        let payload = Payload::Appointment(pb::Appointment::from(&stored));
        self.publish_audited_change(method, id, stored.appointment.version, payload).await?;
        Ok(stored)
    }
}
