//! Access tokens: who holds one, checked offline.

use caller::{SessionId, UserId};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use serde::Deserialize;

/// Whom access tokens are for.
pub const AUDIENCE: &str = "frontdesk";
const TYP: &str = "at+jwt";
/// How far two machines' clocks may differ.
const LEEWAY_SECONDS: i64 = 5;

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

/// The id of the key that signed `token`, if it looks like an access token at all.
///
/// # Errors
/// For a token of another kind, another algorithm, or one that brings its own key.
pub fn key_id(token: &str) -> Result<String, TokenError> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Invalid)?;
    let ours = header.alg == Algorithm::EdDSA && header.typ.as_deref() == Some(TYP);
    if !ours || brings_a_key(&header) {
        return Err(TokenError::Invalid);
    }
    header.kid.ok_or(TokenError::Invalid)
}

/// The person `token` speaks for.
///
/// # Errors
/// For a wrong signature, issuer, audience or time.
pub fn verify(token: &str, key: &DecodingKey, issuer: &str, now: Timestamp) -> Result<Person, TokenError> {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[AUDIENCE]);
    // Time is checked below with the passed clock.
    validation.validate_exp = false;
    let claims =
        jsonwebtoken::decode::<Claims>(token, key, &validation).map_err(|_| TokenError::Invalid)?.claims;
    if claims.iss != issuer || claims.aud != AUDIENCE {
        return Err(TokenError::Invalid);
    }
    let seconds = now.as_second();
    if seconds >= claims.exp.saturating_add(LEEWAY_SECONDS) {
        return Err(TokenError::Expired);
    }
    if claims.iat.max(claims.nbf.unwrap_or(claims.iat)) > seconds + LEEWAY_SECONDS {
        return Err(TokenError::Invalid);
    }
    let expires_at = Timestamp::from_second(claims.exp).map_err(|_| TokenError::Invalid)?;
    Ok(Person { user: claims.sub, session: claims.sid, expires_at })
}

fn brings_a_key(header: &Header) -> bool {
    header.jwk.is_some()
        || header.jku.is_some()
        || header.x5u.is_some()
        || header.x5c.is_some()
        || header.crit.is_some()
}
