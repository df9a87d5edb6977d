//! Signing in and out: the routes where the refresh token turns into a cookie.

use core::time::Duration;
use std::sync::Arc;

use axum::{
    Json,
    extract::{Extension, Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};
use proto::{
    error::Reason,
    frontdesk::auth::internal::v1::{
        RefreshRequest, RefreshResponse, ResetPasswordRequest, ResetPasswordResponse, SignInRequest,
        SignInResponse, SignOutRequest, SignOutResponse, Tokens, session_service_methods as methods,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tonic::Code;

use super::{Browser, cookies, xsrf::KeepPair};
use crate::{body, edge::Deadline, refusal::Refusal};

#[derive(Deserialize)]
struct Credentials {
    email: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewPassword {
    token: String,
    new_password: String,
}

/// What the page holds of a session: in memory, never in storage.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Grant {
    token: String,
    role: String,
    business_ids: Vec<String>,
}

#[derive(Serialize)]
struct Told {
    message: &'static str,
}

/// `POST /api/auth/login`.
pub async fn login(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    request: Request,
) -> Result<Response, Refusal> {
    let (headers, Credentials { email, password }) = read(request).await?;
    let message = SignInRequest { email, password };
    let answer: SignInResponse = door.ask_auth(&methods::SIGN_IN, deadline, message).await?;
    let tokens = granted(answer.tokens)?;
    // Whoever signs in anew leaves no session behind that nobody can end.
    if let Some(refresh_token) = held(&headers) {
        let message = SignOutRequest { refresh_token };
        let ended: Result<SignOutResponse, Refusal> =
            door.ask_auth(&methods::SIGN_OUT, deadline, message).await;
        if let Err(refusal) = ended {
            tracing::warn!(error = %refusal.status(), "the session before was not ended");
        }
    }
    let pair = door.xsrf.pair(Some(&tokens.refresh_token), Some(life(&tokens)));
    Ok(grant(tokens, pair))
}

/// `GET /api/auth/refresh`.
pub async fn refresh(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let refresh_token =
        held(&headers).ok_or_else(|| Refusal::new(Reason::Unauthenticated, "there is no session"))?;
    let message = RefreshRequest { refresh_token };
    let answer: Result<RefreshResponse, Refusal> = door.ask_auth(&methods::REFRESH, deadline, message).await;
    match answer {
        Ok(answer) => {
            let tokens = granted(answer.tokens)?;
            let pair = door.xsrf.renewed(&headers, &tokens.refresh_token, life(&tokens));
            Ok(grant(tokens, pair))
        }
        Err(refusal) if refusal.status().code() == Code::Unauthenticated => {
            Ok(without_session(&door, refusal))
        }
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
    let mut response = without_session(&door, Json(Told { message: "Logged out successfully" }));
    // What the browser kept for going back shows nobody's data any more.
    response.headers_mut().insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok(response)
}

/// `POST /api/auth/reset-password`.
pub async fn reset_password(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    request: Request,
) -> Result<Response, Refusal> {
    let (_, NewPassword { token, new_password }) = read(request).await?;
    let message = ResetPasswordRequest { token, new_password };
    let _: ResetPasswordResponse = door.ask_auth(&methods::RESET_PASSWORD, deadline, message).await?;
    Ok(Json(Told { message: "Your password has been reset successfully" }).into_response())
}

async fn read<T: DeserializeOwned>(request: Request) -> Result<(HeaderMap, T), Refusal> {
    let (parts, body) = request.into_parts();
    let body = body::read(body).await?;
    body::must_be_json(&parts.headers, &body)?;
    Ok((parts.headers, body::parse(&body)?))
}

fn held(headers: &HeaderMap) -> Option<String> {
    cookies::read(headers, cookies::REFRESH).filter(|token| !token.is_empty()).map(str::to_owned)
}

fn granted(tokens: Option<Tokens>) -> Result<Tokens, Refusal> {
    tokens.ok_or_else(|| Refusal::new(Reason::Internal, "auth granted no tokens"))
}

fn life(tokens: &Tokens) -> Duration {
    Duration::from_secs(tokens.refresh_max_age_seconds.try_into().unwrap_or(0))
}

fn grant(tokens: Tokens, pair: [HeaderValue; 2]) -> Response {
    let life = life(&tokens);
    let Tokens { access_token: token, refresh_token, role, business_ids, .. } = tokens;
    let cookie = cookies::keep(cookies::REFRESH, &refresh_token, life);
    with_cookies(Json(Grant { token, role, business_ids }), [cookie].into_iter().chain(pair))
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
