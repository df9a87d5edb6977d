//! Whose telephone numbers and e-mail addresses employees see.

use caller::{BusinessScope, UserId};
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::scheduling::{
        internal::v1::{ContactReachServiceHandler, FindContactReachRequest, FindContactReachResponse},
        v1::{
            self as pb, ContactPolicyServiceHandler, GetContactPolicyRequest, GetContactPolicyResponse,
            UpdateContactPolicyRequest, UpdateContactPolicyResponse,
            contact_policy_service_methods::UPDATE_CONTACT_POLICY,
        },
    },
    parse::id,
};
use tonic::{Status, async_trait};

use crate::{
    app::SetContactPolicy,
    domain::contact_reach::{ContactPolicy, phones_beyond},
    store::Store,
};

/// Numbers that are asked about at once.
const MOST_PHONES: usize = 500;

/// Serves `ContactPolicyService` and `ContactReachService`.
#[derive(Debug)]
pub(crate) struct ContactPolicies {
    store: Store,
}

impl ContactPolicies {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ContactPolicyServiceHandler for ContactPolicies {
    async fn get_contact_policy(
        &self,
        scope: BusinessScope,
        _: GetContactPolicyRequest,
    ) -> Result<GetContactPolicyResponse, Status> {
        let tx = self.store.begin(&scope);
        let policy = tx.contact_policy().await?;
        tx.release();
        Ok(GetContactPolicyResponse { policy: Some(pb::ContactPolicy::from(policy)) })
    }

    async fn update_contact_policy(
        &self,
        scope: BusinessScope,
        request: UpdateContactPolicyRequest,
    ) -> Result<UpdateContactPolicyResponse, Status> {
        let Some(policy) = &request.policy else { return Err(invalid("policy", "is required")) };
        let command = SetContactPolicy(ContactPolicy { employees_see_all: policy.employees_see_all });
        self.store
            .idempotent(&scope, &UPDATE_CONTACT_POLICY, &request, async |tx| {
                let policy = command.run(tx).await?;
                Ok(UpdateContactPolicyResponse { policy: Some(pb::ContactPolicy::from(policy)) })
            })
            .await
    }
}

#[async_trait]
impl ContactReachServiceHandler for ContactPolicies {
    async fn find_contact_reach(
        &self,
        scope: BusinessScope,
        request: FindContactReachRequest,
    ) -> Result<FindContactReachResponse, Status> {
        let person: UserId = id("user_id", &request.user_id)?;
        if request.phones.len() > MOST_PHONES {
            return Err(invalid("phones", "must be at most 500"));
        }
        let tx = self.store.begin(&scope);
        let reach = tx.contact_reach(person).await?;
        let answer = match reach {
            ContactReach::All => {
                FindContactReachResponse { all: true, ..FindContactReachResponse::default() }
            }
            ContactReach::Customers(ids) => {
                let owners = tx.customers_of_phones(&request.phones).await?;
                let hidden = phones_beyond(owners, |customer| ids.contains(&customer.to_string()));
                FindContactReachResponse {
                    all: false,
                    customer_ids: ids.into_iter().collect(),
                    hidden_phones: hidden.into_iter().collect(),
                }
            }
        };
        tx.release();
        Ok(answer)
    }
}

impl From<ContactPolicy> for pb::ContactPolicy {
    fn from(policy: ContactPolicy) -> Self {
        Self { employees_see_all: policy.employees_see_all }
    }
}
