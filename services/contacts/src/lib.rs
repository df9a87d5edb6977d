//! Whose telephone numbers and e-mail addresses an employee may see: scheduling says, who knows their visits.

use core::time::Duration;
use std::collections::HashSet;

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

/// Whose contacts a person may see, with numbers of people of whom it is not known whether they are customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerReach {
    /// Of customers.
    pub customers: ContactReach,
    /// Numbers of customers beyond that, E.164.
    pub hidden_phones: HashSet<String>,
}

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
        Ok(self.reach_among(scope, vec![]).await?.customers)
    }

    /// Whose the caller may see, and which of at most 500 numbers are of customers beyond that.
    ///
    /// # Errors
    /// As [`Self::reach`].
    pub async fn reach_among(
        &self,
        scope: &BusinessScope,
        phones: Vec<String>,
    ) -> Result<CallerReach, Status> {
        let all = CallerReach { customers: ContactReach::All, hidden_phones: HashSet::new() };
        let Some(person) = scope.limited_to_own_visits() else { return Ok(all) };
        let business_id = scope.business().to_string();
        let message = FindContactReachRequest { business_id, user_id: person.to_string(), phones };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.0.as_service(Some(scope.business()), message, patience);
        let answer = ContactReachServiceClient::new(self.0.channel()).find_contact_reach(request).await?;
        let answer = answer.into_inner();
        Ok(if answer.all {
            all
        } else {
            CallerReach {
                customers: ContactReach::Customers(answer.customer_ids.into_iter().collect()),
                hidden_phones: answer.hidden_phones.into_iter().collect(),
            }
        })
    }
}
