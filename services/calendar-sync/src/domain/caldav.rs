//! Accounts on CalDAV servers, and the calendars in them.

use core::fmt;

use sha2::{Digest, Sha256};
use url::Url;
use zeroize::Zeroizing;

/// A secret that people or servers gave: wiped when dropped, and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// The secret `text`.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The secret itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The lane of its holder's calls; a hash, so that it reveals nothing of the secret.
    #[must_use]
    pub fn lane(&self) -> String {
        Sha256::digest(self.0.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// An account on a CalDAV server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Where it is: an address, or a domain.
    pub server: String,
    /// Whose.
    pub username: String,
    /// What proves it.
    pub password: Password,
}

/// A calendar that was found in an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its address.
    pub url: Url,
    /// What its owner calls it.
    pub name: String,
    /// Whether the account may write to it.
    pub is_writable: bool,
}

impl Found {
    /// Characters of a name that are kept.
    pub const LONGEST_NAME: usize = 200;
}

/// Why an account can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountFault {
    /// Its server may not be called, for this reason.
    #[error("{0}")]
    Server(String),
    /// Its server does not answer, for this reason.
    #[error("{0}")]
    Unreachable(String),
    /// There is no CalDAV at its address.
    #[error("there is no CalDAV server at this address")]
    NoCaldav,
    /// The server refuses the name or the password.
    #[error("the server refuses this name and password; some servers want a password made for one program")]
    Credentials,
    /// The account has no such calendar.
    #[error("the account has no such calendar")]
    NoCalendar,
    /// The account only reads it.
    #[error("the account may not write to this calendar")]
    ReadOnly,
}
