//! auth, as far as the browser door sees it.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::{BusinessId, Role, SessionId, Unscoped, UserId};
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use proto::{
    error::{Reason, refuse},
    frontdesk::auth::internal::v1::{
        AdmitRequest, AdmitResponse, Client, ConfirmDeviceRequest, ConfirmDeviceResponse, GetJwksRequest,
        GetJwksResponse, RefreshRequest, RefreshResponse, ResetPasswordRequest, ResetPasswordResponse,
        SessionServiceHandler, SignInRequest, SignInResponse, SignOutRequest, SignOutResponse, Tokens,
    },
};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};
use tonic::{Status, async_trait};
use uuid::Uuid;

pub const EMAIL: &str = "owner@demo.test";
pub const PASSWORD: &str = "Frontdesk-demo-1";
pub const ISSUER: &str = "http://localhost:8080";
pub const REFRESH_LIFE: i32 = 604_800;
pub const DEVICE_CODE: &str = "123456";
/// A business that does not exist.
pub const NO_BUSINESS: BusinessId = BusinessId(Uuid::from_u128(404));
pub const DEVICE_LIFE: i32 = 7_776_000;

/// A key pair that signs access tokens.
#[derive(Clone)]
pub struct TokenKey {
    pub kid: String,
    pub public: String,
    encoding: EncodingKey,
}

impl TokenKey {
    pub fn new(kid: &str, seed: u8) -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
        let der = pair.to_pkcs8().unwrap();
        Self {
            kid: kid.to_owned(),
            public: B64.encode(pair.public_key()),
            encoding: EncodingKey::from_ed_der(der.as_ref()),
        }
    }

    pub fn header(&self) -> Header {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some(self.kid.clone());
        header
    }

    /// The public half, as a header would bring it along.
    pub fn jwk(&self) -> Jwk {
        let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "kid": self.kid, "x": self.public });
        serde_json::from_value(jwk).unwrap()
    }

    pub fn sign(&self, claims: &Value) -> String {
        self.sign_under(&self.header(), claims)
    }

    pub fn sign_under(&self, header: &Header, claims: &Value) -> String {
        jsonwebtoken::encode(header, claims, &self.encoding).unwrap()
    }
}

/// Accounts, sessions, memberships and keys that a test arranges.
pub struct Auth {
    pub keys: Mutex<Vec<TokenKey>>,
    pub jwks_asked: AtomicUsize,
    /// Number of admission requests received.
    pub admit_asked: watch::Sender<usize>,
    /// Sign-outs received, as their refresh tokens.
    pub signed_out: Mutex<Vec<String>>,
    /// The browsers behind calls, by method.
    pub clients: Mutex<Vec<(&'static str, Client)>>,
    /// Sessions on trusted devices.
    pub trusted: Mutex<HashSet<SessionId>>,
    /// Taken for each answer to `Admit`.
    admitting: Semaphore,
    dead: Mutex<HashSet<SessionId>>,
    admins: Mutex<HashSet<UserId>>,
    members: Mutex<HashMap<(UserId, BusinessId), Role>>,
    issued: AtomicUsize,
}

impl Auth {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            keys: Mutex::new(vec![TokenKey::new("first", 7)]),
            jwks_asked: AtomicUsize::default(),
            admit_asked: watch::Sender::new(0),
            signed_out: Mutex::default(),
            clients: Mutex::default(),
            trusted: Mutex::default(),
            admitting: Semaphore::new(Semaphore::MAX_PERMITS),
            dead: Mutex::default(),
            admins: Mutex::default(),
            members: Mutex::default(),
            issued: AtomicUsize::default(),
        })
    }

    pub fn key(&self) -> TokenKey {
        self.keys.lock().unwrap()[0].clone()
    }

    pub fn set_role(&self, user: UserId, business: BusinessId, role: Option<Role>) {
        let mut members = self.members.lock().unwrap();
        match role {
            Some(role) => drop(members.insert((user, business), role)),
            None => drop(members.remove(&(user, business))),
        }
    }

    /// Makes auth slow to admit from now on, until [`Auth::hurry`].
    pub fn dawdle(&self) -> watch::Receiver<usize> {
        self.admitting.forget_permits(usize::MAX);
        self.admit_asked.subscribe()
    }

    pub fn hurry(&self) {
        self.admitting.add_permits(1);
    }

    pub fn make_admin(&self, user: UserId) {
        self.admins.lock().unwrap().insert(user);
    }

    pub fn end(&self, session: SessionId) {
        self.dead.lock().unwrap().insert(session);
    }

    fn meet(&self, method: &'static str, client: Option<Client>) {
        self.clients.lock().unwrap().push((method, client.expect("auth is told of the browser")));
    }

    /// The browser behind the last call of `method`.
    pub fn client_of(&self, method: &str) -> Client {
        let clients = self.clients.lock().unwrap();
        clients.iter().rfind(|(of, _)| *of == method).expect("the method was called").1.clone()
    }

    fn tokens(&self, family: &str) -> Tokens {
        let generation = self.issued.fetch_add(1, Ordering::SeqCst);
        Tokens {
            access_token: format!("access-{generation}"),
            refresh_token: format!("{family}.{generation}.mac"),
            session_id: family.to_owned(),
            refresh_max_age_seconds: REFRESH_LIFE,
            role: "OWNER".to_owned(),
            business_ids: vec![super::WILLOW.to_string()],
        }
    }
}

