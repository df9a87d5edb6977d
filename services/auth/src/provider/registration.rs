//! What auth is told of the provider.

use anyhow::{Context, ensure};
use boot::{config::Secret, environment::Environment, faults::Faults};
use openidconnect::{
    ClientId, ClientSecret, IssuerUrl,
    url::{Host, Url},
};

/// Who we are at which provider.
#[derive(Debug, Clone)]
pub struct Registration {
    /// The provider's name of itself, and where its discovery document is.
    pub issuer: IssuerUrl,
    /// Our name there.
    pub client_id: ClientId,
    /// What proves it.
    pub client_secret: ClientSecret,
}

/// What auth reads of the provider from flags and environment.
#[derive(Debug, Clone, clap::Args)]
pub struct ProviderConfig {
    /// Our client id at Google; without one there is no sign-in with Google.
    #[arg(long, env = "GOOGLE_CLIENT_ID", default_value = "")]
    pub google_client_id: String,
    /// The client's secret.
    #[arg(long, env = "GOOGLE_CLIENT_SECRET", hide_env_values = true, default_value = "")]
    pub google_client_secret: Secret,
    /// Issuer of the id tokens; another one than Google's for development.
    #[arg(long, env = "OIDC_ISSUER", default_value = super::GOOGLE)]
    pub oidc_issuer: String,
    /// Origins beside the public address that the page is served from, such as Vite's while developing.
    #[arg(long, env = "ALLOWED_ORIGINS", value_delimiter = ',')]
    pub allowed_origins: Vec<String>,
}

impl ProviderConfig {
    /// Adds what is wrong with it.
    pub(crate) fn check(&self, faults: &mut Faults) {
        for origin in self.origins() {
            faults.require_https("ALLOWED_ORIGINS", &origin);
        }
        if self.google_client_id.is_empty() {
            return;
        }
        if self.google_client_secret.expose().is_empty() {
            faults.add("GOOGLE_CLIENT_SECRET", "missing");
        }
        faults.judge("OIDC_ISSUER", self.issuer(faults.environment()));
    }

    fn issuer(&self, environment: Environment) -> anyhow::Result<IssuerUrl> {
        let issuer = IssuerUrl::new(self.oidc_issuer.clone())?;
        let secure = issuer.url().scheme() == "https";
        let on_this_machine = issuer.url().scheme() == "http" && is_loopback(issuer.url());
        ensure!(secure || (on_this_machine && environment != Environment::Production), "must be https");
        Ok(issuer)
    }

    /// The registration, where there is one.
    ///
    /// # Errors
    /// Without a secret, and for an issuer that is no address: https, or http on this machine
    /// outside production.
    pub fn registration(&self, environment: Environment) -> anyhow::Result<Option<Registration>> {
        if self.google_client_id.is_empty() {
            return Ok(None);
        }
        ensure!(!self.google_client_secret.expose().is_empty(), "GOOGLE_CLIENT_SECRET is missing");
        Ok(Some(Registration {
            issuer: self.issuer(environment).context("OIDC_ISSUER")?,
            client_id: ClientId::new(self.google_client_id.clone()),
            client_secret: ClientSecret::new(self.google_client_secret.expose().to_owned()),
        }))
    }

    /// The origins that are named here, without a slash at their end.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        let named = self.allowed_origins.iter().map(|origin| origin.trim().trim_end_matches('/'));
        named.filter(|origin| !origin.is_empty()).map(str::to_owned).collect()
    }
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(client_id: &str, secret: &str, issuer: &str) -> ProviderConfig {
        ProviderConfig {
            google_client_id: client_id.to_owned(),
            google_client_secret: Secret::new(secret),
            oidc_issuer: issuer.to_owned(),
            allowed_origins: vec![" http://localhost:3000/".to_owned(), String::new()],
        }
    }

    #[test]
    fn without_a_client_there_is_no_provider_and_without_its_secret_no_service() {
        let google = "https://accounts.google.com";
        assert!(config("", "", google).registration(Environment::Production).unwrap().is_none());
        assert!(config("desk", "", google).registration(Environment::Production).is_err());
        let registration = config("desk", "hunter2", google).registration(Environment::Production).unwrap();
        assert_eq!(registration.as_ref().unwrap().issuer.as_str(), google);
        assert!(!format!("{registration:?}").contains("hunter2"));
    }

    #[test]
    fn plain_http_is_for_an_issuer_on_this_machine_outside_production() {
        for (issuer, development, production) in [
            ("https://login.example.com", true, true),
            ("http://localhost:9000", true, false),
            ("http://127.0.0.1:9000", true, false),
            ("http://[::1]:9000", true, false),
            ("http://login.example.com", false, false),
            ("http://localhost.example.com", false, false),
            ("http://127.0.0.1@example.com", false, false),
            ("ftp://localhost", false, false),
            ("localhost", false, false),
        ] {
            let taken = |environment| config("desk", "s", issuer).registration(environment).is_ok();
            assert_eq!(taken(Environment::Development), development, "{issuer}");
            assert_eq!(taken(Environment::Production), production, "{issuer}");
        }
    }

    #[test]
    fn origins_are_named_without_a_slash_and_emptiness_is_none() {
        assert_eq!(config("", "", "").origins(), ["http://localhost:3000"]);
    }
}
