//! Takes in what scheduling tells of a visit that was booked in a call, or by the team from it.

use jiff::Timestamp;

use crate::{
    domain::{
        AppointmentId, CallId, ProductEventId,
        product_event::{Kind, ProductEvent},
        visit::Visit,
    },
    error::Error,
    store::Tx,
};

/// A visit of a call, as it is now.
#[derive(Debug)]
pub struct AttributeVisit {
    /// The call.
    pub call: CallId,
    /// The appointment.
    pub id: AppointmentId,
    /// What is told of it.
    pub visit: Visit,
    /// The agent's booking itself, to note it: which event told of it, and when it was.
    pub booking: Option<(ProductEventId, Timestamp)>,
}

impl AttributeVisit {
    /// Adds it to its call and to the figures. What is older than what is known changes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such call.
    pub async fn run(self, tx: Tx) -> Result<(), Error> {
        let before = tx.call_by_id(self.call).await?;
        let after = before.clone().booked(self.id, self.visit);
        if let Some((id, at)) = self.booking {
            let kind = Kind::CallBooked;
            let (actor, version) = (tx.actor().to_owned(), kind.latest_version());
            let (tab, page, detail) = Default::default();
            tx.add_product_events(&[ProductEvent { id, kind, version, actor, tab, page, detail, at }])
                .await?;
        }
        if after != before {
            tx.save_call(&before, &after).await?;
        }
        tx.commit().await
    }
}