#[async_trait]
impl SessionServiceHandler for Auth {
    async fn sign_in(&self, _: Unscoped, request: SignInRequest) -> Result<SignInResponse, Status> {
        self.meet("SignIn", request.client);
        if (request.email.as_str(), request.password.as_str()) != (EMAIL, PASSWORD) {
            return Err(refuse(Reason::WrongCredentials, "Wrong e-mail or password"));
        }
        let family = Uuid::from_u128(self.issued.load(Ordering::SeqCst) as u128 + 1).to_string();
        Ok(SignInResponse { tokens: Some(self.tokens(&family)) })
    }

    async fn refresh(&self, _: Unscoped, request: RefreshRequest) -> Result<RefreshResponse, Status> {
        self.meet("Refresh", request.client);
        match request.refresh_token.split('.').next() {
            Some(family) if family.parse::<Uuid>().is_ok() => {
                Ok(RefreshResponse { tokens: Some(self.tokens(family)) })
            }
            _ => Err(refuse(Reason::TokenSpent, "the session has ended")),
        }
    }

    async fn sign_out(&self, _: Unscoped, request: SignOutRequest) -> Result<SignOutResponse, Status> {
        self.signed_out.lock().unwrap().push(request.refresh_token);
        Ok(SignOutResponse {})
    }

    async fn reset_password(
        &self,
        _: Unscoped,
        request: ResetPasswordRequest,
    ) -> Result<ResetPasswordResponse, Status> {
        self.meet("ResetPassword", request.client);
        match request.token.as_str() {
            "fresh" => Ok(ResetPasswordResponse {}),
            _ => Err(refuse(Reason::TokenSpent, "the link has been used or has expired")),
        }
    }

    async fn confirm_device(
        &self,
        _: Unscoped,
        request: ConfirmDeviceRequest,
    ) -> Result<ConfirmDeviceResponse, Status> {
        self.meet("ConfirmDevice", request.client);
        let session: SessionId = request.session_id.parse().unwrap();
        if request.code != DEVICE_CODE {
            return Err(refuse(Reason::WrongCode, "the code is wrong"));
        }
        self.trusted.lock().unwrap().insert(session);
        Ok(ConfirmDeviceResponse { device: "device.secret".to_owned(), max_age_seconds: DEVICE_LIFE })
    }

    async fn admit(&self, _: Unscoped, request: AdmitRequest) -> Result<AdmitResponse, Status> {
        self.admit_asked.send_modify(|asked| *asked += 1);
        drop(self.admitting.acquire().await.unwrap());
        let session: SessionId = request.session_id.parse().unwrap();
        let user: UserId = request.user_id.parse().unwrap();
        let business: Option<BusinessId> = request.business_id.parse().ok();
        let role = business.and_then(|business| self.members.lock().unwrap().get(&(user, business)).copied());
        Ok(AdmitResponse {
            alive: !self.dead.lock().unwrap().contains(&session),
            admin: self.admins.lock().unwrap().contains(&user),
            role: role.map(|role| role.to_string()).unwrap_or_default(),
            display_role: String::new(),
            trusted_device: self.trusted.lock().unwrap().contains(&session),
            no_such_business: business == Some(NO_BUSINESS),
        })
    }

    async fn get_jwks(&self, _: Unscoped, _: GetJwksRequest) -> Result<GetJwksResponse, Status> {
        self.jwks_asked.fetch_add(1, Ordering::SeqCst);
        let keys: Vec<Value> = self
            .keys
            .lock()
            .unwrap()
            .iter()
            .map(|key| {
                json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": key.kid, "x": key.public })
            })
            .collect();
        Ok(GetJwksResponse { jwks: json!({ "keys": keys }).to_string() })
    }
}
