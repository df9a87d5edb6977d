//! What each process of the installation is told, as environment variables.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use bff::voice::model::ModelConfig;
use boot::telemetry::ExportConfig;
use calendar_sync::GoogleConfig;

use super::{client::Client, secrets::Secrets, tls::Certificates};

/// A service with a database, and where it listens above the base port.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// The service's name.
    pub name: &'static str,
    /// Added to the base port.
    pub offset: u16,
}

/// The five services.
pub const MEMBERS: [Member; 5] = [
    Member { name: "auth", offset: 1 },
    Member { name: "tenancy", offset: 2 },
    Member { name: "scheduling", offset: 3 },
    Member { name: "calendar-sync", offset: 4 },
    Member { name: "telemetry", offset: 5 },
];

/// Vite serves the page from here while it is being worked on.
const VITE: &str = "http://localhost:3000";

/// How often metrics are sent to Prometheus: a person looks on.
const METRICS_EVERY_MS: u32 = 5_000;

/// The browser door and the voice door.
pub const DOORS: &str = "bff";

/// Environment variables of one process.
pub type Environment = BTreeMap<&'static str, String>;

/// gRPC address of a service above a base port.
#[must_use]
pub fn url(base_port: u16, member: Member) -> String {
    format!("http://127.0.0.1:{}", base_port + member.offset)
}

/// Port of the private PostgreSQL.
#[must_use]
pub fn postgres_port(base_port: u16) -> u16 {
    base_port + 32
}

/// URL of a role in a database of the private PostgreSQL.
#[must_use]
pub fn postgres_url(base_port: u16, role: &str, password: &str, database: &str) -> String {
    format!("postgres://{role}:{password}@127.0.0.1:{}/{database}", postgres_port(base_port))
}

/// A folder as an address.
fn folder_url(folder: &Path) -> anyhow::Result<String> {
    let folder = std::path::absolute(folder)?;
    let url = reqwest::Url::from_directory_path(&folder);
    Ok(url.map_err(|()| anyhow::anyhow!("{} is no folder", folder.display()))?.into())
}

/// Ports, secrets and addresses of one installation.
#[derive(Debug)]
pub struct Plan {
    /// Port of the doors.
    pub port: u16,
    /// Services listen above it.
    pub base_port: u16,
    /// Processes reach each other, Postgres and Redis this far above the ports these listen on.
    pub through: u16,
    /// The built SPA.
    pub web: PathBuf,
    /// Mails are written here instead of being sent.
    pub mail: PathBuf,
    /// Recordings of calls are kept here.
    pub recordings: PathBuf,
    /// Where telemetry goes.
    pub export: ExportConfig,
    /// Whether a Prometheus beside the installation is sent its metrics.
    pub watched: bool,
    /// Where secrets are kept.
    pub secrets: Secrets,
    /// Certificates of the services; without them they talk in plain text.
    pub tls: Option<Certificates>,
    /// Who we are at the identity provider; without one there is no sign-in with Google.
    pub google: Option<Client>,
    /// What the agent's own conversations speak with.
    pub model: ModelConfig,
    /// Whether the demo booking system runs.
    pub booking_system: bool,
    /// Who we are at Google Calendar; without a client id no calendar there is offered.
    pub google_calendar: GoogleConfig,
}

