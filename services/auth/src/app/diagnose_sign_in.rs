//! Tells a developer what stands between an address and a session.

use boot::clock::Clock;

use crate::{Error, credentials::limits::Limits, domain::email::Email, store::Store};

/// Looks at accounts.
#[derive(Debug)]
pub struct Diagnoses {
    store: Store,
    limits: Limits,
    clock: Clock,
}

impl Diagnoses {
    /// Looks at accounts of a store.
    #[must_use]
    pub fn new(store: Store, limits: Limits, clock: Clock) -> Self {
        Self { store, limits, clock }
    }

    /// What there is to say, in one sentence.
    pub async fn of(&self, email: &Email) -> Result<String, Error> {
        let tx = self.store.begin();
        let Some(known) = tx.credentials(email).await? else {
            return Ok("There is no such account.".to_owned());
        };
        let profile = tx.profile(known.account.id, self.clock.now()).await?;
        let memberships = tx.memberships(known.account.id).await?;
        tx.commit().await?;
        let blocked = self.limits.blocked_until(std::slice::from_ref(email)).await.pop().flatten();
        let yes = |yes, text: &str, otherwise: &str| if yes { text } else { otherwise }.to_owned();
        let facts = [
            yes(profile.disabled, "is disabled", "is not disabled"),
            yes(profile.email_verified, "has a confirmed e-mail", "has an e-mail that is not confirmed"),
            yes(profile.has_password, "has a password", "has no password"),
            blocked.map_or_else(|| "is not blocked".to_owned(), |until| format!("is blocked until {until}")),
            format!("belongs to {} businesses", memberships.len()),
        ];
        Ok(format!("The account {}.", facts.join(", ")))
    }
}
