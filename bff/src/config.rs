//! What the doors are told.

use core::num::NonZeroU32;
use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use anyhow::{Context, bail, ensure};
use boot::{
    Host, clock::Clock, config::Secret, drain::DrainConfig, environment::Environment, faults::Faults,
    keyring::read_keyring, security::SecurityProfile, settings::Settings, telemetry::ExportConfig,
    transport::TransportConfig,
};
use caller::{Gate, Signer, Verifier};
use tokio_util::sync::CancellationToken;

use crate::{NAME, browser::Page, edge::TrustedProxies, gateway::ServiceUrls, voice::model::ModelConfig};

/// One kind of visitor, and what serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Door {
    /// People in browsers.
    Browser,
    /// Voice platforms.
    Voice,
}

/// What the doors read from flags and environment.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "bff", version, about = "The browser and voice doors of Frontdesk")]
pub struct Config {
    /// Which doors to open.
    #[arg(long, env = "DOORS", value_enum, value_delimiter = ',', default_value = "browser,voice")]
    pub doors: Vec<Door>,
    /// Address the HTTP port is bound to.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// How services are called.
    #[command(flatten)]
    pub transport: TransportConfig,
    /// How the process stops.
    #[command(flatten)]
    pub drain: DrainConfig,
    /// Where telemetry goes.
    #[command(flatten)]
    pub export: ExportConfig,
    /// File with the doors' passport keyring.
    #[arg(long, env = "PASSPORT_KEYS")]
    pub passport_keys: PathBuf,
    /// Where the process runs.
    #[arg(long, env = "ENVIRONMENT", value_enum, default_value = "production")]
    pub environment: Environment,
    /// How strict sign-in is; as the environment is, when it is not named.
    #[arg(long, env = "SECURITY_PROFILE", value_enum)]
    pub security_profile: Option<Environment>,
    /// Networks of our own proxies, as `10.0.0.0/8,fd00::/8`: X-Forwarded-For is believed only from
    /// these. `none` if visitors reach the door itself; production requires either.
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "")]
    pub trusted_proxies: TrustedProxies,
    /// What the browser door is told.
    #[command(flatten)]
    pub browser: BrowserConfig,
    /// Where the services are.
    #[command(flatten)]
    pub services: ServiceUrls,
    /// What our own agent speaks with: on the telephone, and in chats with those who try it.
    #[command(flatten)]
    pub model: ModelConfig,
}

/// What the browser door is told.
#[derive(Debug, Clone, clap::Args)]
pub struct BrowserConfig {
    /// Address people type, the issuer of access tokens and the first allowed origin.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080")]
    pub public_url: String,
    /// Further origins the page may be served from, such as Vite's while developing.
    #[arg(long, env = "ALLOWED_ORIGINS", value_delimiter = ',')]
    pub allowed_origins: Vec<String>,
    /// Folder with the built page.
    #[arg(long, env = "WEB_ROOT", default_value = "web/dist/production")]
    pub web_root: PathBuf,
    /// Requests one person may make in a second, counted by each replica; four times as many may come
    /// at once. More are answered 429 with Retry-After. 0 is any number; unless named, 50 in
    /// production and any number in development.
    #[arg(long, env = "REQUESTS_PER_SECOND")]
    pub requests_per_second: Option<u32>,
    /// Key of the XSRF tokens and of the live socket's cursors: 32 characters or more of anything random, the same on every replica.
    #[arg(long, env = "XSRF_KEY", hide_env_values = true)]
    pub xsrf_key: Option<Secret>,
}

/// The address people type, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
}

impl PublicUrl {
    /// The public address.
    ///
    /// # Errors
    /// When it is no origin, or plain http on anything but this machine: cookies and tokens would
    /// travel in the clear.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let origin = origin(text)?;
        let local = ["http://localhost", "http://127.0.0.1"].into_iter().any(|local| {
            origin.strip_prefix(local).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        });
        ensure!(local || origin.starts_with("https://"), "{origin} must be https");
        Ok(Self { origin })
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether browsers come over TLS.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }
}

impl BrowserConfig {
    fn check_public_url(&self, faults: &mut Faults) {
        if let Some(url) = faults.judge("PUBLIC_URL", self.public_url()) {
            faults.require_https("PUBLIC_URL", &url.origin);
        }
    }

    fn check(&self, faults: &mut Faults) {
        for origin in self.allowed_origins.iter().filter(|text| !text.is_empty()) {
            if let Some(origin) = faults.judge("ALLOWED_ORIGINS", self::origin(origin)) {
                faults.require_https("ALLOWED_ORIGINS", &origin);
            }
        }
        if let Some(key) = faults.judge("XSRF_KEY", self.xsrf_key()) {
            faults.require_random("XSRF_KEY", key.expose().as_bytes());
        }
        faults.judge("WEB_ROOT", Page::read(&self.web_root));
    }

    /// The public address.
    ///
    /// # Errors
    /// As [`PublicUrl::parse`].
    pub fn public_url(&self) -> anyhow::Result<PublicUrl> {
        PublicUrl::parse(&self.public_url)
    }

