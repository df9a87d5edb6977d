//! What the doors are told.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use anyhow::{Context, ensure};
use boot::{
    Host,
    clock::Clock,
    config::{Environment, Secret},
};
use caller::{Gate, Keyring, Signer, Verifier};
use tokio_util::sync::CancellationToken;

use crate::gateway::ServiceUrls;

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
    /// OTLP over gRPC goes here; without it telemetry stays in the process.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,
    /// File with the doors' passport keyring.
    #[arg(long, env = "PASSPORT_KEYS")]
    pub passport_keys: PathBuf,
    /// Where the process runs.
    #[arg(long, env = "ENVIRONMENT", value_enum, default_value = "production")]
    pub environment: Environment,
    /// What the browser door is told.
    #[command(flatten)]
    pub browser: BrowserConfig,
    /// Where the services are.
    #[command(flatten)]
    pub services: ServiceUrls,
}

/// What the browser door is told.
#[derive(Debug, Clone, clap::Args)]
pub struct BrowserConfig {
    /// Address people type: the only source of links and allowed origins.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080")]
    pub public_url: String,
    /// Further origins the page may be served from, such as Vite's while developing.
    #[arg(long, env = "ALLOWED_ORIGINS", value_delimiter = ',')]
    pub allowed_origins: Vec<String>,
    /// Folder with the built page.
    #[arg(long, env = "WEB_ROOT", default_value = "web/dist")]
    pub web_root: PathBuf,
    /// Key of the XSRF tokens, 32 bytes or more of anything random.
    #[arg(long, env = "XSRF_KEY", hide_env_values = true)]
    pub xsrf_key: Option<Secret>,
}

impl Config {
    /// What the doors live in.
    ///
    /// # Errors
    /// A keyring that is missing, malformed or another's.
    pub fn host(&self, shutdown: CancellationToken) -> anyhow::Result<Host> {
        let path = self.passport_keys.display();
        let json = std::fs::read_to_string(&self.passport_keys).with_context(|| format!("reading {path}"))?;
        let keyring = Arc::new(Keyring::parse(&json).with_context(|| format!("parsing {path}"))?);
        let signer = Signer::new(keyring.clone());
        ensure!(signer.issuer() == "bff", "{path} is the keyring of {}", signer.issuer());
        let clock = Clock::system();
        Ok(Host {
            service: "bff",
            gate: Gate::new(Verifier::new("bff", keyring), clock.reader()),
            clock,
            signer,
            redis: None,
            shutdown,
            environment: self.environment,
        })
    }
}
