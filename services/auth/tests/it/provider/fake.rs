//! A strict provider: it gives nothing to who does not keep to the protocol, and forges what a
//! test wants it to.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use axum::{
    Form, Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    routing::{get, post},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as B64},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

pub const CLIENT_ID: &str = "frontdesk";
pub const CLIENT_SECRET: &str = "a secret of the client";

/// What is wrong with the next id tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgery {
    Nothing,
    Audience,
    SecondAudience,
    AuthorizedParty,
    Issuer,
    Nonce,
    NoNonce,
    Unsigned,
    HmacWithPublicKey,
    HmacWithSecret,
    OtherKey,
    UnknownKey,
    Expired,
    Payload,
    Missing,
}

/// A person with an account at the provider.
#[derive(Debug, Clone)]
pub struct Person {
    pub subject: String,
    pub email: String,
    pub verified: Value,
    pub name: Option<String>,
}

impl Person {
    pub fn new(subject: &str, email: &str) -> Self {
        let name = Some("Nora New".to_owned());
        Self { subject: subject.to_owned(), email: email.to_owned(), verified: json!(true), name }
    }
}

struct Code {
    challenge: String,
    redirect_uri: String,
    nonce: String,
    person: Person,
    now: i64,
}

struct Key {
    kid: String,
    public: Vec<u8>,
    encoding: EncodingKey,
}

impl Key {
    fn new(kid: &str) -> Self {
        let document =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref()).unwrap();
        Self {
            kid: kid.to_owned(),
            public: pair.public_key().as_ref().to_vec(),
            encoding: EncodingKey::from_ec_der(document.as_ref()),
        }
    }

    fn jwk(&self) -> Value {
        let (x, y) = self.public[1..].split_at(32);
        json!({
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.kid,
            "x": B64.encode(x), "y": B64.encode(y),
        })
    }
}

/// The provider.
pub struct Fake {
    pub address: SocketAddr,
    pub forgery: Mutex<Forgery>,
    pub jwks_asked: AtomicUsize,
    pub discovery_asked: AtomicUsize,
    /// Answers everything with a redirect into somewhere else.
    pub leads_away: AtomicBool,
    keys: Mutex<Vec<Key>>,
    codes: Mutex<HashMap<String, Code>>,
    drawn: AtomicUsize,
    redirect_uris: Vec<String>,
}

