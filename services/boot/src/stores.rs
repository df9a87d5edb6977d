//! How a process talks to Postgres and Redis: production wants TLS that proves which server answers.
//! Encryption alone (`sslmode=require`) would hand logins and customers to any server in between.

use core::net::IpAddr;
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgAction, builder::BoolishValueParser};
use redis::{Client, ConnectionAddr, TlsCertificates};

use crate::{faults::Faults, secret::Secret, tls::certificates};

/// What a process reads about its way to Postgres and Redis.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct StoresConfig {
    /// Says that a service mesh, or the network between the nodes, encrypts what goes to Postgres and
    /// Redis in plain text.
    #[arg(long, env = "STORES_MESH", action = ArgAction::Set, value_parser = BoolishValueParser::new(),
        default_value = "false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub stores_mesh: bool,
    /// File with the authorities that sign Redis's certificate, in PEM; Mozilla's list without it.
    #[arg(long, env = "REDIS_CA_FILE")]
    pub redis_ca_file: Option<PathBuf>,
}

impl StoresConfig {
    /// Adds what is wrong with it, and with the addresses of Redis.
    pub(crate) fn check_redis(&self, urls: [(&str, Option<&Secret>); 2], faults: &mut Faults) {
        faults.judge("REDIS_CA_FILE", self.authority());
        for (setting, url) in urls {
            let Some(url) = url else { continue };
            let Some(client) = faults.judge(setting, open(url, None)) else { continue };
            let (host, proven) = match client.get_connection_info().addr() {
                ConnectionAddr::TcpTls { host, insecure, .. } => (host.as_str(), !insecure),
                ConnectionAddr::Tcp(host, _) => (host.as_str(), false),
                _ => continue,
            };
            self.require_proven(setting, host, proven, "rediss:// without #insecure", faults);
        }
    }

    /// Refuses in production a server on another host that is not proven to be the one that is meant.
    pub fn require_proven(&self, setting: &str, host: &str, proven: bool, cure: &str, faults: &mut Faults) {
        if faults.in_production() && !proven && !self.stores_mesh && !is_this_machine(host) {
            faults.add(
                setting,
                format!(
                    "production needs {cure}, or STORES_MESH=1 where a service mesh or the nodes' network \
                     encrypts these connections"
                ),
            );
        }
    }

    /// A client that connects later; the error shows nothing of the URL, which may hold a password.
    ///
    /// # Errors
    /// A malformed URL, or an authority that can't be read.
    pub fn open_redis(&self, url: &Secret) -> anyhow::Result<Client> {
        open(url, self.authority().context("REDIS_CA_FILE")?)
    }

    fn authority(&self) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(file) = &self.redis_ca_file else { return Ok(None) };
        let pem = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        certificates(&pem)?;
        Ok(Some(pem))
    }
}

fn open(url: &Secret, authority: Option<Vec<u8>>) -> anyhow::Result<Client> {
    let client =
        Client::open(url.expose()).ok().context("is no address such as rediss://:password@host:6379")?;
    let encrypted = matches!(client.get_connection_info().addr(), ConnectionAddr::TcpTls { .. });
    match authority {
        Some(_) if encrypted => {
            let certificates = TlsCertificates { client_tls: None, root_cert: authority };
            Client::build_with_tls(url.expose(), certificates).ok().context("no client for its authority")
        }
        _ => Ok(client),
    }
}

/// Whether a server's connections never leave this machine: a socket's folder, or loopback.
fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.starts_with('/')
        || host.eq_ignore_ascii_case("localhost")
        || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;

    fn said(environment: Environment, config: &StoresConfig, redis: &str, cache: &str) -> String {
        let (redis, cache) = (Secret::new(redis), Secret::new(cache));
        let mut faults = Faults::of(environment);
        config.check_redis([("REDIS_URL", Some(&redis)), ("CACHE_URL", Some(&cache))], &mut faults);
        faults.refuse().err().map(|error| error.to_string()).unwrap_or_default()
    }

    const PROVEN: &str = "rediss://:hunter2@redis.example.com";

    #[test]
    fn production_reaches_redis_on_another_host_over_tls_alone() {
        let config = StoresConfig::default();
        for plain in [
            "redis://:hunter2@redis",
            "redis://10.0.0.7:6379/1",
            "rediss://:hunter2@redis.example.com/#insecure",
        ] {
            let words = said(Environment::Production, &config, plain, PROVEN);
            assert!(words.contains("REDIS_URL: production needs rediss://"), "{words}");
            assert!(words.contains("STORES_MESH=1") && !words.contains("hunter2"), "{words}");
            assert!(!words.contains("CACHE_URL"), "{words}");
            assert!(said(Environment::Production, &config, PROVEN, plain).contains("CACHE_URL: "));
            assert_eq!(said(Environment::Development, &config, plain, plain), "");
            let mesh = StoresConfig { stores_mesh: true, ..StoresConfig::default() };
            assert_eq!(said(Environment::Production, &mesh, plain, plain), "");
        }
        assert_eq!(said(Environment::Production, &config, PROVEN, PROVEN), "");
    }

    #[test]
    fn a_server_on_this_machine_needs_no_tls() {
        for host in ["127.0.0.1", "127.0.0.53:6380", "[::1]:6379", "localhost", "LOCALHOST:1"] {
            let url = format!("redis://{host}");
            assert_eq!(said(Environment::Production, &StoresConfig::default(), &url, &url), "", "{host}");
        }
        assert!(is_this_machine("/run/postgresql"));
        for host in ["localhost.example.com", "redis", "10.0.0.1", "128.0.0.1", "::2", ""] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn an_authority_that_cannot_be_read_is_named() {
        let config =
            StoresConfig { redis_ca_file: Some("/nowhere/ca.pem".into()), ..StoresConfig::default() };
        let words = said(Environment::Test, &config, PROVEN, PROVEN);
        assert!(words.contains("REDIS_CA_FILE: reading /nowhere/ca.pem"), "{words}");
        assert!(config.open_redis(&Secret::new(PROVEN)).is_err());
    }
}
