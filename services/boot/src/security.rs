//! The three security profiles: how strict an installation is.

use anyhow::ensure;
use jiff::SignedDuration;

use crate::environment::Environment;

/// The settings of one profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecurityProfile {
    /// Limit of failed sign-ins by account and address; none under test.
    pub sign_in: Option<SignInLimit>,
    /// Whether sensitive calls need a trusted device.
    pub trusted_device: bool,
    /// Security events kept of each account.
    pub events: Retention,
    /// Life of an access token.
    pub access: SignedDuration,
    /// Life of a session, from sign-in; refreshing never extends it.
    pub session: SignedDuration,
    /// How long before its end an access token is renewed.
    pub renewal: SignedDuration,
}

/// How many sign-ins may fail, and what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInLimit {
    /// Failures within the window that lead to a block.
    pub attempts: u32,
    /// The window.
    pub window: SignedDuration,
    /// How long the block lasts.
    pub block: SignedDuration,
}

/// How much of a record is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Entries.
    pub most: u32,
    /// Age of the oldest.
    pub age: SignedDuration,
}

const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

const fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

impl SecurityProfile {
    /// The profile named like an environment.
    #[must_use]
    pub const fn of(name: Environment) -> Self {
        match name {
            Environment::Production => Self {
                sign_in: Some(SignInLimit { attempts: 5, window: minutes(15), block: minutes(60) }),
                trusted_device: true,
                events: Retention { most: 1000, age: days(30) },
                access: minutes(15),
                session: days(7),
                renewal: minutes(5),
            },
            Environment::Development => Self {
                sign_in: Some(SignInLimit { attempts: 10, window: minutes(15), block: minutes(5) }),
                trusted_device: false,
                events: Retention { most: 200, age: days(7) },
                access: minutes(60),
                session: days(30),
                renewal: minutes(10),
            },
            Environment::Test => Self {
                sign_in: None,
                trusted_device: false,
                events: Retention { most: 50, age: days(1) },
                access: minutes(60),
                session: days(1),
                renewal: minutes(5),
            },
        }
    }

    /// The profile an installation runs under: its environment's, unless it is told another.
    ///
    /// # Errors
    /// Production under anything but its own profile.
    pub fn choose(environment: Environment, profile: Option<Environment>) -> anyhow::Result<Self> {
        let profile = profile.unwrap_or(environment);
        ensure!(
            environment != Environment::Production || profile == Environment::Production,
            "SECURITY_PROFILE: production runs under the production profile alone"
        );
        Ok(Self::of(profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn production_runs_under_no_weaker_profile() {
        for weaker in [Environment::Development, Environment::Test] {
            assert!(SecurityProfile::choose(Environment::Production, Some(weaker)).is_err());
        }
        for environment in [Environment::Production, Environment::Development, Environment::Test] {
            let own = SecurityProfile::choose(environment, None).unwrap();
            assert_eq!(own, SecurityProfile::of(environment));
            let strict = SecurityProfile::choose(environment, Some(Environment::Production)).unwrap();
            assert!(strict.trusted_device && strict.sign_in.is_some());
        }
    }

    fn lasting(days: i64, hours: i64, minutes: i64) -> SignedDuration {
        SignedDuration::from_secs(((days * 24 + hours) * 60 + minutes) * 60)
    }

    #[test]
    fn production_is_as_strict_as_the_specification_says() {
        let profile = SecurityProfile::of(Environment::Production);
        let limit = profile.sign_in.unwrap();
        assert_eq!((limit.attempts, limit.window), (5, lasting(0, 0, 15)));
        assert_eq!(limit.block, lasting(0, 1, 0));
        assert!(profile.trusted_device);
        assert_eq!((profile.events.most, profile.events.age), (1000, lasting(30, 0, 0)));
        assert_eq!(profile.access, lasting(0, 0, 15));
        assert_eq!(profile.session, lasting(7, 0, 0));
        assert_eq!(profile.renewal, lasting(0, 0, 5));
    }

    #[test]
    fn development_is_as_strict_as_the_specification_says() {
        let profile = SecurityProfile::of(Environment::Development);
        let limit = profile.sign_in.unwrap();
        assert_eq!((limit.attempts, limit.window), (10, lasting(0, 0, 15)));
        assert_eq!(limit.block, lasting(0, 0, 5));
        assert!(!profile.trusted_device);
        assert_eq!((profile.events.most, profile.events.age), (200, lasting(7, 0, 0)));
        assert_eq!(profile.access, lasting(0, 1, 0));
        assert_eq!(profile.session, lasting(30, 0, 0));
        assert_eq!(profile.renewal, lasting(0, 0, 10));
    }

    #[test]
    fn test_is_as_strict_as_the_specification_says() {
        let profile = SecurityProfile::of(Environment::Test);
        assert_eq!(profile.sign_in, None);
        assert!(!profile.trusted_device);
        assert_eq!((profile.events.most, profile.events.age), (50, lasting(1, 0, 0)));
        assert_eq!(profile.access, lasting(0, 1, 0));
        assert_eq!(profile.session, lasting(1, 0, 0));
        // The specification names none: it must leave room for the token to be used at all.
        assert!(profile.renewal < profile.access);
    }
}
