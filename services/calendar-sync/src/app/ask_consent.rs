//! A person's leave to see which calendars they have.

use core::time::Duration;

use caller::UserId;

use crate::{
    domain::{calendar::Kind, consent::PersonCalendar},
    error::Error,
    store::Store,
};

/// As long as an authorization code lives elsewhere.
const LIFE: Duration = Duration::from_secs(10 * 60);

/// Asks people for their consent and keeps what they decided.
#[derive(Debug, Clone)]
pub struct AskConsent {
    /// Where it is kept.
    pub store: Store,
}

impl AskConsent {
    /// Asks; returns the state that the answer has to bring.
    ///
    /// # Errors
    /// When it can't be kept.
    pub async fn begin(&self, user: UserId, kind: Kind) -> Result<String, Error> {
        match kind {
            // Its consent is simulated by a page of this installation.
            Kind::Demo => {}
            // A password is consent.
            Kind::Caldav | Kind::Provider => return Err(Error::NoConsent),
        }
        let state = u128::from_ne_bytes(boot::random::bytes());
        let state = format!("{state:032x}");
        let tx = self.store.begin_for_people();
        tx.ask(user, &state, LIFE).await?;
        tx.commit().await?;
        Ok(state)
    }

    /// Takes the answer, once.
    ///
    /// # Errors
    /// [`Error::ConsentNotAsked`] when `state` is not what this person was given, or its time is over.
    pub async fn finish(&self, user: UserId, state: &str, allowed: bool) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        if !tx.take(user, state).await? {
            return Err(Error::ConsentNotAsked);
        }
        if allowed {
            tx.grant(user).await?;
        }
        tx.commit().await
    }

    /// Withdraws the person's consent; without one nothing changes.
    ///
    /// # Errors
    /// When it can't be kept.
    pub async fn withdraw(&self, user: UserId) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        tx.withdraw(user).await?;
        tx.commit().await
    }

    /// The calendars of the person's account, or none without their consent.
    ///
    /// # Errors
    /// When it can't be read.
    pub async fn calendars(&self, user: UserId) -> Result<Option<Vec<PersonCalendar>>, Error> {
        let tx = self.store.begin_for_people();
        let allowed = tx.has_consent(user).await?;
        tx.commit().await?;
        Ok(allowed.then(|| vec![PersonCalendar::demo()]))
    }
}
