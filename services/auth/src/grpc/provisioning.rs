//! `ProvisioningService`: accounts and memberships, for other services.

use boot::clock::Clock;
use caller::{BusinessId, InstallationScope, UserId};
use proto::{
    frontdesk::auth::internal::v1::{
        EnsureUserRequest, EnsureUserResponse, ProvisioningServiceHandler, SetMembershipRequest,
        SetMembershipResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::{email, name};
use crate::{
    Error,
    app::provision_account::{ProvisionAccount, Provisioned},
    credentials::hashing::Hasher,
    domain::{account::MemberRole, password::Password},
    store::Store,
};

/// Provisions accounts and memberships.
#[derive(Debug)]
pub struct Provisioning {
    provision: ProvisionAccount,
}

impl Provisioning {
    /// Provisions into a store.
    #[must_use]
    pub fn new(store: Store, hasher: Hasher, clock: Clock) -> Self {
        Self { provision: ProvisionAccount { store, hasher, clock } }
    }
}

#[async_trait]
impl ProvisioningServiceHandler for Provisioning {
    async fn ensure_user(
        &self,
        scope: InstallationScope,
        request: EnsureUserRequest,
    ) -> Result<EnsureUserResponse, Status> {
        let id: Option<UserId> = parse::optional_id("user_id", &request.user_id)?;
        let email = email("email", &request.email)?;
        let name = name("name", &request.name)?;
        let password =
            Password::new(request.password, &email).map_err(|rule| Error::invalid("password", rule))?;
        let person = Provisioned { id, email, name, admin: request.admin, password };
        let id = self.provision.ensure(person).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %id, "account ensured");
        Ok(EnsureUserResponse { user_id: id.to_string() })
    }

    async fn set_membership(
        &self,
        scope: InstallationScope,
        request: SetMembershipRequest,
    ) -> Result<SetMembershipResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let business: BusinessId = parse::id("business_id", &request.business_id)?;
        let role = (!request.role.is_empty()).then(|| MemberRole::parse(&request.role)).transpose();
        let role = role.map_err(|rule| Error::invalid("role", rule))?;
        self.provision.set_membership(person, business, role).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, %business, role = request.role, "role set");
        Ok(SetMembershipResponse {})
    }
}
