//! Sign-in with an identity provider: the page's own flow, and the one this door drives.
//!
//! The door's flow binds itself to the browser by a cookie. It is Lax, the only one that is: the
//! provider's answer is a navigation from another site.

use core::{net::IpAddr, time::Duration};
use std::sync::Arc;

use axum::{
    Json,
    extract::{Extension, Query, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use proto::{
    error::{Reason, reason_of},
    frontdesk::auth::internal::v1::{
        BeginRedirectRequest, BeginRedirectResponse, Client, DescribeProviderRequest,
        DescribeProviderResponse, FinishRedirectRequest, FinishRedirectResponse, RedeemHandoffRequest,
        RedeemHandoffResponse, SignInWithCodeRequest, SignInWithCodeResponse,
        provider_service_methods as methods,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Browser, client::ClientInfo, cookies, rest, session_cookies::welcome};
use crate::{
    body::JsonBody,
    edge::{Address, Deadline, Limit, crowded},
    refusal::Refusal,
};

/// Where the provider sends a browser of the door's flow.
pub const CALLBACK: &str = "/oauth2/callback/google";
/// Where the page takes over.
const PAGE: &str = "/auth/callback";
/// As long as auth waits for a person at the provider.
const LIFE: Duration = Duration::from_secs(600);
/// The type of a handoff, which is never an access token.
const HANDOFF: &str = "handoff+jwt";

/// The result of the flow that the page runs by itself.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AuthorizationCode {
    code: String,
    code_verifier: String,
    redirect_uri: String,
}

/// Where a flow begins.
#[derive(Deserialize)]
pub struct Begin {
    /// The origin of the page, where it is not the public address: a development server's.
    frontend: Option<String>,
}

/// The provider's answer.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
pub struct Returned {
    state: String,
    code: String,
    error: String,
}

/// `POST /api/auth/oauth2/callback`.
pub async fn exchange(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    Extension(Address(address)): Extension<Address>,
    ClientInfo(client): ClientInfo,
    headers: HeaderMap,
    JsonBody(AuthorizationCode { code, code_verifier, redirect_uri }): JsonBody<AuthorizationCode>,
) -> Result<Response, Refusal> {
    may_sign_in(&door, address).await?;
    let message = SignInWithCodeRequest { code, code_verifier, redirect_uri, client: Some(client) };
    let answer: SignInWithCodeResponse =
        door.ask_auth(&methods::SIGN_IN_WITH_CODE, deadline, message).await?;
    welcome(&door, deadline, &headers, answer.tokens).await
}

/// `GET /oauth2/authorization/google`.
pub async fn begin(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    Extension(Address(address)): Extension<Address>,
    Query(Begin { frontend }): Query<Begin>,
) -> Response {
    if let Err(refusal) = may_sign_in(&door, address).await {
        return failed(&name(&refusal));
    }
    let listed = |origin: &String| HeaderValue::try_from(origin).is_ok_and(|it| door.xsrf.is_listed(&it));
    let frontend = frontend.filter(listed).unwrap_or_else(|| door.tokens.issuer().to_owned());
    let message = BeginRedirectRequest { redirect_uri: format!("{frontend}{CALLBACK}") };
    let begun: Result<BeginRedirectResponse, Refusal> =
        door.ask_auth(&methods::BEGIN_REDIRECT, deadline, message).await;
    match begun {
        Ok(BeginRedirectResponse { authorization_url, binding }) => {
            found(&authorization_url, Some(cookies::keep_across_sites(cookies::OAUTH, &binding, LIFE)))
        }
        Err(refusal) => failed(&name(&refusal)),
    }
}

/// `GET /oauth2/callback/google`.
pub async fn finish(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    headers: HeaderMap,
    Query(Returned { state, code, error }): Query<Returned>,
) -> Response {
    if !error.is_empty() {
        return failed(&told(error));
    }
    let message = FinishRedirectRequest { state, code, binding: binding(&headers), client: Some(client) };
    let finished: Result<FinishRedirectResponse, Refusal> =
        door.ask_auth(&methods::FINISH_REDIRECT, deadline, message).await;
    match finished {
        // A token of ours: letters, digits, `-`, `_` and two dots.
        Ok(FinishRedirectResponse { handoff }) => found(&format!("{PAGE}?token={handoff}"), None),
        Err(refusal) => failed(&name(&refusal)),
    }
}

/// The handoff that a page shows in place of an access token.
pub(super) fn handoff(headers: &HeaderMap) -> Option<String> {
    let token = rest::bearer(headers)?;
    let header = jsonwebtoken::decode_header(token).ok()?;
    (header.typ.as_deref() == Some(HANDOFF)).then(|| token.to_owned())
}

/// Opens the session a handoff stands for, as a part of `GET /api/auth/refresh`.
pub(super) async fn redeem(
    door: &Browser,
    deadline: Deadline,
    client: Client,
    headers: &HeaderMap,
    handoff: String,
) -> Result<Response, Refusal> {
    let message = RedeemHandoffRequest { handoff, binding: binding(headers), client: Some(client) };
    let answer: RedeemHandoffResponse = door.ask_auth(&methods::REDEEM_HANDOFF, deadline, message).await?;
    let mut response = welcome(door, deadline, headers, answer.tokens).await?;
    response.headers_mut().append(header::SET_COOKIE, cookies::forget(cookies::OAUTH));
    Ok(response)
}

/// `GET /api/auth/debug/oauth-config`, for developers.
pub async fn describe(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
) -> Result<Json<DescribeProviderResponse>, Refusal> {
    let message = DescribeProviderRequest {};
    Ok(Json(door.ask_auth(&methods::DESCRIBE_PROVIDER, deadline, message).await?))
}

/// Counts a sign-in of the network of `address`: each is a row until it ends, or a question to the provider, who answers
/// our client no more when strangers have us ask without end.
async fn may_sign_in(door: &Browser, address: IpAddr) -> Result<(), Refusal> {
    if door.flows.admits(address).await {
        return Ok(());
    }
    door.limited.count(Limit::ProviderSignIns);
    Err(crowded())
}

fn binding(headers: &HeaderMap) -> String {
    cookies::read(headers, cookies::OAUTH).unwrap_or_default().to_owned()
}

/// Sends the person in front of the browser to the page that tells them.
fn failed(error: &str) -> Response {
    found(&format!("{PAGE}?error={error}"), Some(cookies::forget(cookies::OAUTH)))
}

/// 302. Paths of ours are relative: the browser stays at the address it came by.
fn found(location: &str, cookie: Option<HeaderValue>) -> Response {
    let Ok(mut location) = HeaderValue::try_from(location) else {
        return Refusal::new(Reason::Internal, "auth named no address").into_response();
    };
    // It carries tokens.
    location.set_sensitive(true);
    let mut response = (StatusCode::FOUND, [(header::LOCATION, location)]).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A refusal in the manner of OAuth's error codes: `account_exists`.
fn name(refusal: &Refusal) -> String {
    reason_of(refusal.status()).unwrap_or(Reason::Unavailable).name().to_ascii_lowercase()
}

/// The provider's error code, unless it is none: whatever stands there is shown to a person.
fn told(error: String) -> String {
    let code = error.len() <= 64 && error.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if code { error } else { "server_error".to_owned() }
}
