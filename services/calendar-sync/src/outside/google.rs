//! Calendars of accounts at Google: Google Calendar API, v3.

mod access;
mod api;
mod calendars;
mod events;
mod oauth;
mod push;

pub use calendars::Listed;
pub use oauth::OAuthError;

use boot::{clock::Clock, config::Secret};
use caller::UserId;
use jiff::SignedDuration;
use reqwest::Url;

use super::{ReadError, WriteError, web::Web};
use crate::{
    domain::caldav::Password,
    error::Error,
    store::{Store, StoredGrant},
    vault::Vault,
};
use access::Accounts;
use api::Api;
pub(super) use events::GoogleCalendar;
use oauth::OAuth;

/// Who we are at Google, and where it is.
#[derive(Debug, Clone)]
pub struct GoogleApp {
    /// Our client id.
    pub client_id: String,
    /// The client's secret.
    pub client_secret: Secret,
    /// Where people are asked.
    pub authorization: Url,
    /// Where tokens are given and revoked.
    pub oauth: Url,
    /// The calendar API.
    pub api: Url,
    /// Where people, and Google's pushes, reach this installation.
    pub public_url: Url,
}

/// Google Calendar, with people's consent.
#[derive(Debug, Clone)]
pub struct Google {
    api: Api,
    public_url: Url,
}

/// Why Google did not answer as it should.
#[derive(Debug, thiserror::Error)]
pub enum GoogleError {
    /// The person has not given their consent, or Google honours it no more.
    #[error("access to the account at Google has to be allowed again")]
    ConsentMissing,
    /// The account has used up its calls.
    #[error("Google asks to come back later")]
    Later(SignedDuration),
    /// It may work later.
    #[error("{0}")]
    Unreachable(String),
    /// Google can't carry out the call right now.
    #[error("{0}")]
    Failed(String),
    /// Google refuses the call, with this status.
    #[error("Google answers {0}")]
    Answered(u16),
    /// The fault is here.
    #[error(transparent)]
    Here(#[from] Error),
}

impl Google {
    /// Google as `app` knows it, called by `web`.
    ///
    /// # Errors
    /// When an address can't be one.
    pub fn new(app: &GoogleApp, store: Store, vault: Vault, web: Web, clock: Clock) -> anyhow::Result<Self> {
        let oauth = OAuth::new(app, web.clone())?;
        let accounts = Accounts { store, vault, clock, oauth };
        Ok(Self { api: Api { web, accounts, base: app.api.clone() }, public_url: app.public_url.clone() })
    }

    /// Where a person is asked for their consent.
    #[must_use]
    pub fn authorization_url(&self, state: &str, verifier: &Password) -> Url {
        self.api.accounts.oauth.authorization_url(state, verifier)
    }

    /// Exchanges what a person's answer brought, and keeps it with the account that it opens.
    ///
    /// # Errors
    /// [`OAuthError`], or when it can't be kept.
    pub async fn accept(&self, user: UserId, code: String, verifier: Password) -> Result<(), ConsentError> {
        let tokens = self.api.accounts.oauth.exchange(code, verifier).await?;
        let account = self.account(user, tokens.access.clone()).await?;
        Ok(self.api.accounts.keep(user, account, &tokens).await?)
    }

    /// Forgets a person's consent, and ends it at Google if that answers.
    ///
    /// # Errors
    /// When it can't be forgotten.
    pub async fn withdraw(&self, user: UserId) -> Result<(), Error> {
        let Some(token) = self.api.accounts.forget(user).await? else { return Ok(()) };
        if let Err(error) = self.api.accounts.oauth.revoke(token).await {
            tracing::warn!(%error, "Google was not told that a consent is withdrawn");
        }
        Ok(())
    }

    /// Ends a person's consent at Google. It is still known here: what comes of it is kept by the caller.
    ///
    /// # Errors
    /// [`Error::Google`] when Google does not answer.
    pub async fn end(&self, user: UserId, grant: &StoredGrant) -> Result<(), Error> {
        let Some(token) = self.api.accounts.to_end(user, grant)? else { return Ok(()) };
        self.api.accounts.oauth.revoke(token).await.map_err(|error| Error::Google(error.to_string()))
    }
}

/// Why an answer brought no consent.
#[derive(Debug, thiserror::Error)]
pub enum ConsentError {
    /// Google gives no tokens for it.
    #[error(transparent)]
    OAuth(#[from] OAuthError),
    /// Google does not say whose account it is.
    #[error(transparent)]
    Google(#[from] GoogleError),
    /// The fault is here.
    #[error(transparent)]
    Here(#[from] Error),
}

impl From<GoogleError> for Error {
    fn from(error: GoogleError) -> Self {
        match error {
            GoogleError::ConsentMissing => Self::GoogleConsentMissing,
            GoogleError::Later(wait) => Self::GoogleLater(wait),
            GoogleError::Here(error) => error,
            other => Self::Google(other.to_string()),
        }
    }
}

impl From<ConsentError> for Error {
    fn from(error: ConsentError) -> Self {
        match error {
            ConsentError::OAuth(OAuthError::Refused) => Self::ConsentRefused,
            ConsentError::OAuth(OAuthError::Incomplete) => Self::ConsentIncomplete,
            ConsentError::OAuth(OAuthError::Unreachable(reason)) => Self::Google(reason),
            // A token that was just given opens nothing: not all of it was allowed.
            ConsentError::Google(GoogleError::Answered(403)) => Self::ConsentIncomplete,
            ConsentError::Google(error) => error.into(),
            ConsentError::Here(error) => error,
        }
    }
}

impl From<GoogleError> for ReadError {
    fn from(error: GoogleError) -> Self {
        match error {
            GoogleError::Later(wait) => Self::Later(wait),
            GoogleError::ConsentMissing | GoogleError::Answered(_) => Self::Refused(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<GoogleError> for WriteError {
    fn from(error: GoogleError) -> Self {
        match error {
            GoogleError::Later(wait) => Self::Later(wait),
            GoogleError::ConsentMissing | GoogleError::Unreachable(_) => Self::Unreachable(error.to_string()),
            // The event itself is what Google does not want.
            GoogleError::Answered(status @ (400 | 403 | 413 | 422)) => {
                Self::Refused(format!("Google refuses this event ({status})"))
            }
            other => Self::Failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_that_was_revoked_is_no_failure_of_google() {
        for of_the_account in [GoogleError::ConsentMissing, GoogleError::Answered(403)] {
            assert!(matches!(ReadError::from(of_the_account), ReadError::Refused(_)));
        }
        for of_google in [GoogleError::Unreachable(String::new()), GoogleError::Failed(String::new())] {
            assert!(matches!(ReadError::from(of_google), ReadError::Failed(_)));
        }
    }
}
