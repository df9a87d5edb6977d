//! Access tokens: who holds one, checked offline.

use core::{fmt, time::Duration};
use std::sync::Arc;

use caller::{SessionId, UserId};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use moka::sync::Cache;
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
        Self { issuer, checked }
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
        let kid = known.as_ref().map_or_else(|| key_id(token), |known| Ok(known.kid.clone()))?;
        let key = keys.find(&kid).await?.ok_or(TokenError::Invalid)?;
        let checked = match known {
            Some(known) if Arc::ptr_eq(&known.key, &key) => known,
            _ => self.check(token, kid, key)?,
        };
        Ok(checked.at(now)?)
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
