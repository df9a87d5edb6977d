//! What the auth service is told.

use core::{fmt, str::FromStr};

use anyhow::{Context, ensure};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::{
    config::{Secret, ServiceConfig},
    environment::Environment,
    faults::Faults,
    peer::Peer,
    settings::Settings,
    transport::Encryption,
};
use database::ServiceSettings;
use sealing::SealingKey;
use zeroize::Zeroizing;

use crate::{
    NAME,
    app::create_admin::CreateAdmin,
    domain::{access_token, link::Links},
    mail::mailer::MailConfig,
    provider::ProviderConfig,
};

/// Configuration of the auth service.
#[derive(Debug, Clone, clap::Parser)]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Key of the refresh tokens' MAC, 32 bytes of base64url without padding. A new one ends
    /// every session.
    // Parsed later: clap would print a malformed value.
    #[arg(long, env = "SESSION_KEY", hide_env_values = true)]
    pub session_key: Secret,
    /// Key that seals the private signing keys, 32 bytes of base64url without padding. After a
    /// change new signing keys are made; the old ones stay published until their tokens expire.
    #[arg(long, env = "SEALING_KEY", hide_env_values = true)]
    pub sealing_key: Secret,
    /// Address people type: the issuer of access tokens and the base of links.
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<PublicUrl>,
    /// Where tenancy is, for the names of businesses.
    #[arg(long, env = "TENANCY_URL", default_value = "http://127.0.0.1:7102")]
    pub tenancy_url: String,
    /// How mail leaves.
    #[command(flatten)]
    pub mail: MailConfig,
    /// Sign-in with Google.
    #[command(flatten)]
    pub provider: ProviderConfig,
}

impl Settings for Config {
    fn environment(&self) -> Environment {
        self.service.environment
    }

    fn check(&self, faults: &mut Faults) {
        let encryption = self.check_shared(faults);
        Peer::check("tenancy", &self.tenancy_url, encryption, faults);
        self.mail.check(faults);
        self.provider.check(faults);
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}

impl Config {
    /// Adds what is wrong for any command.
    pub(crate) fn check_shared(&self, faults: &mut Faults) -> Option<Encryption> {
        let encryption = self.service.check(NAME, faults);
        database::check(&self.service, faults);
        faults.require_present("PUBLIC_URL", self.public_url.as_ref());
        if let Some(url) = &self.public_url {
            faults.require_https("PUBLIC_URL", url.as_str());
        }
        for (setting, secret) in [("SESSION_KEY", &self.session_key), ("SEALING_KEY", &self.sealing_key)] {
            if let Some(key) = faults.judge(setting, key(secret)) {
                faults.require_random(setting, &*key);
            }
        }
        if faults.in_production() && self.session_key == self.sealing_key {
            faults.add("SEALING_KEY", "is SESSION_KEY as well; production needs a key for each");
        }
        // Without it each replica would count failed sign-ins by itself.
        faults.require_present("REDIS_URL", self.service.redis_url.as_ref());
        encryption
    }

    /// Issuer of the access tokens.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.public_url.as_ref().map_or(access_token::AUDIENCE, PublicUrl::as_str)
    }

    /// Links into the pages; outside production they lead to where `make run` serves them.
    ///
    /// # Errors
    /// In production without an address.
    pub(crate) fn links(&self, environment: Environment) -> anyhow::Result<Links> {
        match &self.public_url {
            Some(url) => Ok(Links::under(url.as_str())),
            None if environment == Environment::Production => {
                anyhow::bail!("PUBLIC_URL is missing: the links in mails lead there")
            }
            None => Ok(Links::under("http://localhost:8080")),
        }
    }

    /// The key that seals secrets at rest.
    pub(crate) fn sealing_key(&self) -> anyhow::Result<SealingKey> {
        Ok(SealingKey::new(*key(&self.sealing_key).context("SEALING_KEY")?))
    }
}

/// Accounts, sessions and memberships.
#[derive(Debug, clap::Parser)]
#[command(name = "auth", version)]
pub struct Cli {
    /// Configuration, from flags before the command or from the environment.
    #[command(flatten)]
    pub config: Config,
    /// What to do; without one, serve.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Settings for Cli {
    fn environment(&self) -> Environment {
        self.config.service.environment
    }

