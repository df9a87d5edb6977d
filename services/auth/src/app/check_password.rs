//! Passwords as proof of identity, under the limit of failed sign-ins.

use boot::clock::Clock;
use caller::{SessionId, UserId};

use super::open_session::{Granted, SessionOpener};
use crate::{
    Error,
    credentials::{
        hashing::{Hasher, Verdict},
        limits::{Counting, Limits},
    },
    domain::{
        account::Account,
        client::{Client, Origin},
        decoy_account::DecoyKey,
        device::DeviceId,
        email::Email,
        password::{Password, PasswordHash},
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{Proof, Store},
};

/// Checks passwords.
#[derive(Debug, Clone)]
pub struct PasswordChecks {
    store: Store,
    hasher: Hasher,
    limits: Limits,
    decoys: DecoyKey,
    clock: Clock,
}

/// A person who has shown their current password, if they have one. The password may change
/// concurrently: use [`Tx::keep_password`](crate::store::Tx::keep_password) before acting on this.
#[derive(Debug)]
pub struct Confirmed {
    /// The account.
    pub account: Account,
    /// The password that was shown.
    pub password: Option<PasswordHash>,
    /// Where its session's browser was last seen.
    pub origin: Origin,
}

/// The account that a sign-in attempt claims.
struct Claimed {
    /// Whose it is, or the decoy of an address without an account.
    person: UserId,
    email: Email,
    origin: Origin,
    device: Option<DeviceId>,
}

impl PasswordChecks {
    /// Checks passwords of a store.
    #[must_use]
    pub fn new(store: Store, hasher: Hasher, limits: Limits, decoys: DecoyKey, clock: Clock) -> Self {
        Self { store, hasher, limits, decoys, clock }
    }

    /// Opens a session for who shows an account's password. An account there is not gives the same
    /// answer, after the same statements and one hash.
    ///
    /// # Errors
    /// [`Error::WrongCredentials`], [`Error::Blocked`], [`Error::TooManyHashes`].
    pub async fn sign_in(
        &self,
        opener: &SessionOpener,
        email: Email,
        password: Option<Password>,
        client: &Client,
    ) -> Result<Granted, Error> {
        let tx = self.store.begin();
        let known = tx.credentials(&email).await?;
        let owner = match &client.device {
            Some(device) => tx.device_owner(device, self.clock.now()).await?,
            None => None,
        };
        // No connection is held while the password is hashed.
        tx.commit().await?;
        let person = known.as_ref().map_or_else(|| self.decoys.of(&email), |known| known.account.id);
        let device = client.device.as_ref().filter(|_| owner == Some(person));
        let device = device.map(|device| device.id);
        let claimed = Claimed { person, email, origin: client.origin.clone(), device };
        let stored = known.as_ref().and_then(|known| known.password.clone());
        self.counted(claimed, async || {
            let renewed = self.check(password, stored.clone()).await?;
            let (Some(known), Some(stored)) = (known, &stored) else { return Err(Error::WrongCredentials) };
            let tx = self.store.begin();
            if let Some(renewed) = &renewed {
                tx.rehash(known.account.id, stored, renewed).await?;
            }
            let proof = Proof::Password(renewed.as_ref().unwrap_or(stored));
            opener.open(tx, known.account, client, proof).await
        })
        .await
    }

    /// Has a signed-in person show their current password once more; who has none shows none.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming `current_password`, [`Error::Blocked`], [`Error::TooManyHashes`].
    pub async fn confirm(
        &self,
        person: UserId,
        session: SessionId,
        current: String,
    ) -> Result<Confirmed, Error> {
        let tx = self.store.begin();
        let known = tx.credentials_of(person).await?;
        let origin = tx.origin_of(session).await?;
        let device = tx.device_of(session, self.clock.now()).await?;
        tx.commit().await?;
        if let Some(stored) = &known.password {
            if current.is_empty() {
                return Err(Error::invalid("current_password", "is required"));
            }
            let email = known.account.email.clone();
            let claimed = Claimed { person, email, origin: origin.clone(), device };
            let shown = Password::presented(current);
            let checked = self.counted(claimed, async || self.check(shown, Some(stored.clone())).await).await;
            checked.map_err(|error| match error {
                Error::WrongCredentials => Error::invalid("current_password", "is wrong"),
                other => other,
            })?;
        }
        Ok(Confirmed { account: known.account, password: known.password, origin })
    }

    /// Compares a password; the hash to store instead, if the stored one is outdated.
    async fn check(
        &self,
        shown: Option<Password>,
        stored: Option<PasswordHash>,
    ) -> Result<Option<PasswordHash>, Error> {
        let shown = shown.ok_or(Error::WrongCredentials)?;
        match self.hasher.verify(shown, stored).await? {
            Verdict::Right { renewed } => Ok(renewed),
            Verdict::Wrong => Err(Error::WrongCredentials),
        }
    }

    async fn counted<T>(
        &self,
        claimed: Claimed,
        attempt: impl AsyncFnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let counting = self.limits.begin(&claimed.email, &claimed.origin, claimed.device).await?;
        let outcome = attempt().await;
        match &outcome {
            Ok(_) => counting.right().await,
            Err(Error::WrongCredentials) => self.failed(&claimed, &counting).await?,
            // The password was not checked.
            Err(_) => counting.void().await,
        }
        outcome
    }

    /// A failure stays counted, and goes into the account's record.
    async fn failed(&self, claimed: &Claimed, counting: &Counting) -> Result<(), Error> {
        let event = |kind| NewSecurityEvent::of(claimed.person, kind).from(&claimed.origin);
        let now = self.clock.now();
        let tx = self.store.begin();
        tx.record(&event(SecurityEventKind::SignInFailed), now).await?;
        if counting.is_last() {
            tx.record(&event(SecurityEventKind::SignInBlocked), now).await?;
        }
        tx.commit().await
    }
}
