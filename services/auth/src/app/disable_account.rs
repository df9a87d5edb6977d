//! Disables accounts and enables them again, in the name of an administrator.

use boot::clock::Clock;
use caller::{Actor, InstallationScope, UserId};

use crate::{
    Error,
    domain::{
        account::Membership,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{EndReason, Store, Tx},
};

/// Disables and enables accounts.
#[derive(Debug)]
pub(crate) struct DisableAccount {
    pub store: Store,
    pub clock: Clock,
}

impl DisableAccount {
    /// Disables an account, ends its sessions and tells its businesses; a disabled one stays so, and is told of again: the
    /// telling may have failed before.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::OwnAccount`].
    pub(crate) async fn disable(&self, scope: &InstallationScope, person: UserId) -> Result<(), Error> {
        if matches!(scope.actor(), Actor::Person { user, .. } if *user == person) {
            return Err(Error::OwnAccount);
        }
        let now = self.clock.now();
        let tx = self.store.begin();
        tx.account(person).await?;
        // First, because it locks the account: a sign-in at the same time is ended or refused.
        if tx.disable(person, now).await? {
            tx.end_sessions_of(person, EndReason::Disabled, now).await?;
            tx.withdraw_all_invitations_of(person).await?;
            self.finish(tx, scope, person, SecurityEventKind::Disabled).await?;
        }
        self.tell(person).await
    }

    /// Tells each business of a disabled person: what opens without a session is closed by it.
    async fn tell(&self, person: UserId) -> Result<(), Error> {
        let tx = self.store.begin();
        let memberships = tx.memberships(person).await?;
        tx.commit().await?;
        for Membership { business, .. } in memberships {
            let tx = self.store.begin_in(business);
            tx.tell_disabled(person, business).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Enables a disabled account.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(crate) async fn enable(&self, scope: &InstallationScope, person: UserId) -> Result<(), Error> {
        let tx = self.store.begin();
        tx.account(person).await?;
        if tx.enable(person).await? {
            self.finish(tx, scope, person, SecurityEventKind::Enabled).await?;
        }
        Ok(())
    }

    /// Records what was done to an account, and commits it.
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
