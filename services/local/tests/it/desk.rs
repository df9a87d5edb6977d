//! A desk to try the security profiles at: the door before a real auth, on a clock that the test sets.

use std::{net::SocketAddr, path::Path};

use auth::{MailConfig, ProviderConfig, migration::Migrator};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use bff::{Door, config::BrowserConfig, edge::Limits, gateway::ServiceUrls, voice::model::ModelConfig};
use boot::{
    Host,
    clock::{Clock, TestClock},
    config::Secret,
    drain::DrainConfig,
    environment::Environment,
    security::SecurityProfile,
    transport::TransportConfig,
};
use database::{named, statement, to_db};
use jiff::SignedDuration;
use local::{demo::salon::PASSWORD, visitor::Visitor};
use proto::frontdesk::auth::internal::v1::{
    EnsureUserRequest, provisioning_service_client::ProvisioningServiceClient,
};
use sea_orm::ConnectionTrait;
use tempfile::TempDir;
use testkit::TestDatabase;
use tokio::net::TcpListener;

use crate::stack::PAGE;

const PUBLIC_URL: &str = "https://desk.test";
/// Who has an account: `owner@demo.test`.
pub const NAME: &str = "owner";

/// A door and an auth under one profile.
pub struct Desk {
    pub url: String,
    time: TestClock,
    hosts: [Host; 2],
    database: TestDatabase,
    _web: TempDir,
}

impl Desk {
    pub async fn under(profile: Environment) -> Self {
        let (clock, time) = Clock::test(testkit::START.parse().unwrap());
        let hosts = ["auth", "bff"].map(|service| {
            let mut host = testkit::host_on(service, clock.clone());
            host.environment = profile;
            host.security = SecurityProfile::of(profile);
            host
        });
        let database = testkit::database::<Migrator>("auth").await;
        let connected = database.connect(&hosts[0]).await;
        let routes = auth::routes(&auth_config(&database), connected, &hosts[0]).await.unwrap();
        let address = testkit::serve(routes, &hosts[0]).await;
        add_owner(&hosts[0], address).await;
        let web = tempfile::tempdir().unwrap();
        std::fs::write(web.path().join("index.html"), PAGE).unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let door = bff::serve_within(
            door_config(profile, address, web.path()),
            listener,
            hosts[1].clone(),
            Limits::default(),
        );
        tokio::spawn(async move { door.await.unwrap() });
        Self { url, time, hosts, database, _web: web }
    }

    pub async fn browser(&self) -> Visitor {
        Visitor::met(&self.url).await.unwrap()
    }

    /// Writes so many failed sign-ins into the owner's record, as of now.
    pub async fn note_failures(&self, times: i32) {
        let sql = "INSERT INTO security_event (account_id, kind, at, browser, detail)
            SELECT id, 'SIGN_IN_FAILED', :at, '', '' FROM account, generate_series(1, :times)";
        let values = named! { at: to_db(self.time.now()), times };
        let database = sea_orm::Database::connect(&self.database.superuser_url).await.unwrap();
        let noted = database.execute_raw(statement(sql, values)).await.unwrap().rows_affected();
        assert_eq!(noted, u64::try_from(times).unwrap());
    }

    pub fn pass(&self, time: SignedDuration) {
        self.time.advance(time);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.hosts.iter().for_each(|host| host.shutdown.cancel());
    }
}

async fn add_owner(auth: &Host, address: SocketAddr) {
    let person = EnsureUserRequest {
        user_id: auth.clock.new_id().to_string(),
        email: format!("{NAME}@demo.test"),
        name: "Olive Owner".to_owned(),
        password: PASSWORD.to_owned(),
        admin: false,
    };
    let mut provisioning = ProvisioningServiceClient::new(testkit::peer("auth", address, auth).channel());
    provisioning.ensure_user(testkit::as_service("local", auth, None, person)).await.unwrap();
}

fn auth_config(database: &TestDatabase) -> auth::Config {
    auth::Config {
        service: database.config(),
        session_key: Secret::new(B64.encode([1; 32])),
        sealing_key: Secret::new(B64.encode([2; 32])),
        public_url: Some(PUBLIC_URL.parse().unwrap()),
        tenancy_url: "http://127.0.0.1:9".to_owned(),
        mail: MailConfig::default(),
        provider: ProviderConfig {
            google_client_id: String::new(),
            google_client_secret: Secret::new(""),
            oidc_issuer: String::new(),
            allowed_origins: vec![],
        },
    }
}

fn door_config(environment: Environment, auth: SocketAddr, web: &Path) -> bff::Config {
    let unreachable = || "http://127.0.0.1:9".to_owned();
    bff::Config {
        model: ModelConfig::default(),
        doors: vec![Door::Browser],
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        transport: TransportConfig::default(),
        drain: DrainConfig::default(),
        export: boot::telemetry::ExportConfig::default(),
        passport_keys: "not read by tests".into(),
        environment,
        security_profile: None,
        trusted_proxies: "none".parse().unwrap(),
        browser: BrowserConfig {
            public_url: PUBLIC_URL.to_owned(),
            allowed_origins: vec![],
            requests_per_second: None,
            web_root: web.to_owned(),
            xsrf_key: Some(Secret::new("an XSRF key of at least 32 characters")),
        },
        services: ServiceUrls {
            auth_url: format!("http://{auth}"),
            tenancy_url: unreachable(),
            scheduling_url: unreachable(),
            calendar_sync_url: unreachable(),
            telemetry_url: unreachable(),
        },
    }
}
