//! Verifying passports.

use core::{fmt, time::Duration};
use std::sync::Arc;

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, Validation};
use moka::sync::Cache;

use super::{Bearer, Claims, LIFE_SECONDS, MOST_REMEMBERED, Passport, PassportError, Priority, TYP};
use crate::{Audience, Keyring};

/// How far two machines' clocks may differ.
const SKEW_SECONDS: i64 = 5;
/// The one issuer that may speak for people and voice agents.
const DOOR: &str = "bff";
/// Who goes on calling has a new passport each second.
const REMEMBERED: Duration = Duration::from_secs(3);

/// What a passport said whose signature was checked.
#[derive(Clone)]
struct Believed {
    passport: Passport,
    priority: Priority,
    issued_at: i64,
    expires_at: i64,
}

impl Believed {
    fn at(self, now: Timestamp) -> Result<Self, PassportError> {
        let seconds = now.as_second();
        if seconds > self.expires_at
            || self.expires_at - self.issued_at > LIFE_SECONDS
            || seconds + SKEW_SECONDS < self.issued_at
        {
            return Err(PassportError::Expired);
        }
        Ok(self)
    }
}

/// Verifies passports meant for one service.
#[derive(Clone)]
pub struct Verifier {
    service: &'static str,
    keyring: Arc<Keyring>,
    /// By the whole token. The keys stay as they are for as long as this lives.
    believed: Cache<Box<str>, Believed>,
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Verifier");
        debug.field("service", &self.service).field("keyring", &self.keyring).finish_non_exhaustive()
    }
}

impl Verifier {
    /// The service that the passports are for.
    #[must_use]
    pub fn service(&self) -> &'static str {
        self.service
    }

    /// A verifier for passports to `service`.
    #[must_use]
    pub fn new(service: &'static str, keyring: Arc<Keyring>) -> Self {
        let believed = Cache::builder().max_capacity(MOST_REMEMBERED).time_to_live(REMEMBERED).build();
        Self { service, keyring, believed }
    }

    /// Checks signature, type, issuer, audience and time. A token's signature is checked once, its
    /// time with every call.
    ///
    /// # Errors
    /// The first check that failed.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Passport, PassportError> {
        self.check(token, now).map(|believed| believed.passport)
    }

    /// The priority of the call that carries a token: a claim of a service, or a voice agent's by its
    /// nature. Normal for a token that is not believed.
    #[must_use]
    pub fn priority(&self, token: &str, now: Timestamp) -> Priority {
        self.check(token, now).map_or(Priority::Normal, |believed| believed.priority)
    }

    fn check(&self, token: &str, now: Timestamp) -> Result<Believed, PassportError> {
        if let Some(believed) = self.believed.get(token) {
            return believed.at(now);
        }
        let believed = self.believe(token)?;
        self.believed.insert(token.into(), believed.clone());
        believed.at(now)
    }

    fn believe(&self, token: &str) -> Result<Believed, PassportError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| PassportError::Malformed)?;
        if header.typ.as_deref() != Some(TYP) || header.alg != Algorithm::EdDSA {
            return Err(PassportError::Malformed);
        }
        let kid = header.kid.ok_or(PassportError::Malformed)?;
        let (trusted, key) =
            self.keyring.trusted.iter().find(|(key, _)| key.kid == kid).ok_or(PassportError::Malformed)?;
        // Time is checked by the passed clock, audience below with a reason of its own.
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = jsonwebtoken::decode::<Claims>(token, key, &validation)
            .map_err(|_| PassportError::Malformed)?
            .claims;
        if claims.iss != trusted.issuer || (claims.kind != Audience::Service && claims.iss != DOOR) {
            return Err(PassportError::Issuer);
        }
        if claims.aud != self.service {
            return Err(PassportError::OtherService);
        }
        let passport = Passport { bearer: bearer(&claims)?, business: claims.biz };
        let priority = match &passport.bearer {
            Bearer::User { .. } => Priority::Normal,
            Bearer::Agent { .. } => Priority::Voice,
            Bearer::Service { .. } => claims.pri,
        };
        Ok(Believed { passport, priority, issued_at: claims.iat, expires_at: claims.exp })
    }
}

fn bearer(claims: &Claims) -> Result<Bearer, PassportError> {
    match claims.kind {
        Audience::User => Ok(Bearer::User {
            user: claims.sub.parse().map_err(|_| PassportError::Malformed)?,
            session: claims.sid.ok_or(PassportError::Malformed)?,
            role: claims.role,
        }),
        Audience::Agent if claims.biz.is_some() => {
            Ok(Bearer::Agent { connection: claims.sub.parse().map_err(|_| PassportError::Malformed)? })
        }
        Audience::Service if claims.sub == claims.iss => Ok(Bearer::Service { name: claims.sub.clone() }),
        _ => Err(PassportError::Malformed),
    }
}
