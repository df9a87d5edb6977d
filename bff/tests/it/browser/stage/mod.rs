//! The browser door between a browser and services that a test directs.

mod auth;
mod log;
mod page;
mod services;
mod standing;
mod visitor;

use core::time::Duration;
use std::{
    net::SocketAddr,
    sync::{Arc, LazyLock},
};

use axum::{
    extract::Request,
    middleware::{self, Next},
};
use bff::{
    Config, Door, config::BrowserConfig, edge::Limits, gateway::ServiceUrls, voice::model::ModelConfig,
};
use boot::{
    Host,
    clock::{Clock, TestClock},
    config::Secret,
    environment::Environment,
    security::SecurityProfile,
    telemetry::ExportConfig,
};
use caller::{BusinessId, Keyring, SessionId, Signer, UserId};
use proto::frontdesk::{auth::internal::v1::SessionServiceAdapter, events::v1::EventLogServiceAdapter};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinHandle};
use tonic::service::Routes;
use uuid::Uuid;

use super::telemetry::SPANS;

pub use auth::{
    Auth, DEVICE_CODE, DEVICE_LIFE, EMAIL, ISSUER, NO_BUSINESS, PASSWORD, REFRESH_LIFE, TokenKey,
};
pub use log::Log;
pub use services::{Services, passport};
pub use standing::{EVERYONE, Standing, place, rest_methods};
pub use visitor::Visitor;

pub const WILLOW: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));
pub const OTHER: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0002));
/// The public address in production.
pub const PRODUCTION: &str = "https://desk.example.com";
pub const ANA: UserId = UserId(Uuid::from_u128(0xa));
pub const ANAS_SESSION: SessionId = SessionId(Uuid::from_u128(0x5a));

/// The services in the order of a door's configuration.
const SERVICES: [&str; 5] = ["auth", "tenancy", "scheduling", "calendar-sync", "telemetry"];

pub const XSRF_KEY: &str = "an XSRF key of at least 32 characters";

/// What differs from one test to the next.
pub struct Setting {
    pub limits: Limits,
    pub environment: Environment,
    pub public_url: &'static str,
    /// As in TRUSTED_PROXIES.
    pub trusted_proxies: &'static str,
    /// Services that can't be reached.
    pub down: &'static [&'static str],
    /// Whether services know the key that the door signs passports with.
    pub believed: bool,
    /// Of one person; `None` as the environment has it.
    pub requests_per_second: Option<u32>,
    /// Where telemetry goes.
    pub export: ExportConfig,
    /// What the agent speaks with.
    pub model: ModelConfig,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            environment: Environment::Test,
            public_url: ISSUER,
            trusted_proxies: "none",
            down: &[],
            believed: true,
            requests_per_second: None,
            export: ExportConfig::default(),
            model: ModelConfig::default(),
        }
    }
}

/// A served door and everything around it.
pub struct Stage {
    pub address: SocketAddr,
    pub auth: Arc<Auth>,
    pub logs: [Arc<Log>; 5],
    pub services: Arc<Services>,
    pub time: TestClock,
    pub door: Host,
    pub serving: Option<JoinHandle<anyhow::Result<()>>>,
    issuer: &'static str,
    hosts: Vec<Host>,
    _web: TempDir,
}

impl Stage {
    pub async fn open() -> Self {
        Self::set(Setting::default()).await
    }

    /// As in production.
    pub async fn production() -> Self {
        let environment = Environment::Production;
        Self::set(Setting { environment, public_url: PRODUCTION, ..Setting::default() }).await
    }

    pub async fn limited(limits: Limits) -> Self {
        Self::set(Setting { limits, ..Setting::default() }).await
    }

