//! What the service is told.

use core::time::Duration;

use boot::{
    config::{Secret, ServiceConfig},
    environment::Environment,
    faults::Faults,
    peer::Peer,
    settings::Settings,
};
use database::ServiceSettings;
use jiff::SignedDuration;
use sealing::envelope::MasterKeys;

/// Flags and environment of the calendar-sync service.
#[derive(Debug, Clone, clap::Parser)]
#[command(
    name = "calendar-sync",
    version,
    about = "Keeps employees' calendars in step with the salon's book"
)]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Where scheduling is.
    #[arg(long, env = "SCHEDULING_URL", default_value = "http://127.0.0.1:7103")]
    pub scheduling_url: String,
    /// Where tenancy is.
    #[arg(long, env = "TENANCY_URL", default_value = "http://127.0.0.1:7102")]
    pub tenancy_url: String,
    /// Master keys as `id:key,id:key,…`, each 32 bytes of base64url without padding. The first
    /// wraps, all unwrap; see [`MasterKeys`] for rotation.
    // Parsed later: clap would print a malformed value.
    #[arg(long, env = "SEALING_KEYS", hide_env_values = true)]
    pub sealing_keys: Secret,
    /// Where the demo booking system is, if there is one; never in production.
    #[arg(long, env = "DEMO_PROVIDER_URL")]
    pub demo_provider_url: Option<url::Url>,
    /// How often each calendar is read, such as `2s` or `5m`.
    #[arg(long, env = "SYNC_INTERVAL", default_value = "2s", value_parser = interval)]
    pub sync_interval: Duration,
}

/// A duration from 100 milliseconds to an hour.
fn interval(text: &str) -> Result<Duration, String> {
    let interval: SignedDuration = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    if (SignedDuration::from_millis(100)..=SignedDuration::from_hours(1)).contains(&interval) {
        Ok(interval.unsigned_abs())
    } else {
        Err("must lie between 100ms and 1h".to_owned())
    }
}

impl Settings for Config {
    fn environment(&self) -> Environment {
        self.service.environment
    }

    fn check(&self, faults: &mut Faults) {
        let encryption = self.service.check(crate::SERVICE, faults);
        database::check(&self.service, faults);
        Peer::check("scheduling", &self.scheduling_url, encryption, faults);
        if faults.in_production() && self.demo_provider_url.is_some() {
            faults.add("DEMO_PROVIDER_URL", "is for demonstrations");
        }
        Peer::check("tenancy", &self.tenancy_url, encryption, faults);
        if let Some(keys) =
            faults.judge("SEALING_KEYS", MasterKeys::parse(self.sealing_keys.expose()).map_err(Into::into))
        {
            keys.expose().for_each(|key| faults.require_random("SEALING_KEYS", key));
        }
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_a_duration_that_neither_hurries_nor_sleeps() {
        assert_eq!(interval("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(interval("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(interval("1h"), Ok(Duration::from_secs(3600)));
        for wrong in ["", "2", "99ms", "61m", "-2s", "soon"] {
            assert!(interval(wrong).is_err(), "{wrong}");
        }
    }
}
