//! Access tokens: who holds one, checked offline.

use core::{fmt, time::Duration};
use std::sync::Arc;

use caller::{SessionId, UserId};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use moka::sync::Cache;
use opentelemetry::{KeyValue, global, metrics::Counter};
use proto::error::Reason;
use serde::Deserialize;

use super::keys::KeySet;
use crate::refusal::Refusal;

/// Whom access tokens are for.
pub const AUDIENCE: &str = "frontdesk";
const TYP: &str = "at+jwt";
/// How far two machines' clocks may differ.
const LEEWAY_SECONDS: i64 = 5;
/// About a kilobyte each.
const MOST_REMEMBERED: u64 = 4_000;
const IDLE: Duration = Duration::from_secs(60);
/// Why tokens are refused, as metrics name it.
const MISSING: &str = "missing";
const INVALID: &str = "invalid";
const EXPIRED: &str = "expired";

/// A person in a session, as their token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Person {
    /// Who.
    pub user: UserId,
    /// In which session.
    pub session: SessionId,
    /// When the token ends.
    pub expires_at: Timestamp,
}

/// Why a token was not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not an access token of ours, or a wrong signature.
    #[error("the access token is not valid")]
    Invalid,
    /// Past its time.
    #[error("the access token has expired")]
    Expired,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: UserId,
    sid: SessionId,
    iat: i64,
    exp: i64,
    nbf: Option<i64>,
}

/// What a token says whose signature was checked.
#[derive(Clone)]
struct Checked {
    /// Believed for as long as auth's key of that name is this one.
    key: Arc<DecodingKey>,
    kid: String,
    person: Person,
    begins_at: i64,
}

/// Access tokens: the signature of each is checked once, its key and time with every request.
pub struct Tokens {
    issuer: String,
    checked: Cache<Box<str>, Checked>,
    refused: Counter<u64>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

impl Tokens {
    /// Tokens of one issuer; none was seen yet.
    #[must_use]
    pub fn new(issuer: String) -> Self {
        let checked = Cache::builder().max_capacity(MOST_REMEMBERED).time_to_idle(IDLE).build();
        let refused = global::meter("frontdesk")
            .u64_counter("frontdesk.door.tokens.refused")
            .with_description("Requests refused for their access token, by what is wrong with it.")
            .with_unit("{request}")
            .build();
        for reason in [MISSING, INVALID, EXPIRED] {
            refused.add(0, &[KeyValue::new("reason", reason)]);
        }
        Self { issuer, checked, refused }
    }

    /// The refusal of a request without a token.
    #[must_use]
    pub fn missing(&self) -> Refusal {
        self.refused.add(1, &[KeyValue::new("reason", MISSING)]);
        Refusal::new(Reason::Unauthenticated, "there is no access token")
    }

    /// Who issues them.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The person `token` speaks for.
    ///
    /// # Errors
    /// For a token of another kind, a wrong signature, issuer, audience or time; UNAVAILABLE when
    /// there are no keys.
    pub async fn person(&self, token: &str, keys: &KeySet, now: Timestamp) -> Result<Person, Refusal> {
        let known = self.checked.get(token);
        let kid = known.as_ref().map_or_else(|| key_id(token), |known| Ok(known.kid.clone()));
        let kid = kid.map_err(|error| self.refuse(error))?;
        let key = keys.find(&kid).await?.ok_or(TokenError::Invalid).map_err(|error| self.refuse(error))?;
        let checked = match known {
            Some(known) if Arc::ptr_eq(&known.key, &key) => Ok(known),
            _ => self.check(token, kid, key),
        };
        checked.and_then(|checked| checked.at(now)).map_err(|error| self.refuse(error))
    }

    fn refuse(&self, error: TokenError) -> Refusal {
        let reason = match error {
            TokenError::Invalid => INVALID,
            TokenError::Expired => EXPIRED,
        };
        self.refused.add(1, &[KeyValue::new("reason", reason)]);
        error.into()
    }

    fn check(&self, token: &str, kid: String, key: Arc<DecodingKey>) -> Result<Checked, TokenError> {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[AUDIENCE]);
        // Time is checked by the passed clock.
        validation.validate_exp = false;
        let decoded = jsonwebtoken::decode::<Claims>(token, &key, &validation);
        let claims = decoded.map_err(|_| TokenError::Invalid)?.claims;
        if claims.iss != self.issuer || claims.aud != AUDIENCE {
            return Err(TokenError::Invalid);
        }
        let expires_at = Timestamp::from_second(claims.exp).map_err(|_| TokenError::Invalid)?;
        let person = Person { user: claims.sub, session: claims.sid, expires_at };
        let begins_at = claims.iat.max(claims.nbf.unwrap_or(claims.iat));
        let checked = Checked { key, kid, person, begins_at };
        self.checked.insert(token.into(), checked.clone());
        Ok(checked)
    }
}

impl Checked {
    fn at(self, now: Timestamp) -> Result<Person, TokenError> {
        let seconds = now.as_second();
        if seconds >= self.person.expires_at.as_second().saturating_add(LEEWAY_SECONDS) {
            return Err(TokenError::Expired);
        }
        if self.begins_at > seconds + LEEWAY_SECONDS {
            return Err(TokenError::Invalid);
        }
        Ok(self.person)
    }
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        Self::new(Reason::Unauthenticated, error.to_string())
    }
}

/// The id of the key that signed `token`, if it looks like an access token at all: not of another
/// kind, by another algorithm or with a key of its own.
fn key_id(token: &str) -> Result<String, TokenError> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Invalid)?;
    let ours = header.alg == Algorithm::EdDSA && header.typ.as_deref() == Some(TYP);
    if !ours || brings_a_key(&header) {
        return Err(TokenError::Invalid);
    }
    header.kid.ok_or(TokenError::Invalid)
}

fn brings_a_key(header: &Header) -> bool {
    header.jwk.is_some()
        || header.jku.is_some()
        || header.x5u.is_some()
        || header.x5c.is_some()
        || header.crit.is_some()
}
