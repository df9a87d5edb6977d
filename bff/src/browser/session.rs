//! Signing in and out: the routes where the refresh token turns into a cookie.

use std::sync::Arc;

use axum::{
    extract::{Extension, State},
    response::Response,
};
use http::{HeaderMap, HeaderValue};
use proto::{
    error::{Reason, reason_of},
    frontdesk::auth::internal::v1::{
        RefreshRequest, RefreshResponse, SignInRequest, SignInResponse, SignOutRequest, SignOutResponse,
        session_service_methods as methods,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Browser, MessageResponse,
    client::ClientInfo,
    oauth,
    session_cookies::{grant, granted, held, life, welcome, without_session},
};
use crate::{body::JsonBody, edge::Deadline, refusal::Refusal};

/// E-mail address and password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    email: String,
    password: String,
}

/// `POST /api/auth/login`.
pub async fn login(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    headers: HeaderMap,
    JsonBody(Credentials { email, password }): JsonBody<Credentials>,
) -> Result<Response, Refusal> {
    let message = SignInRequest { email, password, client: Some(client) };
    let answer: SignInResponse = door.ask_auth(&methods::SIGN_IN, deadline, message).await?;
    welcome(&door, deadline, &headers, answer.tokens).await
}

/// `GET /api/auth/refresh`; with a handoff, it begins the session that goes on.
pub async fn refresh(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
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
    let mut response = without_session(&door, MessageResponse::new("Logged out successfully"));
    // Clears the cached pages, so that going back shows no personal data.
    response.headers_mut().insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok(response)
}

/// Whether auth itself said that there is no such session any more. Nothing else takes the cookie.
fn is_over(refusal: &Refusal) -> bool {
    matches!(reason_of(refusal.status()), Some(Reason::Unauthenticated | Reason::TokenSpent))
}
