//! A served auth service with a database of its own.

use auth::{Config, MailConfig, ProviderConfig, migration::Migrator};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::{
    Host, clock::TestClock, config::Secret, environment::Environment, peer::PeerChannel,
    security::SecurityProfile,
};
use caller::{BusinessId, UserId};
use database::{Parameters, named, statement};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, jwk::JwkSet};
use proto::{
    error::{Reason, reason_of},
    frontdesk::auth::{
        internal::v1::{
            AdmitRequest, AdmitResponse, Client, EnsureUserRequest, GetJwksRequest, RefreshRequest,
            SetMembershipRequest, SignInRequest, SignOutRequest, Tokens,
            provisioning_service_client::ProvisioningServiceClient,
            registration_service_client::RegistrationServiceClient,
            session_service_client::SessionServiceClient,
        },
        v1::{
            account_service_client::AccountServiceClient, member_service_client::MemberServiceClient,
            security_service_client::SecurityServiceClient,
        },
    },
};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use sealing::SealingKey;
use serde_json::Value as Json;
use testkit::{TestDatabase, TestRedis, as_person, as_service};
use tonic::Status;
use uuid::Uuid;

pub const EMAIL: &str = "owner@demo.test";
pub const PASSWORD: &str = "correct horse battery";
pub const PUBLIC_URL: &str = "https://desk.test";

pub fn user(n: u128) -> UserId {
    UserId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_1000 + n))
}

pub fn business(n: u128) -> BusinessId {
    BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_2000 + n))
}

/// A served auth service.
pub struct Auth {
    pub host: Host,
    pub time: TestClock,
    pub database: TestDatabase,
    pub channel: PeerChannel,
}

