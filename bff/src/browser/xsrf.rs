//! Requests that another site makes a browser send.
//!
//! The token is an HMAC over two cookies: the browser's secret name and the refresh family. It is valid
//! for one browser in one session only, and an attacker who plants cookies from a neighbouring host
//! can't make one.

use core::time::Duration;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::config::Secret;
use hmac::{Hmac, Mac};
use http::{HeaderMap, HeaderValue, Method, header};
use proto::error::Reason;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::{REFRESH_PATH, cookies};
use crate::refusal::Refusal;

/// The header the page echoes the token in.
pub const HEADER: &str = "x-xsrf-token";
/// Life of a pair when no session says how long it lasts: the longest a session can.
const LIFE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Bytes of a browser's name, and its characters.
const NAME_BYTES: usize = 16;
const NAME_CHARS: usize = 22;

/// Makes and checks XSRF tokens.
#[derive(Debug, Clone)]
pub struct Xsrf {
    key: Secret,
    origins: Vec<String>,
}

/// Sets no new pair beside this answer: it has set its own, or is shared by caches.
#[derive(Debug, Clone, Copy)]
pub struct KeepPair;

impl Xsrf {
    /// Tokens under `key`, for pages of these origins.
    #[must_use]
    pub fn new(key: Secret, origins: Vec<String>) -> Self {
        Self { key, origins }
    }

    /// A new pair for the session with this refresh token, or for a browser without a session.
    #[must_use]
    pub fn pair(&self, refresh: Option<&str>, life: Option<Duration>) -> [HeaderValue; 2] {
        let name = refresh.map_or_else(
            || B64.encode(boot::random::bytes::<NAME_BYTES>()),
            |refresh| self.name_within(refresh),
        );
        self.pair_for(&name, refresh, life.unwrap_or(LIFE))
    }

    /// The pair that `headers` should have, under the name the browser has already.
    #[must_use]
    pub fn renewed(&self, headers: &HeaderMap, refresh: &str, life: Duration) -> [HeaderValue; 2] {
        match browser_name(headers) {
            Some(name) => self.pair_for(name, Some(refresh), life),
            None => self.pair(Some(refresh), Some(life)),
        }
    }

    /// Whether a page of this origin may speak to the door.
    #[must_use]
    pub fn is_listed(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|listed| listed.as_bytes() == origin.as_bytes())
    }

    /// Refuses what a page of ours would not have sent.
    ///
    /// # Errors
    /// XSRF.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin") {
            return Err(refuse("the request comes from another site"));
        }
        if headers.get(header::ORIGIN).is_some_and(|origin| !self.is_listed(origin)) {
            return Err(refuse("the request comes from another origin"));
        }
        let echoed = headers.get(HEADER).map(HeaderValue::as_bytes);
        match (self.expected(headers), echoed) {
            (Some(expected), Some(echoed)) if bool::from(expected.as_bytes().ct_eq(echoed)) => Ok(()),
            _ => Err(refuse("the XSRF token is missing or not this session's")),
        }
    }

    fn has_pair(&self, headers: &HeaderMap) -> bool {
        let held = cookies::read(headers, cookies::XSRF);
        self.expected(headers).is_some_and(|expected| held == Some(&expected))
    }

    fn expected(&self, headers: &HeaderMap) -> Option<String> {
        Some(self.token(browser_name(headers)?, cookies::read(headers, cookies::REFRESH)))
    }

    fn pair_for(&self, name: &str, refresh: Option<&str>, life: Duration) -> [HeaderValue; 2] {
        let token = self.token(name, refresh);
        [cookies::keep(cookies::ANONYMOUS, name, life), cookies::keep_readable(cookies::XSRF, &token, life)]
    }

    /// The name of a browser that has a session and lost its own. A page sends requests side by side: were each answer's
    /// name another, the later answer would make the token wrong that the page has just read. Of the whole refresh token,
    /// since a family's id is no secret.
    fn name_within(&self, refresh: &str) -> String {
        let mac = self.mac(&[b"name", refresh.as_bytes()]);
        B64.encode(&mac[..NAME_BYTES])
    }

    fn token(&self, name: &str, refresh: Option<&str>) -> String {
        let family = refresh.and_then(|token| token.split('.').next()).unwrap_or_default();
        B64.encode(self.mac(&[name.as_bytes(), family.as_bytes()]))
    }

    fn mac(&self, parts: &[&[u8]; 2]) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.key.expose().as_bytes()).expect("HMAC takes any key");
        mac.update(parts[0]);
        mac.update(b".");
        mac.update(parts[1]);
        mac.finalize().into_bytes().into()
    }
}

/// Checks what changes something, and gives every browser without a valid pair one.
pub async fn guard(State(xsrf): State<Xsrf>, request: Request, next: Next) -> Response {
    let pair = (!xsrf.has_pair(request.headers())).then(|| {
        let refresh = cookies::read(request.headers(), cookies::REFRESH);
        match browser_name(request.headers()) {
            Some(name) => xsrf.pair_for(name, refresh, LIFE),
            None => xsrf.pair(refresh, None),
        }
    });
    let guarded = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
        || request.uri().path() == REFRESH_PATH;
    let checked = if guarded { xsrf.check(request.headers()) } else { Ok(()) };
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    if response.extensions().get::<KeepPair>().is_none() {
        for cookie in pair.into_iter().flatten() {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

fn browser_name(headers: &HeaderMap) -> Option<&str> {
    let name = cookies::read(headers, cookies::ANONYMOUS)?;
    let ours =
        name.len() == NAME_CHARS && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    ours.then_some(name)
}

fn refuse(message: &str) -> Refusal {
    Refusal::new(Reason::Xsrf, message)
}