impl Fake {
    pub async fn start(redirect_uris: &[&str]) -> Arc<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let fake = Arc::new(Self {
            address: listener.local_addr().unwrap(),
            forgery: Mutex::new(Forgery::Nothing),
            jwks_asked: AtomicUsize::default(),
            discovery_asked: AtomicUsize::default(),
            leads_away: AtomicBool::default(),
            keys: Mutex::new(vec![Key::new("first")]),
            codes: Mutex::default(),
            drawn: AtomicUsize::default(),
            redirect_uris: redirect_uris.iter().map(|uri| (*uri).to_owned()).collect(),
        });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/token", post(token))
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        fake
    }

    pub fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn forge(&self, forgery: Forgery) {
        *self.forgery.lock().unwrap() = forgery;
    }

    /// Signs with a new key from now on; the old one stays published.
    pub fn rotate(&self, kid: &str) {
        self.keys.lock().unwrap().insert(0, Key::new(kid));
    }

    /// A person agrees to an authorization request: the code, unless the request is not in order.
    pub fn authorise(&self, request: &HashMap<String, String>, person: Person, now: i64) -> Option<String> {
        let of = |name: &str| request.get(name).map(String::as_str).unwrap_or_default();
        let scopes: Vec<_> = of("scope").split(' ').collect();
        let in_order = of("response_type") == "code"
            && of("client_id") == CLIENT_ID
            && self.redirect_uris.iter().any(|uri| uri == of("redirect_uri"))
            && scopes == ["openid", "email", "profile"]
            && B64.decode(of("state")).is_ok_and(|state| state.len() >= 16)
            && !of("nonce").is_empty()
            && of("code_challenge_method") == "S256"
            && B64.decode(of("code_challenge")).is_ok_and(|challenge| challenge.len() == 32)
            && (of("access_type"), of("prompt")) == ("offline", "consent");
        in_order.then(|| {
            let code = format!("code-{}", self.drawn.fetch_add(1, Ordering::SeqCst));
            let issued = Code {
                challenge: of("code_challenge").to_owned(),
                redirect_uri: of("redirect_uri").to_owned(),
                nonce: of("nonce").to_owned(),
                person,
                now,
            };
            self.codes.lock().unwrap().insert(code.clone(), issued);
            code
        })
    }

    fn id_token(&self, code: &Code) -> Option<String> {
        let forgery = *self.forgery.lock().unwrap();
        let Person { subject, email, verified, name } = &code.person;
        let mut claims = json!({
            "iss": self.issuer(), "aud": CLIENT_ID, "azp": CLIENT_ID, "sub": subject,
            "iat": code.now, "exp": code.now + 300, "nonce": code.nonce,
            "email": email, "email_verified": verified, "name": name,
        });
        match forgery {
            Forgery::Audience => claims["aud"] = json!("another-client"),
            Forgery::SecondAudience => claims["aud"] = json!([CLIENT_ID, "another-client"]),
            Forgery::AuthorizedParty => claims["azp"] = json!("another-client"),
            Forgery::Issuer => claims["iss"] = json!("https://accounts.google.com"),
            Forgery::Nonce => claims["nonce"] = json!("of another flow"),
            Forgery::NoNonce => drop(claims.as_object_mut().unwrap().remove("nonce")),
            Forgery::Expired => claims["exp"] = json!(code.now),
            _ => {}
        }
        let keys = self.keys.lock().unwrap();
        let key = &keys[0];
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(key.kid.clone());
        let hmac = |secret: &[u8]| {
            let mut header = Header::new(Algorithm::HS256);
            header.kid = Some(key.kid.clone());
            jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(secret)).unwrap()
        };
        let signed =
            |header: &Header, key: &Key| jsonwebtoken::encode(header, &claims, &key.encoding).unwrap();
        Some(match forgery {
            Forgery::Missing => return None,
            Forgery::Unsigned => {
                let header = B64.encode(json!({ "alg": "none", "kid": key.kid }).to_string());
                format!("{header}.{}.", B64.encode(claims.to_string()))
            }
            Forgery::HmacWithPublicKey => hmac(&key.public),
            Forgery::HmacWithSecret => hmac(CLIENT_SECRET.as_bytes()),
            Forgery::OtherKey => signed(&header, &Key::new(&key.kid)),
            Forgery::UnknownKey => {
                header.kid = Some(format!("unknown-{}", self.drawn.fetch_add(1, Ordering::SeqCst)));
                signed(&header, key)
            }
            Forgery::Payload => {
                let token = signed(&header, key);
                let [head, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { unreachable!() };
                claims["email"] = json!("victim@demo.test");
                format!("{head}.{}.{signature}", B64.encode(claims.to_string()))
            }
            _ => signed(&header, key),
        })
    }
}

type Answer = (StatusCode, HeaderMap, Json<Value>);

fn answer(status: StatusCode, body: Value) -> Answer {
    (status, HeaderMap::new(), Json(body))
}

async fn discovery(State(fake): State<Arc<Fake>>) -> Answer {
    fake.discovery_asked.fetch_add(1, Ordering::SeqCst);
    if fake.leads_away.load(Ordering::SeqCst) {
        let mut headers = HeaderMap::new();
        headers.insert("location", format!("{}/jwks", fake.issuer()).parse().unwrap());
        return (StatusCode::FOUND, headers, Json(json!({})));
    }
    let issuer = fake.issuer();
    let document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    });
    answer(StatusCode::OK, document)
}

