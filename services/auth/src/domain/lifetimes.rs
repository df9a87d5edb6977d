//! How long tokens live, by environment.

use boot::config::Environment;
use jiff::SignedDuration;

/// Lifetimes of one environment's security profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    /// Of an access token.
    pub access: SignedDuration,
    /// Of a session, from sign-in; refreshing never extends it.
    pub session: SignedDuration,
}

impl Lifetimes {
    /// The table of security profiles.
    #[must_use]
    pub const fn of(environment: Environment) -> Self {
        let (access_minutes, session_days) = match environment {
            Environment::Production => (15, 7),
            Environment::Development => (60, 30),
            Environment::Test => (60, 1),
        };
        Self {
            access: SignedDuration::from_mins(access_minutes),
            session: SignedDuration::from_hours(24 * session_days),
        }
    }
}

/// How long a link that sets a password works.
pub const ONE_TIME_TOKEN: SignedDuration = SignedDuration::from_hours(1);
