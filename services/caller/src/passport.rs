//! Passports: signing and verifying.

use core::{fmt, time::Duration};
use std::sync::Arc;

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, Header, Validation};
use moka::sync::Cache;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Audience, BusinessId, Keyring, Role, SessionId, UserId};

const TYP: &str = "passport+jwt";
const LIFE_SECONDS: i64 = 60;
/// How far two machines' clocks may differ.
const SKEW_SECONDS: i64 = 5;
/// The one issuer that may speak for people and voice agents.
const DOOR: &str = "bff";
/// About a kilobyte each.
const MOST_REMEMBERED: u64 = 2_000;
/// Who goes on calling has a new passport each second.
const REMEMBERED: Duration = Duration::from_secs(3);

/// Why a passport was not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PassportError {
    /// Not a passport, unknown key, or a wrong signature.
    #[error("malformed or unsigned passport")]
    Malformed,
    /// For another service.
    #[error("passport for another service")]
    OtherService,
    /// Older than its life, or not yet valid.
    #[error("expired passport")]
    Expired,
    /// The issuer may not issue this kind.
    #[error("issuer may not issue this passport")]
    Issuer,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    kind: Audience,
    sub: String,
    iat: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    biz: Option<BusinessId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    /// Whether a service calls because a voice agent called it.
    #[serde(default, skip_serializing_if = "Priority::is_normal")]
    pri: Priority,
}

/// How long a call may wait when there is more to do than can be done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// It can be made again in a moment.
    #[default]
    Normal,
    /// A person on the telephone waits for the answer.
    Voice,
}

impl Priority {
    /// As metrics name it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Voice => "voice",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
    fn is_normal(&self) -> bool {
        *self == Self::Normal
    }
}

/// Whom a passport speaks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bearer {
    /// A signed-in person.
    User {
        /// Who.
        user: UserId,
        /// In which session.
        session: SessionId,
        /// Role in the passport's business, or ADMIN; `None` outside a business.
        role: Option<Role>,
    },
    /// A voice agent.
    Agent {
        /// The voice connection it speaks through.
        connection: Uuid,
    },
    /// A service of the installation.
    Service {
        /// Its name.
        name: String,
    },
}

/// A verified passport.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Passport {
    /// Whom it speaks for.
    pub bearer: Bearer,
    /// The one business it is good for.
    pub business: Option<BusinessId>,
}

/// What a signed passport says: the same in the same second for the same service.
#[derive(PartialEq, Eq, Hash)]
struct Statement {
    service: String,
    passport: Passport,
    priority: Priority,
    issued_at: i64,
}

/// Signs passports in one's own name.
#[derive(Clone)]
pub struct Signer {
    keyring: Arc<Keyring>,
    /// What a page asks for at once carries one signature.
    signed: Cache<Statement, Arc<str>>,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("keyring", &self.keyring).finish_non_exhaustive()
    }
}

impl Signer {
    /// A signer with this keyring's own key.
    #[must_use]
    pub fn new(keyring: Arc<Keyring>) -> Self {
        let signed = Cache::builder().max_capacity(MOST_REMEMBERED).time_to_live(Duration::from_secs(1));
        Self { keyring, signed: signed.build() }
    }

