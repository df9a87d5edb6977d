//! A person's consent to use the calendars that they have.

use core::time::Duration;

use caller::UserId;
use reqwest::Url;

use crate::{
    domain::{
        caldav::Password,
        calendar::Kind,
        cleanup::Cleanup,
        consent::{Consent, PersonCalendar, Standing},
    },
    error::Error,
    outside::google::{Google, Listed},
    store::{KeptQuestion, KeptVerifier, Store, StoredGrant},
    vault::Vault,
};

/// As long as an authorization code lives elsewhere.
const LIFE: Duration = Duration::from_secs(10 * 60);

/// Asks people for their consent and keeps what they decided.
#[derive(Debug, Clone)]
pub struct AskConsent {
    /// Where it is kept.
    pub store: Store,
    /// Seals verifiers.
    pub vault: Vault,
    /// Google, where this installation is known there.
    pub google: Option<Google>,
    /// Whether the simulated consent is asked for.
    pub demo: bool,
}

/// A question that a person was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// What the answer has to bring.
    pub state: String,
    /// Where the provider asks; `None` where a page of this installation does.
    pub at: Option<Url>,
}

impl AskConsent {
    /// Asks.
    ///
    /// # Errors
    /// [`Error::NoConsent`] for calendars that need none; [`Error::NoGoogle`]; [`Error::NoDemo`].
    pub async fn begin(&self, user: UserId, kind: Kind) -> Result<Asked, Error> {
        let state = secret();
        let (verifier, at) = match kind {
            // Its consent is simulated by a page of this installation.
            Kind::Demo if self.demo => (None, None),
            Kind::Demo => return Err(Error::NoDemo),
            Kind::Google => {
                let google = self.google.as_ref().ok_or(Error::NoGoogle)?;
                let verifier = Password::new([secret(), secret()].concat());
                let at = google.authorization_url(&state, &verifier);
                (Some(self.vault.seal_alone(user, self.store.new_id(), &verifier)?), Some(at))
            }
            // A password is consent.
            Kind::Caldav | Kind::Provider | Kind::Ics => return Err(Error::NoConsent),
        };
        let tx = self.store.begin_for_people();
        tx.ask(user, &state, (kind, verifier.as_ref()), LIFE).await?;
        tx.commit().await?;
        Ok(Asked { state, at })
    }

    /// Takes the answer, once; `None` is a denial, and the simulated consent's code is any.
    ///
    /// # Errors
    /// [`Error::ConsentNotAsked`] when `state` is not what this person was given, or its time is over;
    /// [`Error::ConsentRefused`] and [`Error::ConsentIncomplete`] for what Google makes of the code.
    pub async fn finish(&self, user: UserId, state: &str, code: Option<&str>) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        let question = tx.take(user, state).await?.ok_or(Error::ConsentNotAsked)?;
        if question == KeptQuestion::Demo && code.is_some() && self.demo {
            tx.grant(user).await?;
        }
        tx.commit().await?;
        if let (KeptQuestion::Google(verifier), Some(code)) = (question, code) {
            let google = self.google.as_ref().ok_or(Error::NoGoogle)?;
            let verifier = match verifier {
                KeptVerifier::Sealed(sealed) => self.vault.open_alone(user, &sealed)?,
                KeptVerifier::Clear(verifier) => verifier,
            };
            google.accept(user, code.to_owned(), verifier).await?;
            if let Err(error) = self.store.resume_google_calendars(user).await {
                // They are due by themselves, only later.
                tracing::warn!(%error, "calendars at Google were not made due");
            }
        }
        Ok(())
    }

    /// How each consent stands that can be asked for.
    ///
    /// # Errors
    /// When it can't be read.
    pub async fn standing(&self, user: UserId) -> Result<Vec<Consent>, Error> {
        let tx = self.store.begin_for_people();
        let demo = if tx.has_consent(user).await? { Standing::Given(None) } else { Standing::NotGiven };
        let google = tx.google_grant(user).await?;
        tx.commit().await?;
        let mut consents = vec![];
        if self.google.is_some() {
            consents.push(self.at_google(user, google).await?);
        }
        if self.demo {
            consents.push(Consent { kind: Kind::Demo, standing: demo, written: 0, cleanup: None });
        }
        Ok(consents)
    }

    async fn at_google(&self, user: UserId, grant: Option<StoredGrant>) -> Result<Consent, Error> {
        let none = Consent { kind: Kind::Google, standing: Standing::NotGiven, written: 0, cleanup: None };
        let Some(grant) = grant else { return Ok(none) };
        let (written, cleanup) = self.store.written_at_google(user, &grant.account).await?;
        // Of calendars that are disconnected one by one, their business tells. The last of them may be gone, and the consent
        // not yet.
        let cleanup = grant.ending_since.map(|begun_at| {
            let done = Cleanup { begun_at, events: 0, left: 0, refused: 0, fault: grant.end_error };
            cleanup.unwrap_or(done)
        });
        let standing = match (grant.tokens, &cleanup) {
            (None, _) => Standing::Revoked(grant.account),
            (Some(_), Some(_)) => Standing::Ending(grant.account),
            (Some(_), None) => Standing::Given(Some(grant.account)),
        };
        Ok(Consent { standing, written: i32::try_from(written).unwrap_or(i32::MAX), cleanup, ..none })
    }

    /// Whether a calendar is connected to an employee whose account is the person's, in any business.
    ///
    /// # Errors
    /// When it can't be read.
    pub async fn has_calendar(&self, user: UserId) -> Result<bool, Error> {
        self.store.has_calendar(user).await
    }

    /// The calendars of the person's accounts, or none while no consent of theirs stands.
    ///
    /// # Errors
    /// When they can't be read.
    pub async fn calendars(&self, user: UserId) -> Result<Option<Vec<PersonCalendar>>, Error> {
        let standing = self.standing(user).await?;
        let given = |wanted| {
            standing.iter().any(|one| one.kind == wanted && matches!(one.standing, Standing::Given(_)))
        };
        let demo = given(Kind::Demo).then(|| vec![PersonCalendar::demo()]);
        let Some(google) = self.google.as_ref().filter(|_| given(Kind::Google)) else { return Ok(demo) };
        match google.calendars(user).await.map_err(Error::from) {
            Ok(found) => Ok(Some(found.iter().map(shown).chain(demo.into_iter().flatten()).collect())),
            // It was revoked at Google, which has only said so now.
            Err(Error::GoogleConsentMissing) => Ok(demo),
            Err(error) => Err(error),
        }
    }
}

fn shown(found: &Listed) -> PersonCalendar {
    let name = found.name().chars().take(PersonCalendar::LONGEST_NAME).collect();
    PersonCalendar { id: found.id.clone(), kind: Kind::Google, name }
}

/// What can't be guessed.
fn secret() -> String {
    format!("{:032x}", u128::from_ne_bytes(boot::random::bytes()))
}
