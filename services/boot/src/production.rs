//! What production refuses to start with. Each refusal names the setting.

use anyhow::ensure;
use caller::Keyring;

use crate::{clock, environment::Environment};

/// The issuer that fills demo installations; a real one has no use for it.
const DEMO_ISSUER: &str = "local";
/// Fewer different bytes than this are no accident: 32 random ones have about 30, random hex has 16.
const DIFFERENT_BYTES: usize = 10;

impl Environment {
    /// Refuses an invalid clock offset, and in production any offset.
    ///
    /// # Errors
    /// Returns an error that names the variable.
    pub fn require_machine_clock(self) -> anyhow::Result<()> {
        self.judge_offset(clock::offset()?)
    }

    fn judge_offset(self, offset: Option<jiff::SignedDuration>) -> anyhow::Result<()> {
        let own = self != Self::Production || offset.is_none();
        ensure!(own, "{}: production runs on the machine's clock", clock::OFFSET_VARIABLE);
        Ok(())
    }

    /// Refuses a key that is not random; outside production any key is accepted.
    ///
    /// # Errors
    /// Naming `setting`, and nothing of the key.
    pub fn require_random(self, setting: &str, key: &[u8]) -> anyhow::Result<()> {
        let mut different = key.to_vec();
        different.sort_unstable();
        different.dedup();
        let random = different.len() >= DIFFERENT_BYTES;
        ensure!(self != Self::Production || random, "{setting}: production needs a key of random bytes");
        Ok(())
    }

    /// Refuses an address that browsers reach without TLS; what is no production takes any.
    ///
    /// # Errors
    /// Naming `setting`.
    pub fn require_https(self, setting: &str, url: &str) -> anyhow::Result<()> {
        let secret = url.starts_with("https://");
        ensure!(self != Self::Production || secret, "{setting}: production needs https, not {url:?}");
        Ok(())
    }

    /// Refuses something that only demo installations do without.
    ///
    /// # Errors
    /// Naming `setting`.
    pub fn require_present<T>(self, setting: &str, value: Option<&T>) -> anyhow::Result<()> {
        ensure!(self != Self::Production || value.is_some(), "{setting}: production needs it");
        Ok(())
    }

    /// Refuses the passport keys of a demo installation: its demo issuer would be trusted.
    ///
    /// # Errors
    /// Naming the setting.
    pub fn require_own_keys(self, keyring: &Keyring) -> anyhow::Result<()> {
        let demo = self == Self::Production && keyring.trusts(DEMO_ISSUER);
        ensure!(!demo, "PASSPORT_KEYS: production takes no keys that believe {DEMO_ISSUER:?}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Environment; 3] = [Environment::Production, Environment::Development, Environment::Test];

    fn refused(judged: anyhow::Result<()>) -> Option<String> {
        judged.err().map(|error| error.to_string())
    }

    #[test]
    fn only_production_refuses_and_names_the_setting() {
        for environment in ALL {
            let production = environment == Environment::Production;
            for (judged, setting) in [
                (environment.require_random("SESSION_KEY", &[7; 32]), "SESSION_KEY"),
                (environment.require_random("XSRF_KEY", b"changeme-changeme-changeme-changeme"), "XSRF_KEY"),
                (environment.require_https("PUBLIC_URL", "http://desk.test"), "PUBLIC_URL"),
                (environment.require_present::<()>("REDIS_URL", None), "REDIS_URL"),
                (
                    environment.judge_offset(Some(jiff::SignedDuration::from_hours(1))),
                    "FRONTDESK_CLOCK_OFFSET_MS",
                ),
            ] {
                let said = refused(judged);
                assert_eq!(said.is_some(), production, "{said:?}");
                assert!(said.is_none_or(|said| said.starts_with(setting)), "{setting}");
            }
        }
    }

    #[test]
    fn production_takes_what_is_random_encrypted_and_there() {
        let environment = Environment::Production;
        for _ in 0..100 {
            let key = crate::random::bytes::<32>();
            assert_eq!(refused(environment.require_random("SESSION_KEY", &key)), None);
        }
        assert_eq!(refused(environment.require_https("PUBLIC_URL", "https://desk.example.com")), None);
        assert_eq!(refused(environment.require_present("REDIS_URL", Some(&()))), None);
        assert_eq!(refused(environment.judge_offset(None)), None);
    }

    #[test]
    fn production_believes_no_passports_of_a_demo_installation() {
        let keyring = |issuers: &[&str]| {
            let seeds: Vec<_> = issuers.iter().zip(1u8..).map(|(issuer, n)| (*issuer, [n; 32])).collect();
            Keyring::parse(&Keyring::generate(&seeds).unwrap()[0].1).unwrap()
        };
        let said = refused(Environment::Production.require_own_keys(&keyring(&["auth", "bff", "local"])));
        assert!(said.unwrap().starts_with("PASSPORT_KEYS"));
        assert_eq!(refused(Environment::Production.require_own_keys(&keyring(&["auth", "bff"]))), None);
        assert_eq!(refused(Environment::Development.require_own_keys(&keyring(&["auth", "local"]))), None);
    }
}
