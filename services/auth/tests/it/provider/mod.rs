//! Sign-in with an identity provider, against one that keeps to the letter.

mod door_flow;
mod fake;
mod forged;
mod identities;
mod page_flow;

use std::{collections::HashMap, sync::Arc};

use auth::ProviderConfig;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::{config::Secret, environment::Environment};
use database::named;
use proto::frontdesk::auth::{
    internal::v1::{SignInWithCodeRequest, Tokens, provider_service_client::ProviderServiceClient},
    v1::frontend_service_client::FrontendServiceClient,
};
use sha2::{Digest, Sha256};
use tonic::Status;

use crate::fixture::Auth;
use boot::peer::PeerChannel;
pub use fake::{CLIENT_ID, CLIENT_SECRET, Fake, Forgery, Person};

const PAGE: &str = "https://desk.test/auth/callback";
const DOOR: &str = "https://desk.test/oauth2/callback/google";

/// A served auth service and its provider.
pub struct Scene {
    pub auth: Auth,
    pub provider: Arc<Fake>,
}

/// A flow as the page drives it.
pub struct PageFlow {
    pub verifier: String,
    pub code: String,
}

impl Scene {
    pub async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    /// With a provider that is already as a test wants it.
    pub async fn open_with(arrange: impl FnOnce(&Fake)) -> Self {
        let provider = Fake::start(&[PAGE, DOOR]).await;
        arrange(&provider);
        let config = registered_at(provider.issuer());
        Self { auth: Auth::start_with(Environment::Test, None, config).await, provider }
    }

    pub fn providers(&self) -> ProviderServiceClient<PeerChannel> {
        ProviderServiceClient::new(self.auth.channel.clone())
    }

    pub fn frontend(&self) -> FrontendServiceClient<PeerChannel> {
        FrontendServiceClient::new(self.auth.channel.clone())
    }

    pub fn seconds(&self) -> i64 {
        self.auth.host.clock.now().as_second()
    }

    /// A page's flow that `person` has agreed to.
    pub fn agreed(&self, person: Person) -> PageFlow {
        let verifier = B64.encode([7; 32]);
        let nonce = B64.encode(Sha256::digest(format!("nonce:{verifier}")));
        let challenge = B64.encode(Sha256::digest(&verifier));
        let request = [
            ("response_type", "code"),
            ("client_id", CLIENT_ID),
            ("redirect_uri", PAGE),
            ("scope", "openid email profile"),
            ("state", &B64.encode([1; 16])),
            ("nonce", &nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("access_type", "offline"),
            ("prompt", "consent"),
        ];
        let request: HashMap<_, _> = request.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let code = self.provider.authorise(&request, person, self.seconds()).unwrap();
        PageFlow { verifier, code }
    }

    pub async fn exchange(&self, flow: PageFlow, redirect_uri: &str) -> Result<Tokens, Status> {
        let message = SignInWithCodeRequest {
            code: flow.code,
            code_verifier: flow.verifier,
            redirect_uri: redirect_uri.to_owned(),
            client: None,
        };
        let answer = self.providers().sign_in_with_code(self.auth.door(message)).await?;
        Ok(answer.into_inner().tokens.unwrap())
    }

    /// `person` signs in through the page's flow.
    pub async fn sign_in(&self, person: Person) -> Result<Tokens, Status> {
        self.exchange(self.agreed(person), PAGE).await
    }

    pub async fn count(&self, sql: &str) -> i64 {
        self.auth.peek(&format!("SELECT count(*)::text FROM {sql}"), []).await.unwrap().parse().unwrap()
    }

    /// Makes the address of the account `email` unproved, as after a stranger's registration.
    pub async fn unprove(&self, email: &str) {
        let sql = "UPDATE account SET email_verified_at = NULL WHERE email = :email RETURNING email";
        self.auth.peek(sql, named! { email }).await;
    }
}

/// What auth is told of a provider.
pub fn registered_at(oidc_issuer: String) -> ProviderConfig {
    ProviderConfig {
        google_client_id: CLIENT_ID.to_owned(),
        google_client_secret: Secret::new(CLIENT_SECRET),
        oidc_issuer,
        allowed_origins: vec!["http://localhost:3000".to_owned()],
    }
}

/// The parameters of an address.
pub fn parameters(address: &str) -> HashMap<String, String> {
    let (_, query) = address.split_once('?').unwrap();
    let decode = |text: &str| {
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let Some((first, more)) = rest.split_first() {
            let (byte, left) = match first {
                b'+' => (b' ', more),
                b'%' => {
                    (u8::from_str_radix(core::str::from_utf8(&more[..2]).unwrap(), 16).unwrap(), &more[2..])
                }
                other => (*other, more),
            };
            bytes.push(byte);
            rest = left;
        }
        String::from_utf8(bytes).unwrap()
    };
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap();
        (decode(name), decode(value))
    };
    query.split('&').map(pair).collect()
}
