//! The identity provider: where it is, what its keys are, and what it says of people.

mod client;
mod kept;
mod registration;

use std::sync::Arc;

use boot::clock::Clock;
use openidconnect::{
    AuthorizationCode, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError,
    TokenResponse,
    core::{
        CoreClient, CoreIdToken, CoreIdTokenClaims, CoreIdTokenVerifier, CoreJwsSigningAlgorithm,
        CoreTokenResponse,
    },
    url::Url,
};

pub use registration::{ProviderConfig, Registration};

use crate::{
    Error,
    domain::{
        code_flow::{CodeVerifier, RedirectUri, SCOPES, Ticket},
        email::Email,
        identity::Vouched,
    },
};
use client::HttpClient;
use kept::Kept;

/// Signatures that are believed: none without a public key.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 3] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
];
/// Google's name of itself, and where it has sent browsers for years: known before it was ever reached.
const GOOGLE: &str = "https://accounts.google.com";
const GOOGLE_ENDPOINT: &str = "https://accounts.google.com/o/oauth2/v2/auth";
/// The longest subject OpenID Connect allows.
const SUBJECT: usize = 255;

/// A provider that people sign in with.
#[derive(Debug)]
pub struct Provider {
    registration: Registration,
    kept: Arc<Kept>,
    clock: Clock,
}

/// What a page or a developer may know of the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Its issuer.
    pub issuer: String,
    /// Our name there.
    pub client_id: String,
    /// Where browsers are sent.
    pub authorization_endpoint: String,
    /// What is asked for, separated by spaces.
    pub scopes: String,
}

impl Provider {
    /// The provider, whose published address is being fetched. Needs a runtime.
    ///
    /// # Errors
    /// When there is no TLS.
    pub fn new(registration: Registration, clock: Clock) -> anyhow::Result<Self> {
        let http = HttpClient::new(registration::is_loopback(registration.issuer.url()))?;
        let kept = Arc::new(Kept::new(registration.issuer.clone(), http, clock.clone()));
        // Pages ask for the address at once, and never wait for it.
        drop(kept.known());
        Ok(Self { registration, kept, clock })
    }

    /// What may be known of it, as it says today.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`].
    pub async fn describe(&self) -> Result<Description, Error> {
        let metadata = self.kept.metadata().await?;
        Ok(self.described(metadata.authorization_endpoint().to_string()))
    }

    /// What is known of it already: the provider is not waited for.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`] until it was reached once. Google's address is known before.
    pub fn describe_known(&self) -> Result<Description, Error> {
        let known = self.kept.known().map(|metadata| metadata.authorization_endpoint().to_string());
        let endpoint = known.or_else(|| endpoint_of(self.registration.issuer.as_str()));
        endpoint
            .map(|endpoint| self.described(endpoint))
            .ok_or_else(|| Error::ProviderUnreachable("its address is not known yet".to_owned()))
    }

    fn described(&self, authorization_endpoint: String) -> Description {
        Description {
            issuer: self.registration.issuer.to_string(),
            client_id: self.registration.client_id.to_string(),
            authorization_endpoint,
            scopes: SCOPES.join(" "),
        }
    }