async fn jwks(State(fake): State<Arc<Fake>>) -> Json<Value> {
    fake.jwks_asked.fetch_add(1, Ordering::SeqCst);
    let keys: Vec<_> = fake.keys.lock().unwrap().iter().map(Key::jwk).collect();
    Json(json!({ "keys": keys }))
}

async fn token(
    State(fake): State<Arc<Fake>>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Answer {
    let secret = STANDARD.encode(format!("{CLIENT_ID}:{}", CLIENT_SECRET.replace(' ', "+")));
    if headers.get(AUTHORIZATION).is_none_or(|value| value != &format!("Basic {secret}")) {
        return answer(StatusCode::UNAUTHORIZED, json!({ "error": "invalid_client" }));
    }
    let of = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    // A code is good once, whatever comes of it.
    let code = fake.codes.lock().unwrap().remove(of("code"));
    let fits = |code: &Code| {
        of("grant_type") == "authorization_code"
            && code.redirect_uri == of("redirect_uri")
            && code.challenge == B64.encode(Sha256::digest(of("code_verifier")))
    };
    let Some(code) = code.filter(fits) else {
        return answer(StatusCode::BAD_REQUEST, json!({ "error": "invalid_grant" }));
    };
    let mut body = json!({ "access_token": "opaque", "token_type": "Bearer", "expires_in": 300 });
    if let Some(token) = fake.id_token(&code) {
        body["id_token"] = json!(token);
    }
    answer(StatusCode::OK, body)
}

mod tests {
    //! The provider is as strict as it says.

    use super::*;

    const OURS: &str = "https://desk.test/auth/callback";

    fn request() -> HashMap<String, String> {
        let challenge = B64.encode(Sha256::digest("verifier"));
        [
            ("response_type", "code"),
            ("client_id", CLIENT_ID),
            ("redirect_uri", OURS),
            ("scope", "openid email profile"),
            ("state", &B64.encode([1; 16])),
            ("nonce", "n"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("access_type", "offline"),
            ("prompt", "consent"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }

    #[tokio::test]
    async fn the_strict_provider_gives_no_code_for_a_request_that_is_not_in_order() {
        let fake = Fake::start(&[OURS]).await;
        let person = || Person::new("1", "nora@demo.test");
        assert!(fake.authorise(&request(), person(), 0).is_some());
        for (name, value) in [
            ("response_type", "token"),
            ("client_id", "another"),
            ("redirect_uri", "https://evil.test/auth/callback"),
            ("scope", "openid"),
            ("state", "short"),
            ("nonce", ""),
            ("code_challenge", "plain"),
            ("code_challenge_method", "plain"),
            ("access_type", "online"),
            ("prompt", "none"),
        ] {
            let mut wrong = request();
            wrong.insert(name.to_owned(), value.to_owned());
            assert!(fake.authorise(&wrong, person(), 0).is_none(), "{name}");
        }
    }

    #[tokio::test]
    async fn the_strict_provider_takes_a_code_once_from_its_own_client_with_its_verifier() {
        let fake = Fake::start(&[OURS]).await;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let ask = async |code: &str, verifier: &str, redirect_uri: &str, secret: &str| {
            let form = format!(
                "grant_type=authorization_code&code={code}&code_verifier={verifier}&redirect_uri={redirect_uri}"
            );
            let request = client.post(format!("{}/token", fake.issuer())).basic_auth(CLIENT_ID, Some(secret));
            let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
            request.send().await.unwrap().status().as_u16()
        };
        let code = || fake.authorise(&request(), Person::new("1", "nora@demo.test"), 0).unwrap();
        let right = CLIENT_SECRET.replace(' ', "+");
        assert_eq!(ask(&code(), "verifier", OURS, "wrong").await, 401);
        assert_eq!(ask(&code(), "another", OURS, &right).await, 400);
        assert_eq!(ask(&code(), "verifier", "https://desk.test/other", &right).await, 400);
        let once = code();
        assert_eq!(ask(&once, "verifier", OURS, &right).await, 200);
        assert_eq!(ask(&once, "verifier", OURS, &right).await, 400);
    }
}
