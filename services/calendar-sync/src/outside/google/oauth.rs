//! The dance for a person's consent at Google (RFC 6749, 7636): where they are asked, and what their answer brings.

use core::{future::Future, pin::Pin, time::Duration};

use jiff::SignedDuration;
use oauth2::{
    AsyncHttpClient, AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RefreshToken,
    RequestTokenError, Scope, TokenResponse, TokenUrl,
    basic::{BasicClient, BasicErrorResponse, BasicErrorResponseType, BasicTokenResponse},
};
use reqwest::Url;

use super::GoogleApp;
use crate::{
    domain::caldav::Password,
    outside::web::{Ask, Login, Web, WebError},
};

/// What Frontdesk asks for: which calendars there are, and the events in them. Signing in asks for none of it.
const SCOPES: [&str; 2] = [
    "https://www.googleapis.com/auth/calendar.calendarlist.readonly",
    "https://www.googleapis.com/auth/calendar.events",
];
const FORM: &str = "application/x-www-form-urlencoded";
/// An access token of a provider that does not say how long it lives.
const SHORT_LIFE: Duration = Duration::from_secs(300);

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// Asks Google for tokens.
#[derive(Debug, Clone)]
pub(super) struct OAuth {
    client: Client,
    revocation: Url,
    http: Http,
}

/// What an answer brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) access: Password,
    pub(super) expires_in: SignedDuration,
    /// A new one replaces the old one.
    pub(super) refresh: Option<Password>,
}

/// Why there are none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OAuthError {
    /// The code or the refresh token is not, or no longer, good for any.
    #[error("Google no longer honours this consent")]
    Refused,
    /// The person allowed only a part of the access that Frontdesk needs.
    #[error("not all that Frontdesk needs was allowed")]
    Incomplete,
    /// It may work later.
    #[error("{0}")]
    Unreachable(String),
}

impl OAuth {
    pub(super) fn new(app: &GoogleApp, web: Web) -> anyhow::Result<Self> {
        let redirect = app.public_url.join("onboarding/oauth-callback")?;
        let client = BasicClient::new(ClientId::new(app.client_id.clone()))
            .set_client_secret(ClientSecret::new(app.client_secret.expose().to_owned()))
            .set_auth_type(AuthType::RequestBody)
            .set_auth_uri(AuthUrl::from_url(app.authorization.clone()))
            .set_token_uri(TokenUrl::from_url(app.oauth.join("token")?))
            .set_redirect_uri(RedirectUrl::from_url(redirect));
        Ok(Self { client, revocation: app.oauth.join("revoke")?, http: Http(web) })
    }

    /// Where a person is asked. `access_type=offline` brings a refresh token, and `prompt=consent` brings one again.
    pub(super) fn authorization_url(&self, state: &str, verifier: &Password) -> Url {
        let verifier = PkceCodeVerifier::new(verifier.expose().to_owned());
        let (url, _) = self
            .client
            .authorize_url(|| CsrfToken::new(state.to_owned()))
            .add_scopes(SCOPES.map(|scope| Scope::new(scope.to_owned())))
            .add_extra_param("access_type", "offline")
            .add_extra_param("prompt", "consent")
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .url();
        url
    }

    /// Exchanges the code of a person's answer.
    pub(super) async fn exchange(&self, code: String, verifier: Password) -> Result<Tokens, OAuthError> {
        let verifier = PkceCodeVerifier::new(verifier.expose().to_owned());
        let answer = self
            .client
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(verifier)
            .request_async(&self.http)
            .await
            .map_err(fault)?;
        // People may tick some of it only.
        let allowed = |wanted: &&str| {
            answer.scopes().is_none_or(|scopes| scopes.iter().any(|scope| scope.as_str() == *wanted))
        };
        let tokens = tokens(&answer);
        if !SCOPES.iter().all(allowed) || tokens.refresh.is_none() {
            self.revoke(tokens.access).await.ok();
            return Err(OAuthError::Incomplete);
        }
        Ok(tokens)
    }

    /// Spends a refresh token.
    pub(super) async fn refresh(&self, refresh: Password) -> Result<Tokens, OAuthError> {
        let refresh = RefreshToken::new(refresh.expose().to_owned());
        let asked = self.client.exchange_refresh_token(&refresh);
        let answer = asked.request_async(&self.http).await.map_err(fault)?;
        Ok(tokens(&answer))
    }

    /// Ends a consent at Google; one that has ended is no error.
    pub(super) async fn revoke(&self, token: Password) -> Result<(), OAuthError> {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("token", token.expose())
            .finish();
        let ask = Ask::new("POST", self.revocation.clone(), Login::InBody).body(FORM, form);
        match self.http.0.send(ask).await {
            Ok(answer) if answer.status.is_server_error() => {
                Err(OAuthError::Unreachable(format!("Google answers {}", answer.status.as_u16())))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(OAuthError::Unreachable(error.of("Google").to_string())),
        }
    }
}

/// Speaks to Google by the way that all servers are called.
#[derive(Debug, Clone)]
struct Http(Web);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = WebError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, WebError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(send(self.0.clone(), request))
    }
}

async fn send(web: Web, request: HttpRequest) -> Result<HttpResponse, WebError> {
    let unreadable = || WebError::Unreachable("Google's answer can't be read".to_owned());
    let url = Url::parse(&request.uri().to_string()).map_err(|_| unreadable())?;
    let body = String::from_utf8(request.into_body()).map_err(|_| unreadable())?;
    let asked = web.send(Ask::new("POST", url, Login::InBody).body(FORM, body)).await;
    let answer = asked.map_err(|error| error.of("Google"))?;
    if answer.status.is_server_error() || answer.status.as_u16() == 429 {
        return Err(WebError::Unreachable(format!("Google answers {}", answer.status.as_u16())));
    }
    let mut response = HttpResponse::new(answer.body.into_bytes());
    *response.status_mut() = answer.status;
    Ok(response)
}

fn tokens(answer: &BasicTokenResponse) -> Tokens {
    let life = answer.expires_in().unwrap_or(SHORT_LIFE);
    Tokens {
        access: Password::new(answer.access_token().secret().clone()),
        expires_in: SignedDuration::try_from(life).unwrap_or(SignedDuration::ZERO),
        refresh: answer.refresh_token().map(|token| Password::new(token.secret().clone())),
    }
}

fn fault(error: RequestTokenError<WebError, BasicErrorResponse>) -> OAuthError {
    match error {
        RequestTokenError::ServerResponse(answer)
            if *answer.error() == BasicErrorResponseType::InvalidGrant =>
        {
            OAuthError::Refused
        }
        // A client that Google does not know is the installation's fault, and no person's.
        RequestTokenError::ServerResponse(answer) => {
            tracing::error!(error = %answer.error(), "Google does not take our client");
            OAuthError::Unreachable("Google does not take this installation’s client".to_owned())
        }
        RequestTokenError::Request(error) => OAuthError::Unreachable(error.to_string()),
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            OAuthError::Unreachable("Google's answer can't be read".to_owned())
        }
    }
}
