//! Whose telephone numbers and e-mail addresses an employee may see: scheduling says, who knows their visits.

use core::time::Duration;

use boot::peer::Peer;
use caller::{BusinessScope, Tenant};
use proto::{
    contact::ContactReach,
    frontdesk::scheduling::internal::v1::{
        FindContactReachRequest, contact_reach_service_client::ContactReachServiceClient,
    },
};
use tonic::Status;

/// How long scheduling may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks scheduling.
#[derive(Debug, Clone)]
pub struct Contacts(Peer);

impl Contacts {
    /// What the scheduling service that is served there says.
    #[must_use]
    pub fn new(scheduling: Peer) -> Self {
        Self(scheduling)
    }

    /// Whose the caller may see.
    ///
    /// # Errors
    /// When scheduling does not answer: an employee is shown nothing rather than too much.
    pub async fn reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        let Some(person) = scope.limited_to_own_visits() else { return Ok(ContactReach::All) };
        let business_id = scope.business().to_string();
        let message = FindContactReachRequest { business_id, user_id: person.to_string() };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.0.as_service(Some(scope.business()), message, patience);
        let answer = ContactReachServiceClient::new(self.0.channel()).find_contact_reach(request).await?;
        let answer = answer.into_inner();
        Ok(if answer.all {
            ContactReach::All
        } else {
            ContactReach::Customers(answer.customer_ids.into_iter().collect())
        })
    }
}