    fn check(&self, faults: &mut Faults) {
        match self.command {
            None | Some(Command::Serve) => self.config.check(faults),
            // It calls no service and sends no mail.
            Some(Command::CreateAdmin(_)) => {
                self.config.check_shared(faults);
            }
        }
    }
}

/// What the auth service can be told to do.
#[derive(Debug, Clone, Default, clap::Subcommand)]
pub enum Command {
    /// Serves until it is told to stop.
    #[default]
    Serve,
    /// Makes an account ADMIN and prints a one-time link that sets its password.
    CreateAdmin(CreateAdmin),
}

/// The installation's address without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

/// Not an address a browser can open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be http:// or https://, a host, and nothing but a path after it")]
pub struct NotAPublicUrl;

impl PublicUrl {
    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PublicUrl {
    type Err = NotAPublicUrl;
    fn from_str(text: &str) -> Result<Self, NotAPublicUrl> {
        let uri: http::Uri = text.parse().map_err(|_| NotAPublicUrl)?;
        let web = matches!(uri.scheme_str(), Some("http" | "https"));
        if !web || uri.host().is_none_or(str::is_empty) || uri.query().is_some() || text.contains(['#', '@'])
        {
            return Err(NotAPublicUrl);
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a key of 32 bytes; the error does not reveal it.
pub(crate) fn key(secret: &Secret) -> anyhow::Result<Zeroizing<[u8; 32]>> {
    let bytes = B64.decode(secret.expose()).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    ensure!(
        bytes.is_some_and(|bytes| bytes != [0; 32]),
        "must be 32 random bytes of base64url without padding"
    );
    Ok(Zeroizing::new(bytes.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn parse(command: &[&str]) -> Cli {
        let flags = [
            "auth",
            "--listen=127.0.0.1:7101",
            "--database-url=postgres://auth_app:hunter2@db/auth",
            "--migration-url=postgres://auth_owner:hunter2@db/auth",
            "--passport-keys=/keys/auth.json",
            "--session-key=hunter2",
            "--sealing-key=hunter2",
            "--public-url=https://desk.test/",
        ];
        Cli::try_parse_from(flags.iter().chain(command)).unwrap()
    }

    #[test]
    fn serves_unless_told_otherwise() {
        assert!(parse(&[]).command.is_none());
        assert!(matches!(parse(&["serve"]).command, Some(Command::Serve)));
        let command = parse(&["create-admin", "--email", "admin@demo.test"]).command;
        assert!(matches!(command, Some(Command::CreateAdmin(_))));
    }

    #[test]
    fn tokens_are_issued_in_the_name_of_the_public_url() {
        let mut config = parse(&[]).config;
        assert_eq!(config.issuer(), "https://desk.test");
        config.public_url = None;
        assert_eq!(config.issuer(), "frontdesk");
    }

    #[test]
    fn printing_a_configuration_shows_no_secret() {
        let printed = format!("{:?}", parse(&["create-admin", "--email", "admin@demo.test"]));
        assert!(!printed.contains("hunter2") && !printed.contains("admin@"), "{printed}");
    }

    #[test]
    fn a_public_url_is_an_address_and_nothing_more() {
        for text in
            ["desk.test", "ftp://desk.test", "https://", "https://desk.test?a=b", "https://a@desk.test"]
        {
            assert_eq!(text.parse::<PublicUrl>(), Err(NotAPublicUrl), "{text}");
        }
        assert_eq!("http://localhost:8080/".parse::<PublicUrl>().unwrap().as_str(), "http://localhost:8080");
    }

    #[test]
    fn a_malformed_or_empty_key_is_refused_without_showing_it() {
        for text in ["", "hunter2", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
            let error = key(&Secret::new(text)).unwrap_err().to_string();
            assert!(text.is_empty() || !error.contains(text), "{error}");
        }
        assert_eq!(*key(&Secret::new(B64.encode([7; 32]))).unwrap(), [7; 32]);
    }
}
