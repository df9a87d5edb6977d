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
    app::change_role::set_role,
    credentials::hashing::Hasher,
    domain::{
        account::{Account, MemberRole},
        password::Password,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{NewAccount, Store},
};

/// Provisions accounts and memberships.
#[derive(Debug)]
pub struct Provisioning {
    store: Store,
    hasher: Hasher,
    clock: Clock,
}

impl Provisioning {
    /// Provisions into a store.
    #[must_use]
    pub fn new(store: Store, hasher: Hasher, clock: Clock) -> Self {
        Self { store, hasher, clock }
    }

    /// Adds an account, or finds the one that has its e-mail.
    async fn ensure(&self, account: Account, password: Password) -> Result<UserId, Error> {
        let password = Some(self.hasher.hash(password).await?);
        let tx = self.store.begin();
        let (id, email) = (account.id, account.email.clone());
        let new = NewAccount { account, password, created_at: self.clock.now(), email_verified: true };
        let id = if tx.add_account(&new).await? {
            tx.record(&NewSecurityEvent::of(id, SecurityEventKind::Registered), self.clock.now()).await?;
            id
        } else {
            tx.credentials(&email).await?.ok_or(Error::NotFound("account"))?.account.id
        };
        tx.commit().await?;
        Ok(id)
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
        let tx = self.store.begin();
        let known = tx.credentials(&email).await?;
        tx.commit().await?;
        let id = match known {
            Some(known) => known.account.id,
            None => {
                let id = id.unwrap_or_else(|| UserId(self.clock.new_id()));
                let account = Account { id, email, name, admin: request.admin };
                self.ensure(account, password).await?
            }
        };
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
        let tx = self.store.begin_in(business);
        if set_role(&tx, person, business, role).await? {
            let event = NewSecurityEvent::of(person, SecurityEventKind::RoleChanged).in_business(business);
            tx.record(&event.about(&request.role), self.clock.now()).await?;
        }
        tx.commit().await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, %business, role = request.role, "role set");
        Ok(SetMembershipResponse {})
    }
}