impl Plan {
    /// The public address.
    #[must_use]
    pub fn public_url(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Port of a service.
    #[must_use]
    pub fn port_of(&self, member: Member) -> u16 {
        self.base_port + member.offset
    }

    /// Private PostgreSQL's port.
    #[must_use]
    pub fn postgres_port(&self) -> u16 {
        postgres_port(self.base_port)
    }

    /// Private Redis's port.
    #[must_use]
    pub fn redis_port(&self) -> u16 {
        self.base_port + 79
    }

    /// What the private Redis asks for.
    ///
    /// # Errors
    /// When it can't be read or made.
    pub fn redis_password(&self) -> anyhow::Result<String> {
        self.secrets.get("redis")
    }

    /// Private Prometheus's port.
    #[must_use]
    pub fn prometheus_port(&self) -> u16 {
        self.base_port + 95
    }

    /// Port of the identity provider on this machine.
    #[must_use]
    pub fn provider_port(&self) -> u16 {
        self.base_port + 90
    }

    /// Port of the language model on this machine.
    #[must_use]
    pub fn model_port(&self) -> u16 {
        self.base_port + 91
    }

    /// Port of the demo booking system.
    #[must_use]
    pub fn booking_system_port(&self) -> u16 {
        self.base_port + 92
    }

    /// The page of the demo booking system, with its API below.
    #[must_use]
    pub fn booking_system_url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.booking_system_port())
    }

    /// Where an identity provider may send browsers back to.
    #[must_use]
    pub fn redirect_uris(&self) -> Vec<String> {
        let origins = [self.public_url(), VITE.to_owned()];
        let paths = ["/auth/callback", "/oauth2/callback/google"];
        origins.iter().flat_map(|origin| paths.map(|path| format!("{origin}{path}"))).collect()
    }

    /// URL of a role in a database of the private PostgreSQL.
    #[must_use]
    pub fn postgres_url(&self, role: &str, password: &str, database: &str) -> String {
        postgres_url(self.base_port + self.through, role, password, database)
    }

    fn redis_url(&self, database: u8) -> anyhow::Result<String> {
        let password = self.redis_password()?;
        Ok(format!("redis://:{password}@127.0.0.1:{}/{database}", self.redis_port() + self.through))
    }

    /// gRPC address of a service.
    #[must_use]
    pub fn url_of(&self, member: Member) -> String {
        let url = url(self.base_port + self.through, member);
        if self.tls.is_some() { url.replacen("http", "https", 1) } else { url }
    }

    /// What every process is told.
    fn shared(&self, name: &str, port: u16) -> Environment {
        let mut environment = Environment::from([
            ("LISTEN", format!("127.0.0.1:{port}")),
            ("PASSPORT_KEYS", self.secrets.keyring(name).display().to_string()),
            ("ENVIRONMENT", "development".to_owned()),
        ]);
        if let Some(tls) = &self.tls {
            let files = tls.files(name);
            for (setting, file) in [("TLS_CERT", files.cert), ("TLS_KEY", files.key), ("TLS_CA", files.ca)] {
                environment.insert(setting, file.display().to_string());
            }
        }
        environment.extend(self.export.environment());
        if self.watched {
            let url = format!("http://127.0.0.1:{}/api/v1/otlp/v1/metrics", self.prometheus_port());
            environment.insert("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", url);
            environment.insert("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf".to_owned());
            environment.insert("OTEL_METRIC_EXPORT_INTERVAL", METRICS_EVERY_MS.to_string());
        }
        environment
    }

    /// What a service is told.
    ///
    /// # Errors
    /// When a secret can't be read or made.
    pub fn service(&self, member: Member) -> anyhow::Result<Environment> {
        let role = member.name.replace('-', "_");
        let url = |kind: &str| -> anyhow::Result<String> {
            let password = self.secrets.get(&format!("{role}_{kind}"))?;
            Ok(self.postgres_url(&format!("{role}_{kind}"), &password, &role))
        };
        let mut environment = self.shared(member.name, self.port_of(member));
        environment.insert("REDIS_URL", self.redis_url(0)?);
        environment.insert("CACHE_URL", self.redis_url(1)?);
        environment.insert("DATABASE_URL", url("app")?);
        environment.insert("MIGRATION_URL", url("owner")?);
        match member.name {
            "auth" => {
                environment.insert("SESSION_KEY", self.secrets.get("session-key")?);
                environment.insert("SEALING_KEY", self.secrets.get("auth-sealing-key")?);
                environment.insert("PUBLIC_URL", self.public_url());
                environment.insert("TENANCY_URL", self.url_of(MEMBERS[1]));
                environment.insert("MAIL_DIR", self.mail.display().to_string());
                environment.insert("ALLOWED_ORIGINS", VITE.to_owned());
                if let Some(Client { id, secret, issuer }) = self.google.clone() {
                    environment.insert("GOOGLE_CLIENT_ID", id);
                    environment.insert("GOOGLE_CLIENT_SECRET", secret);
                    environment.insert("OIDC_ISSUER", issuer);
                }
            }
            "tenancy" => {
                let key = self.secrets.get("tenancy-sealing-key")?;
                environment.insert("SEALING_KEYS", format!("local-1:{key}"));
                environment.insert("PUBLIC_URL", self.public_url());
                environment.insert("AUTH_URL", self.url_of(MEMBERS[0]));
                environment.insert("SCHEDULING_URL", self.url_of(MEMBERS[2]));
                environment.insert("CALENDAR_SYNC_URL", self.url_of(MEMBERS[3]));
                environment.insert("TELEMETRY_URL", self.url_of(MEMBERS[4]));
            }
            "scheduling" => {
                environment.insert("TENANCY_URL", self.url_of(MEMBERS[1]));
                environment.insert("TELEMETRY_URL", self.url_of(MEMBERS[4]));
            }
            "telemetry" => {
                environment.insert("SCHEDULING_URL", self.url_of(MEMBERS[2]));
                environment.insert("TENANCY_URL", self.url_of(MEMBERS[1]));
                environment.insert("RECORDINGS_URL", folder_url(&self.recordings)?);
            }
            "calendar-sync" => {
                let key = self.secrets.get("calendar-sync-sealing-key")?;
                environment.insert("SEALING_KEYS", format!("local-1:{key}"));
                environment.insert("PUBLIC_URL", self.public_url());
                environment.extend(self.google_calendar());
                if self.booking_system {
                    environment.insert("DEMO_PROVIDER_URL", self.booking_system_url());
                }
                environment.insert("SCHEDULING_URL", self.url_of(MEMBERS[2]));
                environment.insert("TENANCY_URL", self.url_of(MEMBERS[1]));
            }
            _ => {}
        }
        Ok(environment)
    }

    fn google_calendar(&self) -> Environment {
        let google = &self.google_calendar;
        if google.google_calendar_client_id.is_empty() {
            return Environment::new();
        }
        Environment::from([
            ("GOOGLE_CALENDAR_CLIENT_ID", google.google_calendar_client_id.clone()),
            ("GOOGLE_CALENDAR_CLIENT_SECRET", google.google_calendar_client_secret.expose().to_owned()),
            ("GOOGLE_AUTHORIZATION_URL", google.google_authorization_url.clone()),
            ("GOOGLE_OAUTH_URL", google.google_oauth_url.clone()),
            ("GOOGLE_CALENDAR_URL", google.google_calendar_url.clone()),
        ])
    }

    /// What the doors are told.
    ///
    /// # Errors
    /// When a secret can't be read or made.
    pub fn doors(&self) -> anyhow::Result<Environment> {
        let mut environment = self.shared(DOORS, self.port);
        environment.insert("PUBLIC_URL", self.public_url());
        environment.insert("ALLOWED_ORIGINS", VITE.to_owned());
        environment.insert("WEB_ROOT", self.web.display().to_string());
        environment.insert("XSRF_KEY", self.secrets.get("xsrf-key")?);
        let model = &self.model;
        let key = model.agent_model_key.as_ref().map(|key| key.expose().to_owned());
        for (name, value) in [
            ("AGENT_MODEL_URL", model.agent_model_url.clone()),
            ("AGENT_MODEL", model.agent_model.clone()),
            ("AGENT_MODEL_KEY", key),
        ] {
            environment.extend(value.map(|value| (name, value)));
        }
        for (member, name) in MEMBERS.into_iter().zip([
            "AUTH_URL",
            "TENANCY_URL",
            "SCHEDULING_URL",
            "CALENDAR_SYNC_URL",
            "TELEMETRY_URL",
        ]) {
            environment.insert(name, self.url_of(member));
        }
        Ok(environment)
    }
}

/// The flags that say what environment variables would: `LISTEN` is `--listen`.
#[must_use]
pub fn flags(environment: &Environment) -> Vec<String> {
    environment
        .iter()
        .map(|(name, value)| format!("--{}={value}", name.to_lowercase().replace('_', "-")))
        .collect()
}
