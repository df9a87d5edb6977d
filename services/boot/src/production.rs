//! What production refuses to start with, and other environments take.

use caller::Keyring;

use crate::{clock, faults::Faults};

/// The issuer that fills demo installations; a real one has no use for it.
const DEMO_ISSUER: &str = "local";
/// Fewer different bytes than this are no accident: 32 random ones have about 30, random hex has 16.
const DIFFERENT_BYTES: usize = 10;

impl Faults {
    /// Refuses an invalid clock offset, and in production any offset.
    pub fn require_machine_clock(&mut self) {
        let offset = clock::offset();
        self.judge_offset(offset);
    }

    fn judge_offset(&mut self, offset: anyhow::Result<Option<jiff::SignedDuration>>) {
        let offset = self.judge(clock::OFFSET_VARIABLE, offset).flatten();
        if self.in_production() && offset.is_some() {
            self.add(clock::OFFSET_VARIABLE, "production runs on the machine's clock");
        }
    }

    /// Refuses a key that is not random.
    pub fn require_random(&mut self, setting: &str, key: &[u8]) {
        let mut different = key.to_vec();
        different.sort_unstable();
        different.dedup();
        if self.in_production() && different.len() < DIFFERENT_BYTES {
            self.add(setting, "production needs a key of random bytes");
        }
    }

    /// Refuses an address that browsers reach without TLS.
    pub fn require_https(&mut self, setting: &str, url: &str) {
        if self.in_production() && !url.starts_with("https://") {
            self.add(setting, format!("production needs https, not {url:?}"));
        }
    }

    /// Refuses to do without something that only demo installations can do without.
    pub fn require_present<T>(&mut self, setting: &str, value: Option<&T>) {
        if self.in_production() && value.is_none() {
            self.add(setting, "missing; production needs it");
        }
    }

    /// Refuses the passport keys of a demo installation: its demo issuer would be trusted.
    pub fn require_own_keys(&mut self, keyring: &Keyring) {
        if self.in_production() && keyring.trusts(DEMO_ISSUER) {
            self.add("PASSPORT_KEYS", format!("production takes no keys that believe {DEMO_ISSUER:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;

    const ALL: [Environment; 3] = [Environment::Production, Environment::Development, Environment::Test];

    fn keyring(issuers: &[&str]) -> Keyring {
        let seeds: Vec<_> = issuers.iter().zip(1u8..).map(|(issuer, n)| (*issuer, [n; 32])).collect();
        Keyring::parse(&Keyring::generate(&seeds).unwrap()[0].1).unwrap()
    }

    #[test]
    fn only_production_refuses_and_names_the_setting() {
        type Judge = fn(&mut Faults);
        let cases: [(&str, Judge); 6] = [
            ("SESSION_KEY", |faults| faults.require_random("SESSION_KEY", &[7; 32])),
            ("XSRF_KEY", |faults| {
                faults.require_random("XSRF_KEY", b"changeme-changeme-changeme-changeme");
            }),
            ("PUBLIC_URL", |faults| faults.require_https("PUBLIC_URL", "http://desk.test")),
            ("REDIS_URL", |faults| faults.require_present::<()>("REDIS_URL", None)),
            ("PASSPORT_KEYS", |faults| faults.require_own_keys(&keyring(&["auth", "bff", "local"]))),
            (clock::OFFSET_VARIABLE, |faults| {
                faults.judge_offset(Ok(Some(jiff::SignedDuration::from_hours(1))));
            }),
        ];
        for environment in ALL {
            for (setting, judge) in cases {
                let mut faults = Faults::of(environment);
                judge(&mut faults);
                assert_eq!(faults.is_faulty(setting), environment == Environment::Production, "{setting}");
            }
        }
    }

    #[test]
    fn production_takes_what_is_random_encrypted_and_there() {
        let mut faults = Faults::of(Environment::Production);
        for _ in 0..100 {
            faults.require_random("SESSION_KEY", &crate::random::bytes::<32>());
        }
        faults.require_https("PUBLIC_URL", "https://desk.example.com");
        faults.require_present("REDIS_URL", Some(&()));
        faults.require_own_keys(&keyring(&["auth", "bff"]));
        faults.judge_offset(Ok(None));
        faults.refuse().unwrap();
    }
}