pub fn config(database: &TestDatabase) -> Config {
    Config {
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

impl Auth {
    pub async fn start() -> Self {
        Self::start_in(Environment::Test).await
    }

    pub async fn start_in(environment: Environment) -> Self {
        Self::start_on(environment, None).await
    }

    /// As in production, with a Redis for its limits.
    pub async fn guarded(redis: &TestRedis) -> Self {
        Self::start_on(Environment::Production, Some(redis.client())).await
    }

    async fn start_on(environment: Environment, redis: Option<redis::Client>) -> Self {
        let none = ProviderConfig {
            google_client_id: String::new(),
            google_client_secret: Secret::new(""),
            oidc_issuer: String::new(),
            allowed_origins: vec![],
        };
        Self::start_with(environment, redis, none).await
    }

    /// With a provider of one's own.
    pub async fn start_with(
        environment: Environment,
        redis: Option<redis::Client>,
        provider: ProviderConfig,
    ) -> Self {
        let (mut host, time) = testkit::host("auth");
        host.environment = environment;
        host.security = SecurityProfile::of(environment);
        host.redis = redis;
        let database = testkit::database::<Migrator>("auth").await;
        let config = Config { provider, ..config(&database) };
        let routes = auth::routes(&config, database.connect(&host).await, &host).await.unwrap();
        let address = testkit::serve(routes, &host).await;
        let channel = testkit::peer("auth", address, &host).channel();
        Self { host, time, database, channel }
    }

    /// Another replica on the same database, with a configuration of its own.
    pub async fn replica(&self, config: &Config) -> SessionServiceClient<PeerChannel> {
        let database = self.database.connect(&self.host).await;
        let routes = auth::routes(config, database, &self.host).await.unwrap();
        let address = testkit::serve(routes, &self.host).await;
        SessionServiceClient::new(testkit::peer("auth", address, &self.host).channel())
    }

    pub fn sessions(&self) -> SessionServiceClient<PeerChannel> {
        SessionServiceClient::new(self.channel.clone())
    }

    pub fn provisioning(&self) -> ProvisioningServiceClient<PeerChannel> {
        ProvisioningServiceClient::new(self.channel.clone())
    }

    pub fn registration(&self) -> RegistrationServiceClient<PeerChannel> {
        RegistrationServiceClient::new(self.channel.clone())
    }

    pub fn members(&self) -> MemberServiceClient<PeerChannel> {
        MemberServiceClient::new(self.channel.clone())
    }

    pub fn accounts(&self) -> AccountServiceClient<PeerChannel> {
        AccountServiceClient::new(self.channel.clone())
    }

    /// A request of the browser door.
    pub fn door<T>(&self, message: T) -> tonic::Request<T> {
        as_service("bff", &self.host, None, message)
    }

    /// Adds a person with [`PASSWORD`].
    pub async fn add(&self, n: u128, email: &str) -> UserId {
        let message = EnsureUserRequest {
            user_id: user(n).to_string(),
            email: email.to_owned(),
            name: "Olive Owner".to_owned(),
            password: PASSWORD.to_owned(),
            admin: false,
        };
        let request = as_service("local", &self.host, None, message);
        self.provisioning().ensure_user(request).await.unwrap().into_inner().user_id.parse().unwrap()
    }

    pub async fn set_role(&self, person: UserId, business: BusinessId, role: &str) -> Result<(), Status> {
        let message = SetMembershipRequest {
            user_id: person.to_string(),
            business_id: business.to_string(),
            role: role.to_owned(),
        };
        let request = as_service("tenancy", &self.host, None, message);
        self.provisioning().set_membership(request).await.map(drop)
    }

    pub async fn sign_in(&self, email: &str, password: &str) -> Result<Tokens, Status> {
        self.sign_in_as(email, password, Client::default()).await
    }

    /// Signs in from a browser of one's own.
    pub async fn sign_in_as(&self, email: &str, password: &str, client: Client) -> Result<Tokens, Status> {
        let message =
            SignInRequest { email: email.to_owned(), password: password.to_owned(), client: Some(client) };
        let response = self.sessions().sign_in(self.door(message)).await?;
        Ok(response.into_inner().tokens.unwrap())
    }

    /// A request of the person `n` in a session of theirs.
    pub fn person<T>(&self, n: u128, tokens: &Tokens, message: T) -> tonic::Request<T> {
        as_person(&self.host, user(n), tokens.session_id.parse().unwrap(), None, None, message)
    }

    pub fn security(&self) -> SecurityServiceClient<PeerChannel> {
        SecurityServiceClient::new(self.channel.clone())
    }

    /// The kinds in the record of the person `n` since they were added, the latest first.
    pub async fn kinds(&self, n: u128) -> String {
        let sql = "SELECT COALESCE(string_agg(kind, ' ' ORDER BY id DESC), '')
            FROM security_event WHERE account_id = :account_id AND kind <> 'REGISTERED'";
        self.peek(sql, named! { account_id: user(n).0 }).await.unwrap()
    }

    /// The one person of most tests, signed in.
    pub async fn signed_in() -> (Self, Tokens) {
        let auth = Self::start().await;
        auth.add(1, EMAIL).await;
        let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
        (auth, tokens)
    }

    pub async fn refresh(&self, refresh_token: &str) -> Result<Tokens, Status> {
        let message = RefreshRequest { refresh_token: refresh_token.to_owned(), client: None };
        let response = self.sessions().refresh(self.door(message)).await?;
        Ok(response.into_inner().tokens.unwrap())
    }

    pub async fn sign_out(&self, refresh_token: &str) -> Result<(), Status> {
        let message = SignOutRequest { refresh_token: refresh_token.to_owned() };
        self.sessions().sign_out(self.door(message)).await.map(drop)
    }

    pub async fn admit(&self, tokens: &Tokens, business: Option<BusinessId>) -> AdmitResponse {
        let message = AdmitRequest {
            session_id: tokens.session_id.clone(),
            user_id: user(1).to_string(),
            business_id: business.map(|id| id.to_string()).unwrap_or_default(),
        };
        self.sessions().admit(self.door(message)).await.unwrap().into_inner()
    }

    pub async fn jwks(&self) -> JwkSet {
        let response = self.sessions().get_jwks(self.door(GetJwksRequest {})).await.unwrap();
        serde_json::from_str(&response.into_inner().jwks).unwrap()
    }

    pub fn advance(&self, by: SignedDuration) {
        self.time.advance(by);
    }

    /// The database as superuser.
    pub async fn superuser(&self) -> DatabaseConnection {
        connect(&self.database.superuser_url).await
    }

    /// Mails that wait to be sent, oldest first: to whom, the subject, the text.
    pub async fn mails(&self) -> Vec<[String; 3]> {
        let sql = "SELECT id, recipient, sealed FROM outgoing_mail ORDER BY queued_at, ctid";
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        let rows = self.superuser().await.query_all_raw(statement).await.unwrap();
        let open = |row: sea_orm::QueryResult| {
            let (id, to, sealed): (Uuid, String, Vec<u8>) = (
                row.try_get("", "id").unwrap(),
                row.try_get("", "recipient").unwrap(),
                row.try_get("", "sealed").unwrap(),
            );
            let letter = SealingKey::new([2; 32]).open(&sealed, format!("mail {id}")).unwrap();
            let letter = String::from_utf8(letter.to_vec()).unwrap();
            let (subject, text) = letter.split_once('\n').unwrap();
            [to, subject.to_owned(), text.to_owned()]
        };
        rows.into_iter().map(open).collect()
    }

    /// The latest mail to an address: its subject and its text.
    pub async fn mail_to(&self, email: &str) -> [String; 2] {
        let mails = self.mails().await.into_iter().rev();
        let mut to = mails.filter(|[to, ..]| to == email).map(|[_, subject, text]| [subject, text]);
        to.next().unwrap_or_else(|| panic!("no mail to {email}"))
    }

    /// The token of the link in the latest mail to an address, such as `register?confirm=`.
    pub async fn token_to(&self, email: &str, page: &str) -> String {
        let [_, text] = self.mail_to(email).await;
        let link = format!("{PUBLIC_URL}/{page}");
        text.lines().find_map(|line| line.strip_prefix(&link)).unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    /// The first column of one row, as text.
    pub async fn peek(&self, sql: &str, values: impl Parameters) -> Option<String> {
        let row = self.superuser().await.query_one_raw(statement(sql, values)).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }
}

/// Chrome on Windows at an address.
pub fn at(address: &str) -> Client {
    Client {
        address: address.to_owned(),
        user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36".to_owned(),
        device: String::new(),
    }
}

pub async fn connect(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    sea_orm::Database::connect(options).await.unwrap()
}

/// The claims of an access token, verified as the door does.
pub fn claims(token: &str, keys: &JwkSet) -> Json {
    let header = jsonwebtoken::decode_header(token).unwrap();
    assert_eq!((header.typ.as_deref(), header.alg), (Some("at+jwt"), Algorithm::EdDSA));
    let key = keys.find(header.kid.as_deref().unwrap()).expect("the key is published");
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_exp = false;
    validation.set_audience(&["frontdesk"]);
    validation.set_issuer(&[PUBLIC_URL]);
    let key = DecodingKey::from_jwk(key).unwrap();
    jsonwebtoken::decode::<Json>(token, &key, &validation).unwrap().claims
}

/// What of a refusal a caller can tell apart.
pub fn told(refused: &Status) -> (tonic::Code, Option<Reason>, String, Vec<u8>) {
    (refused.code(), reason_of(refused), refused.message().to_owned(), refused.details().to_vec())
}

pub fn reason(refused: &Status) -> Reason {
    reason_of(refused).unwrap_or_else(|| panic!("no reason: {refused:?}"))
}

/// The fields a refusal names.
pub fn fields(refused: &Status) -> Vec<String> {
    use tonic_types::StatusExt;
    let details = refused.get_details_bad_request().unwrap_or_else(|| panic!("names no field: {refused:?}"));
    details.field_violations.into_iter().map(|violation| violation.field).collect()
}

pub fn seconds(at: Timestamp) -> i64 {
    at.as_second()
}