    pub async fn set(setting: Setting) -> Self {
        LazyLock::force(&SPANS);
        let (clock, time) = Clock::test(testkit::START.parse().unwrap());
        let (auth, services) = (Auth::new(), Services::new());
        let logs = [(); 5].map(|()| Log::new());
        let mut hosts = Vec::new();
        let mut urls = Vec::new();
        for (service, log) in SERVICES.into_iter().zip(&logs) {
            let host = testkit::host_on(service, clock.clone());
            let address = if setting.down.contains(&service) {
                unreachable_address().await
            } else {
                testkit::serve(routes(&host, &auth, &services, log), &host).await
            };
            urls.push(format!("http://{address}"));
            hosts.push(host);
        }
        let web = page::built();
        let config = config(&setting, urls.try_into().unwrap(), &web);
        let mut door = testkit::host_on("bff", clock);
        if !setting.believed {
            let unknown = Keyring::generate(&[("bff", [9; 32])]).unwrap();
            door.signer = Signer::new(Arc::new(Keyring::parse(&unknown[0].1).unwrap()));
        }
        door.environment = setting.environment;
        door.security = SecurityProfile::of(setting.environment);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(bff::serve_within(config, listener, door.clone(), setting.limits));
        let issuer = setting.public_url;
        Self { address, auth, logs, services, time, door, serving: Some(serving), issuer, hosts, _web: web }
    }

    /// A browser that has never been here.
    pub fn stranger(&self) -> Visitor {
        Visitor::new(self.address)
    }

    /// A browser with an XSRF pair and Ana's access token.
    pub async fn ana(&self) -> Visitor {
        let mut visitor = self.stranger();
        visitor.get("/").await;
        visitor.token = Some(self.token());
        visitor
    }

    /// Ana's access token.
    pub fn token(&self) -> String {
        self.auth.key().sign(&self.claims())
    }

    /// Ana's claims.
    pub fn claims(&self) -> Value {
        let now = self.time.now().as_second();
        json!({
            "iss": self.issuer, "aud": "frontdesk", "sub": ANA, "sid": ANAS_SESSION, "email": EMAIL,
            "name": "Ana", "role": "OWNER", "iat": now, "exp": now + 900, "jti": Uuid::from_u128(1),
        })
    }

    pub fn log(&self, service: &str) -> &Log {
        &self.logs[SERVICES.iter().position(|name| *name == service).unwrap()]
    }

    /// Asks the door to stop and waits for it.
    pub async fn stop(&mut self) {
        self.door.shutdown.cancel();
        if let Some(serving) = self.serving.take() {
            tokio::time::timeout(Duration::from_secs(10), serving).await.unwrap().unwrap().unwrap();
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.door.shutdown.cancel();
        self.hosts.iter().for_each(|host| host.shutdown.cancel());
    }
}

fn routes(host: &Host, auth: &Arc<Auth>, services: &Arc<Services>, log: &Arc<Log>) -> Routes {
    let events = EventLogServiceAdapter::new(log.clone(), host.gate.clone()).into_server();
    let mut routes = Routes::new(events);
    if host.service == "auth" {
        let sessions = SessionServiceAdapter::new(auth.clone(), host.gate.clone()).into_server();
        routes = routes.add_service(sessions);
    }
    let services = services.clone();
    let router = routes.into_axum_router().fallback_service(services.routes(host));
    let overheard = middleware::from_fn(move |request: Request, next: Next| {
        services.overhear(request.uri().path());
        next.run(request)
    });
    router.layer(overheard).into()
}

fn config(setting: &Setting, urls: [String; 5], web: &TempDir) -> Config {
    let [auth_url, tenancy_url, scheduling_url, calendar_sync_url, telemetry_url] = urls;
    Config {
        model: setting.model.clone(),
        doors: vec![Door::Browser],
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        transport: boot::transport::TransportConfig::default(),
        drain: boot::drain::DrainConfig::default(),
        export: setting.export.clone(),
        passport_keys: "not read by tests".into(),
        environment: setting.environment,
        security_profile: None,
        trusted_proxies: setting.trusted_proxies.parse().unwrap(),
        browser: BrowserConfig {
            public_url: setting.public_url.to_owned(),
            allowed_origins: vec![],
            requests_per_second: setting.requests_per_second,
            web_root: web.path().to_owned(),
            xsrf_key: Some(Secret::new(XSRF_KEY)),
        },
        services: ServiceUrls { auth_url, tenancy_url, scheduling_url, calendar_sync_url, telemetry_url },
    }
}

/// A port that was free a moment ago.
async fn unreachable_address() -> SocketAddr {
    TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap()
}
