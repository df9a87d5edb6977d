//! The browser behind a request, as auth is told of it.

use core::convert::Infallible;

use axum::extract::FromRequestParts;
use http::{HeaderMap, header, request::Parts};
use proto::frontdesk::auth::internal::v1::Client;

use super::cookies;
use crate::edge::Address;

/// As much of what a browser calls itself as is worth keeping.
const USER_AGENT_CHARS: usize = 512;

/// The browser behind a request: extracted from its head.
#[derive(Debug, Clone)]
pub struct ClientInfo(pub Client);

impl<S: Sync> FromRequestParts<S> for ClientInfo {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(client(parts)))
    }
}

/// What auth is told of the browser behind a request.
#[must_use]
pub fn client(parts: &Parts) -> Client {
    let address = parts.extensions.get::<Address>();
    Client {
        address: address.map(|Address(ip)| ip.to_string()).unwrap_or_default(),
        user_agent: user_agent(&parts.headers),
        device: cookies::read(&parts.headers, cookies::DEVICE).unwrap_or_default().to_owned(),
    }
}

fn user_agent(headers: &HeaderMap) -> String {
    let named = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    named.unwrap_or_default().chars().take(USER_AGENT_CHARS).collect()
}