    /// Where to send a browser.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`].
    pub async fn authorization_url(
        &self,
        state: &Ticket,
        verifier: &CodeVerifier,
        redirect_uri: &RedirectUri,
    ) -> Result<Url, Error> {
        let metadata = self.kept.metadata().await?;
        let secret = PkceCodeVerifier::new(verifier.expose().to_owned());
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&secret);
        let mut url = metadata.authorization_endpoint().url().clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.registration.client_id)
            .append_pair("redirect_uri", redirect_uri.as_str())
            .append_pair("scope", &SCOPES.join(" "))
            .append_pair("state", state.expose())
            .append_pair("nonce", &verifier.nonce())
            .append_pair("code_challenge", challenge.as_str())
            .append_pair("code_challenge_method", challenge.method())
            .append_pair("access_type", "offline")
            .append_pair("prompt", "consent");
        Ok(url)
    }

    /// Exchanges a code for what the provider says of its person.
    ///
    /// # Errors
    /// [`Error::ProviderRefused`] for a code or an id token that does not hold,
    /// [`Error::ProviderUnreachable`].
    pub async fn exchange(
        &self,
        code: String,
        verifier: &CodeVerifier,
        redirect_uri: &RedirectUri,
    ) -> Result<Vouched, Error> {
        let answer = self.tokens(code, verifier, redirect_uri).await?;
        let token = answer.id_token().ok_or(Error::ProviderRefused("it sent no id token"))?;
        self.check(token, &Nonce::new(verifier.nonce())).await
    }

    async fn tokens(
        &self,
        code: String,
        verifier: &CodeVerifier,
        redirect_uri: &RedirectUri,
    ) -> Result<CoreTokenResponse, Error> {
        let Registration { client_id, client_secret, .. } = &self.registration;
        let metadata = self.kept.metadata().await?;
        let redirect_uri = RedirectUrl::new(redirect_uri.as_str().to_owned())
            .map_err(|_| Error::Stored("redirect address"))?;
        let client = CoreClient::from_provider_metadata(
            (*metadata).clone(),
            client_id.clone(),
            Some(client_secret.clone()),
        )
        .set_redirect_uri(redirect_uri);
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|_| Error::ProviderRefused("it has no token endpoint"))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.expose().to_owned()));
        request.request_async(self.kept.http()).await.map_err(|error| match error {
            RequestTokenError::Request(error) => Error::ProviderUnreachable(error.to_string()),
            RequestTokenError::ServerResponse(answer) => {
                tracing::warn!(error = %answer.error(), "the provider refused a code");
                Error::ProviderRefused("it did not accept the code")
            }
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                Error::ProviderRefused("its answer can't be read")
            }
        })
    }

    /// Validates an id token, after fetching new keys if its key is unknown.
    async fn check(&self, token: &CoreIdToken, nonce: &Nonce) -> Result<Vouched, Error> {
        let Registration { issuer, client_id, .. } = &self.registration;
        let keys = self.kept.with_key(token_key(token).as_deref()).await?.jwks().clone();
        let verifier = CoreIdTokenVerifier::new_public_client(client_id.clone(), issuer.clone(), keys)
            .set_allowed_algs(ALGORITHMS)
            .set_time_fn(|| database::to_db(self.clock.now()));
        let claims = token.claims(&verifier, nonce).map_err(|error| {
            tracing::warn!(%error, "an id token was not believed");
            Error::ProviderRefused("its word does not hold")
        })?;
        self.vouched(claims)
    }

    fn vouched(&self, claims: &CoreIdTokenClaims) -> Result<Vouched, Error> {
        // The library leaves this claim to us.
        if claims.authorized_party().is_some_and(|party| *party != self.registration.client_id) {
            return Err(Error::ProviderRefused("the token is for another client"));
        }
        if claims.email_verified() != Some(true) {
            return Err(Error::ProviderEmailUnverified);
        }
        let email = claims.email().and_then(|email| Email::parse(email).ok());
        let subject = claims.subject().to_string();
        if subject.is_empty() || subject.len() > SUBJECT {
            return Err(Error::ProviderRefused("its name for the person is none"));
        }
        let name =
            claims.name().and_then(|name| name.get(None)).map(|name| proto::label::cleaned(name.trim()));
        Ok(Vouched {
            issuer: self.registration.issuer.to_string(),
            subject,
            email: email.ok_or(Error::ProviderRefused("it told no e-mail"))?,
            name: name
                .filter(|name| !name.is_empty() && !proto::label::mixes_alphabets(name))
                .map(|name| name.chars().take(200).collect()),
        })
    }
}

/// Id of the key that a token says signed it.
fn token_key(token: &CoreIdToken) -> Option<String> {
    let header = jsonwebtoken::decode_header(token.to_string()).ok()?;
    header.kid
}

/// Where an issuer sends browsers that has always sent them there.
fn endpoint_of(issuer: &str) -> Option<String> {
    (issuer == GOOGLE).then(|| GOOGLE_ENDPOINT.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn googles_address_is_known_before_google_was_ever_reached_and_no_others() {
        assert_eq!(endpoint_of("https://accounts.google.com").as_deref(), Some(GOOGLE_ENDPOINT));
        assert_eq!(endpoint_of("https://login.example.com"), None);
    }
}
