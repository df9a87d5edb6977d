//! Signing passports.

use core::{fmt, time::Duration};
use std::sync::Arc;

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, Header};
use moka::sync::Cache;

use super::{Bearer, Claims, LIFE_SECONDS, MOST_REMEMBERED, Passport, Priority, TYP};
use crate::{Audience, BusinessId, Keyring};

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
