//! Sets a new password in place of the one that a signed-in person has shown.

use boot::clock::Clock;
use caller::SessionId;

use super::check_password::Confirmed;
use crate::{
    Error,
    credentials::hashing::Hasher,
    domain::{
        letter,
        password::Password,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{EndReason, Store},
};

/// Changes passwords.
#[derive(Debug)]
pub(crate) struct ChangePassword {
    pub store: Store,
    pub hasher: Hasher,
    pub clock: Clock,
}

impl ChangePassword {
    /// Gives a person who has shown their password a new one, and ends their other sessions.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming `new_password` or `current_password`, [`Error::TooManyHashes`].
    pub(crate) async fn run(
        &self,
        confirmed: Confirmed,
        session: SessionId,
        new_password: String,
    ) -> Result<(), Error> {
        let Confirmed { account, password: shown, origin } = confirmed;
        let password = Password::new(new_password, &account.email)
            .map_err(|rule| Error::invalid("new_password", rule))?;
        let hash = self.hasher.hash(password).await?;
        let (person, now) = (account.id, self.clock.now());
        let tx = self.store.begin();
        // First, because it locks the account: what others do with the old password waits.
        if !tx.replace_password(person, shown.as_ref(), &hash).await? {
            return Err(Error::invalid("current_password", "was changed meanwhile"));
        }
        tx.end_other_sessions_of(person, session, EndReason::PasswordChanged, now).await?;
        tx.spend_tokens_of(person, now).await?;
        tx.forget_email_change_of(person).await?;
        let event = NewSecurityEvent::of(person, SecurityEventKind::PasswordChanged).from(&origin);
        tx.record(&event, now).await?;
        tx.queue_mail(&letter::password_changed(&account.email), now).await?;
        tx.commit().await
    }
}
