//! Signing in and out: the routes where the refresh token turns into a cookie.

use core::time::Duration;
use std::sync::Arc;

use axum::{
    Json,
    extract::{Extension, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};
use proto::{
    error::{Reason, reason_of},
    frontdesk::auth::internal::v1::{
        RefreshRequest, RefreshResponse, SignInRequest, SignInResponse, SignOutRequest, SignOutResponse,
        Tokens, session_service_methods as methods,
    },
};
use serde::{Deserialize, Serialize};

use super::{Browser, Told, client::Behind, cookies, oauth, xsrf::KeepPair};
use crate::{body::Posted, edge::Deadline, refusal::Refusal};

/// Who somebody says they are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    email: String,
    password: String,
}

/// What the page holds of a session: in memory, never in storage.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Grant {
    token: String,
    role: String,
    business_ids: Vec<String>,
    /// Until the session ends for good, so that the page can say so in time.
    session_seconds_left: u64,
    /// Where the live socket goes on from, so that nothing read with this token is read again for it.
    live_cursor: String,
}

/// `POST /api/auth/login`.
pub async fn login(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    Behind(client): Behind,
    headers: HeaderMap,
    Posted(Credentials { email, password }): Posted<Credentials>,
) -> Result<Response, Refusal> {
    let message = SignInRequest { email, password, client: Some(client) };
    let answer: SignInResponse = door.ask_auth(&methods::SIGN_IN, deadline, message).await?;
    welcome(&door, deadline, &headers, answer.tokens).await
}

/// Hands a session that was just opened to its browser.
pub(super) async fn welcome(
    door: &Browser,
    deadline: Deadline,
    headers: &HeaderMap,
    tokens: Option<Tokens>,
) -> Result<Response, Refusal> {
    let tokens = granted(tokens)?;
    // Whoever signs in anew leaves no session behind that nobody can end.
    if let Some(refresh_token) = held(headers) {
        let message = SignOutRequest { refresh_token };
        let ended: Result<SignOutResponse, Refusal> =
            door.ask_auth(&methods::SIGN_OUT, deadline, message).await;
        if let Err(refusal) = ended {
            tracing::warn!(error = %refusal.status(), "the session before was not ended");
        }
    }
    let pair = door.xsrf.pair(Some(&tokens.refresh_token), Some(life(&tokens)));
    Ok(grant(door, tokens, pair))
}

/// `GET /api/auth/refresh`; with a handoff, it begins the session that goes on.
pub async fn refresh(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    Behind(client): Behind,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if let Some(handoff) = oauth::handoff(&headers) {
        return oauth::redeem(&door, deadline, client, &headers, handoff).await;
    }
    let refresh_token =
        held(&headers).ok_or_else(|| Refusal::new(Reason::Unauthenticated, "there is no session"))?;
    let message = RefreshRequest { refresh_token, client: Some(client) };
    let answer: Result<RefreshResponse, Refusal> = door.ask_auth(&methods::REFRESH, deadline, message).await;
    match answer {
        Ok(answer) => {
            let tokens = granted(answer.tokens)?;
            let pair = door.xsrf.renewed(&headers, &tokens.refresh_token, life(&tokens));
            Ok(grant(&door, tokens, pair))
        }
        Err(refusal) if is_over(&refusal) => Ok(without_session(&door, refusal)),
        Err(refusal) => Err(refusal),
    }
}

/// `POST /api/auth/logout`.
pub async fn logout(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if let Some(refresh_token) = held(&headers) {
        let message = SignOutRequest { refresh_token };
        let _: SignOutResponse = door.ask_auth(&methods::SIGN_OUT, deadline, message).await?;
    }
    let mut response = without_session(&door, Told::new("Logged out successfully"));
    // What the browser kept for going back shows nobody's data any more.
    response.headers_mut().insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok(response)
}

fn held(headers: &HeaderMap) -> Option<String> {
    cookies::read(headers, cookies::REFRESH).filter(|token| !token.is_empty()).map(str::to_owned)
}

/// Whether auth itself said that there is no such session any more. Nothing else takes the cookie.
fn is_over(refusal: &Refusal) -> bool {
    matches!(reason_of(refusal.status()), Some(Reason::Unauthenticated | Reason::TokenSpent))
}

fn granted(tokens: Option<Tokens>) -> Result<Tokens, Refusal> {
    tokens.ok_or_else(|| Refusal::new(Reason::Internal, "auth granted no tokens"))
}

fn life(tokens: &Tokens) -> Duration {
    Duration::from_secs(tokens.refresh_max_age_seconds.try_into().unwrap_or(0))
}

fn grant(door: &Browser, tokens: Tokens, pair: [HeaderValue; 2]) -> Response {
    let life = life(&tokens);
    let Tokens { access_token: token, refresh_token, role, business_ids, .. } = tokens;
    let cookie = cookies::keep(cookies::REFRESH, &refresh_token, life);
    let granted = Grant {
        token,
        role,
        business_ids,
        session_seconds_left: life.as_secs(),
        live_cursor: door.live.now(),
    };
    with_cookies(Json(granted), [cookie].into_iter().chain(pair))
}

/// An answer after which the browser is nobody's.
fn without_session(door: &Browser, answer: impl IntoResponse) -> Response {
    let pair = door.xsrf.pair(None, None);
    with_cookies(answer, [cookies::forget(cookies::REFRESH)].into_iter().chain(pair))
}

fn with_cookies(answer: impl IntoResponse, cookies: impl Iterator<Item = HeaderValue>) -> Response {
    let mut response = (Extension(KeepPair), answer).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
