//! Sets a new password by a mailed link, and ends what was opened with the old one.

use boot::clock::Clock;

use crate::{
    Error,
    credentials::{hashing::Hasher, limits::Limits},
    domain::{
        client::Origin,
        letter,
        one_time_token::OneTimeTokenHash,
        password::Password,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{EndReason, Store},
};

/// Resets passwords.
#[derive(Debug)]
pub(crate) struct ResetPassword {
    pub store: Store,
    pub hasher: Hasher,
    pub limits: Limits,
    pub clock: Clock,
}

impl ResetPassword {
    /// Gives the owner of a mailed token a new password, and a name with their first one: who was given an account
    /// has not said yet what they are called.
    ///
    /// # Errors
    /// A token that does not count (any more), a password against the rules.
    pub(crate) async fn run(
        &self,
        token: OneTimeTokenHash,
        new_password: String,
        name: Option<String>,
        origin: &Origin,
    ) -> Result<(), Error> {
        let tx = self.store.begin();
        let owner = tx.token_owner(token, self.clock.now()).await?;
        tx.commit().await?;
        let password =
            Password::new(new_password, &owner.email).map_err(|rule| Error::invalid("new_password", rule))?;
        let hash = self.hasher.hash(password).await?;
        let now = self.clock.now();
        let tx = self.store.begin();
        // First, because it locks the account: two links used at once take turns.
        if let Some(name) = &name {
            tx.name_without_password(owner.id, name).await?;
        }
        tx.set_password(owner.id, &hash).await?;
        tx.spend_token(token, owner.id, now).await?;
        tx.end_sessions_of(owner.id, EndReason::PasswordReset, now).await?;
        tx.revoke_devices_of(owner.id).await?;
        // The link was mailed to the address or handed over by an operator, so its user owns the
        // address. Identities that a stranger connected before that proof are removed.
        if tx.verify_email(owner.id, now).await? {
            tx.remove_identities_of(owner.id).await?;
        }
        tx.forget_email_proofs_of(owner.id).await?;
        let event = NewSecurityEvent::of(owner.id, SecurityEventKind::PasswordReset).from(origin);
        tx.record(&event, now).await?;
        tx.queue_mail(&letter::password_reset(&owner.email), now).await?;
        tx.commit().await?;
        self.limits.lift(&owner.email).await;
        Ok(())
    }
}
