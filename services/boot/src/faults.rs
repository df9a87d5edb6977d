//! What is wrong with a configuration: all of it at once, each fault with the name of its setting.

use core::fmt;

use anyhow::bail;

use crate::environment::Environment;

/// Faults of one configuration. No value of a secret gets into them.
#[derive(Debug)]
pub struct Faults {
    environment: Environment,
    found: Vec<Fault>,
}

#[derive(Debug)]
struct Fault {
    setting: String,
    problem: String,
}

impl Faults {
    /// None yet, of a configuration for `environment`.
    #[must_use]
    pub fn of(environment: Environment) -> Self {
        Self { environment, found: vec![] }
    }

    /// Where the configuration is for.
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// Goes on for the environment that was read in the meantime.
    pub(crate) fn set_environment(&mut self, environment: Environment) {
        self.environment = environment;
    }

    /// Whether the configuration is for production.
    #[must_use]
    pub fn in_production(&self) -> bool {
        self.environment == Environment::Production
    }

    /// Adds a fault. Of one setting only the first is kept: others may follow from it.
    pub fn add(&mut self, setting: &str, problem: impl fmt::Display) {
        if !self.is_faulty(setting) {
            self.found.push(Fault { setting: setting.to_owned(), problem: problem.to_string() });
        }
    }

    /// Adds what is wrong with `setting`, if anything is.
    pub fn judge<T>(&mut self, setting: &str, judged: anyhow::Result<T>) -> Option<T> {
        judged.map_err(|error| self.add(setting, format!("{error:#}"))).ok()
    }

    /// Adds an error that begins with the name of its setting and a colon.
    pub fn note<T>(&mut self, judged: anyhow::Result<T>) -> Option<T> {
        let error = match judged {
            Ok(value) => return Some(value),
            Err(error) => format!("{error:#}"),
        };
        match error.split_once(": ") {
            Some((setting, problem)) => self.add(setting, problem),
            None => self.add("configuration", error),
        }
        None
    }

    /// Whether something is wrong with `setting` already.
    #[must_use]
    pub fn is_faulty(&self, setting: &str) -> bool {
        self.found.iter().any(|fault| fault.setting == setting)
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Refuses the configuration for all its faults.
    ///
    /// # Errors
    /// Names each setting that is wrong, and why.
    pub fn refuse(self) -> anyhow::Result<()> {
        if self.is_empty() { Ok(()) } else { bail!("{self}") }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found.len() {
            1 => write!(f, "one setting is wrong")?,
            count => write!(f, "{count} settings are wrong")?,
        }
        for Fault { setting, problem } in &self.found {
            write!(f, "\n  {setting}: {problem}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn all_faults_are_named_and_one_setting_once() {
        let mut faults = Faults::of(Environment::Test);
        assert_eq!(faults.judge("LISTEN", Ok(7)), Some(7));
        assert!(faults.is_empty());
        faults.add("LISTEN", "is taken");
        let read: anyhow::Result<()> = Err(anyhow!("no such file")).context("reading /keys");
        assert_eq!(faults.judge("PASSPORT_KEYS", read), None);
        assert_eq!(faults.note::<()>(Err(anyhow!("TLS_CA: no certificate"))), None);
        faults.add("LISTEN", "is no port");
        let said = faults.refuse().unwrap_err().to_string();
        assert_eq!(
            said,
            "3 settings are wrong\n  LISTEN: is taken\n  PASSPORT_KEYS: reading /keys: no such file\n  TLS_CA: \
             no certificate"
        );
    }

    #[test]
    fn a_configuration_without_faults_is_not_refused() {
        assert!(Faults::of(Environment::Production).refuse().is_ok());
    }
}
