//! A session in its browser: the refresh token as a cookie, its XSRF pair, and what the page holds.

use core::time::Duration;

use axum::{
    Json,
    extract::Extension,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};
use proto::{
    error::Reason,
    frontdesk::auth::internal::v1::{
        SignOutRequest, SignOutResponse, Tokens, session_service_methods as methods,
    },
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Browser, cookies, xsrf::KeepPair};
use crate::{edge::Deadline, refusal::Refusal};

/// What the page holds of a session: in memory, never in storage.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Grant {
    token: String,
    role: String,
    business_ids: Vec<String>,
    /// Until the session ends for good, so that the page can say so in time.
    session_seconds_left: u64,
    /// Where the live socket goes on from, so that nothing read with this token is read again for it.
    live_cursor: String,
}

/// Hands a session that was just opened to its browser.
pub(super) async fn welcome(
    door: &Browser,
    deadline: Deadline,
    headers: &HeaderMap,
    tokens: Option<Tokens>,
) -> Result<Response, Refusal> {
    let tokens = granted(tokens)?;
    // A new sign-in ends the session that its cookie replaces; after that the browser could no longer
    // end it.
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

pub(super) fn held(headers: &HeaderMap) -> Option<String> {
    cookies::read(headers, cookies::REFRESH).filter(|token| !token.is_empty()).map(str::to_owned)
}

pub(super) fn granted(tokens: Option<Tokens>) -> Result<Tokens, Refusal> {
    tokens.ok_or_else(|| Refusal::new(Reason::Internal, "auth granted no tokens"))
}

pub(super) fn life(tokens: &Tokens) -> Duration {
    Duration::from_secs(tokens.refresh_max_age_seconds.try_into().unwrap_or(0))
}

pub(super) fn grant(door: &Browser, tokens: Tokens, pair: [HeaderValue; 2]) -> Response {
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

/// An answer that removes the session from the browser.
pub(super) fn without_session(door: &Browser, answer: impl IntoResponse) -> Response {
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
