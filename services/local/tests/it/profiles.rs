//! The security profiles as somebody at a browser meets them: the door's HTTP before a real auth,
//! on a clock that the test sets.

use std::{net::SocketAddr, path::Path};

use auth::{MailConfig, ProviderConfig, migration::Migrator};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use bff::{Door, config::BrowserConfig, edge::Limits, gateway::ServiceUrls};
use boot::{
    Host,
    clock::{Clock, TestClock},
    config::{Environment, Secret},
    security::SecurityProfile,
};
use jiff::SignedDuration;
use local::{demo::salon::PASSWORD, visitor::Visitor};
use proto::frontdesk::auth::internal::v1::{
    EnsureUserRequest, provisioning_service_client::ProvisioningServiceClient,
};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::TestDatabase;
use tokio::net::TcpListener;

use crate::stack::PAGE;

const PUBLIC_URL: &str = "https://desk.test";
const NAME: &str = "owner";

/// A door and an auth under one profile.
struct Desk {
    url: String,
    time: TestClock,
    hosts: [Host; 2],
    _database: TestDatabase,
    _web: TempDir,
}

impl Desk {
    async fn under(profile: Environment) -> Self {
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
        Self { url, time, hosts, _database: database, _web: web }
    }

    async fn browser(&self) -> Visitor {
        Visitor::met(&self.url).await.unwrap()
    }

    fn pass(&self, time: SignedDuration) {
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
    let nobody = || "http://127.0.0.1:9".to_owned();
    bff::Config {
        doors: vec![Door::Browser],
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        otlp_endpoint: None,
        passport_keys: "not read by tests".into(),
        environment,
        security_profile: None,
        trusted_proxies: "none".parse().unwrap(),
        browser: BrowserConfig {
            public_url: PUBLIC_URL.to_owned(),
            allowed_origins: vec![],
            web_root: web.to_owned(),
            xsrf_key: Some(Secret::new("an XSRF key of at least 32 characters")),
        },
        services: ServiceUrls {
            auth_url: format!("http://{auth}"),
            tenancy_url: nobody(),
            scheduling_url: nobody(),
            calendar_sync_url: nobody(),
            telemetry_url: nobody(),
        },
    }
}

/// Status and reason of an attempt to sign in with a wrong password.
async fn fail(browser: &Visitor) -> (StatusCode, String) {
    let body = json!({ "email": format!("{NAME}@demo.test"), "password": "not the password" });
    told(browser.send(Method::POST, "/api/auth/login", Some(&body), None).await.unwrap()).await
}

async fn told(answer: Response) -> (StatusCode, String) {
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    (status, body["details"][0]["reason"].as_str().unwrap_or_default().to_owned())
}

fn wrong() -> (StatusCode, String) {
    (StatusCode::UNAUTHORIZED, "WRONG_CREDENTIALS".to_owned())
}

async fn is_let_in(browser: &Visitor) -> bool {
    browser.log_in(NAME).await.unwrap().status() == StatusCode::OK
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_many_failures_in_a_quarter_of_an_hour_block_for_as_long_as_the_profile_says() {
    for (profile, attempts, block) in [(Environment::Production, 5, 60), (Environment::Development, 10, 5)] {
        let desk = Desk::under(profile).await;
        let browser = desk.browser().await;
        for _ in 1..attempts {
            assert_eq!(fail(&browser).await, wrong(), "{profile:?}");
        }
        // A quarter of an hour later these are forgotten.
        desk.pass(SignedDuration::from_mins(15));
        for _ in 0..attempts {
            assert_eq!(fail(&browser).await, wrong(), "{profile:?}");
        }
        let blocked = browser.log_in(NAME).await.unwrap();
        let wait: i64 = blocked.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert_eq!(wait, block * 60, "{profile:?}");
        assert_eq!(told(blocked).await, (StatusCode::TOO_MANY_REQUESTS, "BLOCKED".to_owned()));
        desk.pass(SignedDuration::from_secs(block * 60 - 1));
        assert!(!is_let_in(&browser).await, "{profile:?}: the block ends too early");
        desk.pass(SignedDuration::from_secs(1));
        assert!(is_let_in(&browser).await, "{profile:?}: the block does not end");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_test_no_number_of_failures_blocks() {
    let desk = Desk::under(Environment::Test).await;
    let browser = desk.browser().await;
    for _ in 0..20 {
        assert_eq!(fail(&browser).await, wrong());
    }
    assert!(is_let_in(&browser).await);
}

/// Seconds from an access token's beginning to its end.
fn life(token: &str) -> i64 {
    let claims = token.split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&B64.decode(claims).unwrap()).unwrap();
    claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap()
}

/// Seconds that the browser keeps the refresh token.
fn kept(answer: &Response) -> i64 {
    let cookies = answer.headers().get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let mut cookies = cookies.filter(|line| line.starts_with("__Host-refresh="));
    let attributes = cookies.next().unwrap().split("; ");
    attributes.filter_map(|attribute| attribute.strip_prefix("Max-Age=")).next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn access_and_refresh_tokens_live_as_long_as_the_profile_says() {
    for (profile, minutes, days) in
        [(Environment::Production, 15, 7), (Environment::Development, 60, 30), (Environment::Test, 60, 1)]
    {
        let desk = Desk::under(profile).await;
        let answer = desk.browser().await.log_in(NAME).await.unwrap();
        assert_eq!(kept(&answer), days * 24 * 3600, "{profile:?}");
        let mut browser = Visitor::sign_in(&desk.url, NAME).await.unwrap();
        assert_eq!(life(browser.token()), minutes * 60, "{profile:?}");
        desk.pass(SignedDuration::from_secs(minutes * 60 - 1));
        browser.get("/api/auth/me").await.unwrap();
        // Two machines' clocks may differ by five seconds.
        desk.pass(SignedDuration::from_secs(1 + 5));
        let refused = browser.send(Method::GET, "/api/auth/me", None, None).await.unwrap();
        assert_eq!(told(refused).await.0, StatusCode::UNAUTHORIZED, "{profile:?}");
        let left = SignedDuration::from_secs(days * 24 * 3600 - minutes * 60 - 5 - 1);
        desk.pass(left);
        browser.refresh().await.unwrap();
        desk.pass(SignedDuration::from_secs(1));
        let over = browser.refresh().await.unwrap_err().to_string();
        assert!(over.contains("UNAUTHENTICATED"), "{profile:?}: {over}");
    }
}
