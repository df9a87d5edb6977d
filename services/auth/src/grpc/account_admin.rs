//! `AccountAdminService`: accounts of the whole installation.

use boot::clock::Clock;
use caller::{Actor, InstallationScope, UserId};
use proto::{
    frontdesk::auth::v1::{
        AccountAdminServiceHandler, DisableAccountRequest, DisableAccountResponse, EnableAccountRequest,
        EnableAccountResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use crate::{
    Error,
    domain::security_event::{NewSecurityEvent, SecurityEventKind},
    store::{EndReason, Store, Tx},
};

/// Shuts accounts out and lets them in again.
#[derive(Debug)]
pub struct AccountAdmin {
    store: Store,
    clock: Clock,
}

impl AccountAdmin {
    /// Accounts of a store.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock }
    }

    /// Enters what an administrator did to an account, once it is done.
    async fn finish(
        &self,
        tx: Tx,
        scope: &InstallationScope,
        person: UserId,
        kind: SecurityEventKind,
    ) -> Result<(), Error> {
        let event = NewSecurityEvent::of(person, kind);
        let event = match scope.actor() {
            Actor::Person { user, session } => event.by(*user).from(&tx.origin_of(*session).await?),
            Actor::Agent { .. } | Actor::Service { .. } => event,
        };
        tx.record(&event, self.clock.now()).await?;
        tx.commit().await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, done = kind.as_str(), "account changed");
        Ok(())
    }
}

#[async_trait]
impl AccountAdminServiceHandler for AccountAdmin {
    async fn disable_account(
        &self,
        scope: InstallationScope,
        request: DisableAccountRequest,
    ) -> Result<DisableAccountResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        if matches!(scope.actor(), Actor::Person { user, .. } if *user == person) {
            return Err(Error::OwnAccount.into());
        }
        let now = self.clock.now();
        let tx = self.store.begin();
        tx.account(person).await?;
        // First, because it locks the account: a sign-in at the same time is ended or refused.
        if tx.disable(person, now).await? {
            tx.end_sessions_of(person, EndReason::Disabled, now).await?;
            tx.withdraw_all_invitations_of(person).await?;
            self.finish(tx, &scope, person, SecurityEventKind::Disabled).await?;
        }
        Ok(DisableAccountResponse {})
    }

    async fn enable_account(
        &self,
        scope: InstallationScope,
        request: EnableAccountRequest,
    ) -> Result<EnableAccountResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let tx = self.store.begin();
        tx.account(person).await?;
        if tx.enable(person).await? {
            self.finish(tx, &scope, person, SecurityEventKind::Enabled).await?;
        }
        Ok(EnableAccountResponse {})
    }
}
