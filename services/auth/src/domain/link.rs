//! The links in mails.

use core::fmt;

use super::one_time_token::OneTimeToken;

/// Links into the pages of an installation.
#[derive(Debug, Clone)]
pub struct Links(String);

/// A link that holds a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Link(String);

impl Links {
    /// Links under an address, from the configuration: never from what a browser sends.
    #[must_use]
    pub fn under(public_url: &str) -> Self {
        Self(public_url.to_owned())
    }

    /// Where people sign in.
    #[must_use]
    pub fn sign_in(&self) -> String {
        format!("{}/login", self.0)
    }

    /// Sets a password.
    #[must_use]
    pub fn reset(&self, token: &OneTimeToken) -> Link {
        Link(format!("{}/reset-password?token={}", self.0, token.expose()))
    }

    /// Proves an address.
    #[must_use]
    pub fn confirm(&self, token: &OneTimeToken) -> Link {
        Link(format!("{}/register?confirm={}", self.0, token.expose()))
    }

    /// Joins a business.
    #[must_use]
    pub fn invitation(&self, token: &OneTimeToken) -> Link {
        Link(format!("{}/register?invitation={}", self.0, token.expose()))
    }
}

impl Link {
    /// The link, for its mail.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link(…)")
    }
}
