//! Creates a follow-up.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Error,
    domain::{ChangeId, CustomerId, Dialled, EmployeeId, FollowUp, FollowUpState, Undoable},
    store::{NamedFollowUp, Tx},
};

/// A follow-up to create.
#[derive(Debug)]
pub struct CreateFollowUp {
    /// What it is.
    pub text: String,
    /// Whom it is about.
    pub customer: Option<CustomerId>,
    /// Where to call back.
    pub dialled: Option<Dialled>,
    /// The call in which it was said.
    pub call: Option<Uuid>,
    /// Whose it is.
    pub employee: Option<EmployeeId>,
    /// Until when.
    pub due_at: Option<Timestamp>,
}

impl CreateFollowUp {
    /// Creates it and publishes it; the follow-up, and the change.
    ///
    /// # Errors
    /// [`Error::Phone`]; [`Error::Unknown`] for a customer or an employee whom the business doesn't have.
    pub async fn run(self, tx: &Tx) -> Result<(NamedFollowUp, ChangeId), Error> {
        let Self { text, customer, dialled, call, employee, due_at } = self;
        let follow_up = FollowUp {
            phone: tx.complete_phone(dialled).await?,
            id: tx.new_id(),
            text,
            customer,
            call,
            employee,
            due_at,
            state: FollowUpState::Open,
            created_by: tx.actor().to_owned(),
            created_at: tx.now(),
            version: 1,
        };
        if let Some(customer) = follow_up.customer {
            tx.hold_customer(customer).await.map_err(no_such_customer)?;
        }
        tx.add_follow_up(&follow_up).await?;
        let named = tx.publish_follow_up(&follow_up).await?;
        let creation = Undoable::FollowUpCreated(follow_up.id).leaving(follow_up.version);
        Ok((named, tx.add_undoable(&creation).await?))
    }
}

/// A follow-up names its customer in a field.
fn no_such_customer(error: Error) -> Error {
    match error {
        Error::NotFound(_) => Error::Unknown("customer_id", "customer"),
        other => other,
    }
}