    /// Who issues access tokens: auth, in the name of the same public address.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.public_url.trim_end_matches('/')
    }

    /// Every origin the page may be served from.
    ///
    /// # Errors
    /// When one is no origin.
    pub fn origins(&self) -> anyhow::Result<Vec<String>> {
        let allowed = self.allowed_origins.iter().filter(|text| !text.is_empty());
        let mut origins = allowed
            .map(|text| origin(text).context("ALLOWED_ORIGINS"))
            .collect::<anyhow::Result<Vec<_>>>()?;
        origins.push(self.public_url().context("PUBLIC_URL")?.origin);
        Ok(origins)
    }

    /// The XSRF key.
    ///
    /// # Errors
    /// When it is missing or too short to be one.
    pub fn xsrf_key(&self) -> anyhow::Result<Secret> {
        let key = self.xsrf_key.clone().context("missing; the browser door needs it")?;
        ensure!(key.expose().len() >= 32, "is shorter than 32 characters");
        Ok(key)
    }
}

/// Scheme, host and port, as browsers write them in Origin.
fn origin(text: &str) -> anyhow::Result<String> {
    ensure!(!text.contains('@'), "is an address with credentials");
    let uri: http::Uri = text.parse().with_context(|| format!("{text:?} is no address"))?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        bail!("{text:?} names no scheme or host");
    };
    ensure!(matches!(scheme, "http" | "https"), "{text:?} is neither http nor https");
    ensure!(matches!(uri.path(), "" | "/") && uri.query().is_none(), "{text:?} is more than an origin");
    let authority = authority.as_str().to_ascii_lowercase();
    let default = if scheme == "https" { ":443" } else { ":80" };
    Ok(format!("{scheme}://{}", authority.strip_suffix(default).unwrap_or(&authority)))
}

/// Far above a receptionist with several tabs.
const REQUESTS_PER_SECOND: u32 = 50;

impl Settings for Config {
    fn environment(&self) -> Environment {
        self.environment
    }

    fn check(&self, faults: &mut Faults) {
        if let Some(keyring) = faults.judge("PASSPORT_KEYS", read_keyring(NAME, &self.passport_keys)) {
            faults.require_own_keys(&keyring);
        }
        faults.require_machine_clock();
        faults.note(SecurityProfile::choose(self.environment, self.security_profile));
        boot::telemetry::check(&self.export, faults);
        let encryption = self.transport.check(faults);
        self.services.check(&self.doors, encryption, faults);
        // Limits count by address: behind an unnamed ingress all visitors would share one.
        let named = self.trusted_proxies.are_named().then_some(&self.trusted_proxies);
        faults.require_present("TRUSTED_PROXIES", named);
        self.browser.check_public_url(faults);
        if self.doors.contains(&Door::Browser) {
            self.browser.check(faults);
        }
        self.model.check(faults);
    }
}

impl Config {
    /// Requests of one person in a second; `None` is any number.
    #[must_use]
    pub fn requests_per_second(&self) -> Option<NonZeroU32> {
        let unnamed = if self.environment == Environment::Production { REQUESTS_PER_SECOND } else { 0 };
        NonZeroU32::new(self.browser.requests_per_second.unwrap_or(unnamed))
    }

    /// What the doors live in; `leaving` is cancelled when they are asked to close. Needs a runtime.
    ///
    /// # Errors
    /// A keyring that is missing, malformed or another's; certificates that can't be used.
    pub fn host(&self, leaving: CancellationToken) -> anyhow::Result<Host> {
        let keyring = Arc::new(read_keyring(NAME, &self.passport_keys).context("PASSPORT_KEYS")?);
        let signer = Signer::new(keyring.clone());
        let clock = Clock::system();
        Ok(Host {
            service: NAME,
            gate: Gate::new(Verifier::new(NAME, keyring), clock.reader()),
            clock,
            signer,
            redis: None,
            cache: None,
            transport: self.transport.open(self.environment)?,
            health_listen: None,
            shutdown: self.drain.shutdown_after(&leaving, self.environment),
            leaving,
            drain: self.drain.drain(),
            environment: self.environment,
            security: SecurityProfile::choose(self.environment, self.security_profile)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Main {
        #[command(flatten)]
        config: Config,
    }

    fn browser(arguments: &[&str]) -> BrowserConfig {
        let keys = ["bff", "--passport-keys=/keys/bff.json"];
        Main::parse_from(keys.iter().chain(arguments)).config.browser
    }

    #[test]
    fn plain_http_is_for_this_machine_only() {
        for (url, served) in [
            ("http://localhost:8080", true),
            ("http://127.0.0.1", true),
            ("https://desk.example.com", true),
            ("http://desk.example.com", false),
            ("http://localhost.example.com", false),
            ("http://127.0.0.1.example.com", false),
            ("http://localhost@example.com", false),
            ("ftp://localhost", false),
            ("localhost:8080", false),
            ("https://desk.example.com/app", false),
        ] {
            assert_eq!(browser(&["--public-url", url]).public_url().is_ok(), served, "{url}");
        }
    }

    #[test]
    fn origins_are_written_as_browsers_write_them() {
        let config = browser(&[
            "--public-url=https://Desk.example.com:443/",
            "--allowed-origins=http://localhost:3000",
        ]);
        assert_eq!(config.origins().unwrap(), ["http://localhost:3000", "https://desk.example.com"]);
    }

    #[test]
    fn a_missing_or_short_xsrf_key_is_refused_and_never_shown() {
        assert!(browser(&[]).xsrf_key().is_err());
        assert!(browser(&["--xsrf-key=short"]).xsrf_key().is_err());
        let config = browser(&["--xsrf-key=0123456789abcdef0123456789abcdef"]);
        assert!(config.xsrf_key().is_ok());
        assert!(!format!("{config:?}").contains("0123456789"));
    }
}