    /// The name this signer issues under.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.keyring.issuer
    }

    /// Signs a passport for `service`, valid for sixty seconds from `now`.
    #[must_use]
    pub fn sign(&self, service: &str, passport: &Passport, now: Timestamp) -> Arc<str> {
        self.sign_with(service, passport, Priority::Normal, now)
    }

    /// [`Self::sign`] for a service's own call that has a priority. A person's is always normal, and an
    /// agent's always voice.
    #[must_use]
    pub fn sign_with(
        &self,
        service: &str,
        passport: &Passport,
        priority: Priority,
        now: Timestamp,
    ) -> Arc<str> {
        let (service, passport, issued_at) = (service.to_owned(), passport.clone(), now.as_second());
        let statement = Statement { service, passport, priority, issued_at };
        if let Some(signed) = self.signed.get(&statement) {
            return signed;
        }
        let signed: Arc<str> = self.signature(&statement).into();
        self.signed.insert(statement, signed.clone());
        signed
    }

    fn signature(&self, statement: &Statement) -> String {
        let Statement { service, passport, priority, issued_at } = statement;
        let (kind, sub, sid, role) = match &passport.bearer {
            Bearer::User { user, session, role } => (Audience::User, user.to_string(), Some(*session), *role),
            Bearer::Agent { connection } => (Audience::Agent, connection.to_string(), None, None),
            Bearer::Service { name } => (Audience::Service, name.clone(), None, None),
        };
        let claims = Claims {
            iss: self.keyring.issuer.clone(),
            aud: service.clone(),
            kind,
            sub,
            iat: *issued_at,
            exp: issued_at + LIFE_SECONDS,
            sid,
            biz: passport.business,
            role,
            pri: *priority,
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TYP.to_owned());
        header.kid = Some(self.keyring.kid.clone());
        // The key was checked when the keyring was parsed and claims always serialise.
        jsonwebtoken::encode(&header, &claims, &self.keyring.signing).expect("a parsed keyring signs")
    }

    /// Signs a passport in the service's own name.
    #[must_use]
    pub fn as_service(
        &self,
        service: &str,
        business: Option<BusinessId>,
        priority: Priority,
        now: Timestamp,
    ) -> Arc<str> {
        let bearer = Bearer::Service { name: self.issuer().to_owned() };
        self.sign_with(service, &Passport { bearer, business }, priority, now)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn keyrings() -> Vec<Arc<Keyring>> {
        Keyring::generate(&[("bff", [1; 32]), ("telemetry", [2; 32])])
            .unwrap()
            .iter()
            .map(|(_, json)| Arc::new(Keyring::parse(json).unwrap()))
            .collect()
    }

    fn person() -> Passport {
        let bearer = Bearer::User {
            user: UserId(Uuid::from_u128(1)),
            session: SessionId(Uuid::from_u128(2)),
            role: Some(Role::Owner),
        };
        Passport { bearer, business: Some(BusinessId(Uuid::from_u128(3))) }
    }

    const NOW: i64 = 1_800_000_000;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_passport_survives_the_way_to_its_service_and_no_other() {
        let keys = keyrings();
        let token = Signer::new(keys[0].clone()).sign("scheduling", &person(), at(NOW));
        let verifier = Verifier::new("scheduling", keys[1].clone());
        assert_eq!(verifier.verify(&token, at(NOW)), Ok(person()));
        let other = Verifier::new("telemetry", keys[1].clone());
        assert_eq!(other.verify(&token, at(NOW)), Err(PassportError::OtherService));
    }

    #[test]
    fn a_passport_ends_after_sixty_seconds() {
        let keys = keyrings();
        let token = Signer::new(keys[0].clone()).sign("scheduling", &person(), at(NOW));
        let verifier = Verifier::new("scheduling", keys[1].clone());
        assert!(verifier.verify(&token, at(NOW + 60)).is_ok());
        assert_eq!(verifier.verify(&token, at(NOW + 61)), Err(PassportError::Expired));
        assert_eq!(verifier.verify(&token, at(NOW - 60)), Err(PassportError::Expired));
    }

    #[test]
    fn those_of_one_second_are_one_and_of_two_are_two() {
        let signer = Signer::new(keyrings()[0].clone());
        let token = |second, service| signer.sign(service, &person(), at(second));
        assert_eq!(token(NOW, "scheduling"), token(NOW, "scheduling"));
        assert_ne!(token(NOW, "scheduling"), token(NOW + 1, "scheduling"));
        assert_ne!(token(NOW, "scheduling"), token(NOW, "telemetry"));
        let other = Passport { business: None, ..person() };
        assert_ne!(signer.sign("scheduling", &other, at(NOW)), token(NOW, "scheduling"));
    }

    #[test]
    fn voice_takes_precedence_by_what_is_signed_and_nothing_else() {
        let keys = keyrings();
        let verifier = Verifier::new("scheduling", keys[1].clone());
        let priority = |token: &str| verifier.priority(token, at(NOW));
        let door = Signer::new(keys[0].clone());
        let service = |priority| door.as_service("scheduling", person().business, priority, at(NOW));
        assert_eq!(priority(&service(Priority::Voice)), Priority::Voice);
        assert_eq!(priority(&service(Priority::Normal)), Priority::Normal);
        let agent = Passport { bearer: Bearer::Agent { connection: Uuid::from_u128(4) }, ..person() };
        let agents = door.sign("scheduling", &agent, at(NOW));
        assert_eq!(priority(&agents), Priority::Voice);
        let persons = door.sign_with("scheduling", &person(), Priority::Voice, at(NOW));
        assert_eq!(priority(&persons), Priority::Normal, "a person does not come before the others");
        assert_eq!(verifier.priority(&agents, at(NOW + 61)), Priority::Normal, "expired");
        assert_eq!(priority("agent"), Priority::Normal);
        let elsewhere = door.sign("telemetry", &agent, at(NOW));
        assert_eq!(priority(&elsewhere), Priority::Normal, "for another service");
    }

    #[test]
    fn only_the_door_speaks_for_people() {
        let keys = keyrings();
        let token = Signer::new(keys[1].clone()).sign("scheduling", &person(), at(NOW));
        let verifier = Verifier::new("scheduling", keys[0].clone());
        assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Issuer));
    }

    #[test]
    fn a_changed_or_foreign_signature_is_malformed() {
        let keys = keyrings();
        let signed = Signer::new(keys[0].clone()).sign("scheduling", &person(), at(NOW));
        let mut token = signed.to_string();
        let last = token.pop().unwrap();
        token.push(if last == 'A' { 'Q' } else { 'A' });
        let verifier = Verifier::new("scheduling", keys[1].clone());
        assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Malformed));
        assert_eq!(verifier.verify(&signed, at(NOW)), Ok(person()));
        assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Malformed), "beside a true one");
        let stranger = Keyring::generate(&[("bff", [9; 32])]).unwrap();
        let stranger = Arc::new(Keyring::parse(&stranger[0].1).unwrap());
        let token = Signer::new(stranger).sign("scheduling", &person(), at(NOW));
        assert_eq!(verifier.verify(&token, at(NOW)), Err(PassportError::Malformed));
    }
}
