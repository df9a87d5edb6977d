//! What the service is told.

use core::time::Duration;
use std::path::PathBuf;

use anyhow::{Context, anyhow, ensure};
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

use crate::{GoogleApp, profiles};

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
    /// Folder with profiles of more booking systems, each as `*.json` like those in `profiles/`.
    #[arg(long, env = "PROVIDER_PROFILES")]
    pub provider_profiles: Option<PathBuf>,
    /// Who we are at Google.
    #[command(flatten)]
    pub google: GoogleConfig,
    /// Address people type. Booking systems push hints below it. So does Google, which leads people back below it.
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<url::Url>,
    /// How often each calendar is read, such as `2s` or `5m`.
    #[arg(long, env = "SYNC_INTERVAL", default_value = "2s", value_parser = interval)]
    pub sync_interval: Duration,
}

const AUTHORIZATION_URL: &str = "https://accounts.google.com/o/oauth2/v2/auth";
const OAUTH_URL: &str = "https://oauth2.googleapis.com/";
const CALENDAR_URL: &str = "https://www.googleapis.com/calendar/v3/";

/// Our client at Google Calendar, and where that is.
#[derive(Debug, Clone, clap::Args)]
pub struct GoogleConfig {
    /// Client id for Google Calendar; without one no calendar at Google is offered.
    #[arg(long, env = "GOOGLE_CALENDAR_CLIENT_ID", default_value = "")]
    pub google_calendar_client_id: String,
    /// The client's secret.
    #[arg(long, env = "GOOGLE_CALENDAR_CLIENT_SECRET", hide_env_values = true, default_value = "")]
    pub google_calendar_client_secret: Secret,
    /// Where people are asked for their consent; another one than Google's for development.
    #[arg(long, env = "GOOGLE_AUTHORIZATION_URL", default_value = AUTHORIZATION_URL)]
    pub google_authorization_url: String,
    /// Where tokens are given and revoked, as `token` and `revoke` below it.
    #[arg(long, env = "GOOGLE_OAUTH_URL", default_value = OAUTH_URL)]
    pub google_oauth_url: String,
    /// The calendar API.
    #[arg(long, env = "GOOGLE_CALENDAR_URL", default_value = CALENDAR_URL)]
    pub google_calendar_url: String,
}

impl Default for GoogleConfig {
    /// No client.
    fn default() -> Self {
        Self {
            google_calendar_client_id: String::new(),
            google_calendar_client_secret: Secret::new(""),
            google_authorization_url: AUTHORIZATION_URL.to_owned(),
            google_oauth_url: OAUTH_URL.to_owned(),
            google_calendar_url: CALENDAR_URL.to_owned(),
        }
    }
}

impl GoogleConfig {
    /// Who we are at Google, where people reach us at `public_url`; `None` without a client id.
    ///
    /// # Errors
    /// When the secret or an address is missing or malformed.
    pub fn app(&self, public_url: Option<&url::Url>) -> anyhow::Result<Option<GoogleApp>> {
        if self.google_calendar_client_id.is_empty() {
            return Ok(None);
        }
        ensure!(
            !self.google_calendar_client_secret.expose().is_empty(),
            "GOOGLE_CALENDAR_CLIENT_SECRET is missing"
        );
        let [authorization, oauth, api] = self.addresses();
        Ok(Some(GoogleApp {
            client_id: self.google_calendar_client_id.clone(),
            client_secret: self.google_calendar_client_secret.clone(),
            authorization: address(authorization)?,
            oauth: address(oauth)?,
            api: address(api)?,
            public_url: public_url.context("PUBLIC_URL is missing")?.clone(),
        }))
    }

    fn addresses(&self) -> [(&'static str, &str); 3] {
        [
            ("GOOGLE_AUTHORIZATION_URL", &self.google_authorization_url),
            ("GOOGLE_OAUTH_URL", &self.google_oauth_url),
            ("GOOGLE_CALENDAR_URL", &self.google_calendar_url),
        ]
    }

    fn check(&self, public_url: Option<&url::Url>, faults: &mut Faults) {
        if self.google_calendar_client_id.is_empty() {
            return;
        }
        if public_url.is_none() {
            faults.add("PUBLIC_URL", "missing");
        }
        if self.google_calendar_client_secret.expose().is_empty() {
            faults.add("GOOGLE_CALENDAR_CLIENT_SECRET", "missing");
        }
        for setting in self.addresses() {
            if let Some(url) = faults.judge(setting.0, address(setting)) {
                faults.require_https(setting.0, url.as_str());
            }
        }
    }
}

/// An address below which there are others. What is written may have a secret in it, and is not repeated.
fn address((setting, text): (&str, &str)) -> anyhow::Result<url::Url> {
    let url: url::Url = text.parse().map_err(|_| anyhow!("{setting} is no web address"))?;
    ensure!(matches!(url.scheme(), "http" | "https") && url.has_host(), "{setting} is no web address");
    ensure!(
        url.username().is_empty() && url.password().is_none(),
        "{setting} must not have a name or a password in it"
    );
    Ok(url)
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
        faults.judge("PROVIDER_PROFILES", profiles::of(self.provider_profiles.as_deref()));
        Peer::check("tenancy", &self.tenancy_url, encryption, faults);
        self.check_public_url(faults);
        self.google.check(self.public_url.as_ref(), faults);
        if let Some(keys) =
            faults.judge("SEALING_KEYS", MasterKeys::parse(self.sealing_keys.expose()).map_err(Into::into))
        {
            keys.expose().for_each(|key| faults.require_random("SEALING_KEYS", key));
        }
    }
}

impl Config {
    fn check_public_url(&self, faults: &mut Faults) {
        faults.require_present("PUBLIC_URL", self.public_url.as_ref());
        let Some(url) = &self.public_url else { return };
        if let Some(url) = faults.judge("PUBLIC_URL", address(("PUBLIC_URL", url.as_str()))) {
            faults.require_https("PUBLIC_URL", url.as_str());
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
