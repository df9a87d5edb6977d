//! The gate: a passport against a rule, a scope in return.

use core::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use opentelemetry::{KeyValue, global, metrics::Counter};
use tonic::metadata::MetadataMap;

use crate::{
    Actor, Audience, Bearer, BusinessId, BusinessScope, IdempotencyKey, InstallationScope, Method, Passport,
    PassportError, PersonScope, Priority, Refusals, Role, ScopeKind, Unscoped, Verifier, Watch,
    deadline::deadline,
};

/// Metadata key of the passport.
pub const PASSPORT_HEADER: &str = "x-frontdesk-passport";
/// Metadata key of the client's idempotency key.
pub const IDEMPOTENCY_HEADER: &str = "idempotency-key";

/// Why a call was not let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// No passport, or one that is not believed.
    #[error("passport refused: {0}")]
    Passport(&'static str),
    /// The passport is for another business; foreign businesses do not exist.
    #[error("not found")]
    OtherBusiness,
    /// A member whose role is too low.
    #[error("needs the role {0}")]
    RoleTooLow(Role),
    /// A kind of caller, or a service, the rule doesn't name.
    #[error("this caller may not call this method")]
    WrongCaller,
    /// `business_id` is not a UUID.
    #[error("business_id is not a UUID")]
    BusinessId,
    /// Not 1 to 255 visible ASCII characters.
    #[error("Idempotency-Key is malformed")]
    IdempotencyKey,
}

/// What is wrong with a passport, as logs and metrics name it.
const NO_PASSPORT: &str = "no passport";
const MALFORMED: &str = "malformed passport";
const OTHER_SERVICE: &str = "passport for another service";
const EXPIRED: &str = "expired passport";
const ISSUER: &str = "issuer may not issue this passport";
const WRONG_CALLER: &str = "wrong caller";

impl From<PassportError> for Denied {
    fn from(error: PassportError) -> Self {
        Self::Passport(match error {
            PassportError::Malformed => MALFORMED,
            PassportError::OtherService => OTHER_SERVICE,
            PassportError::Expired => EXPIRED,
            PassportError::Issuer => ISSUER,
        })
    }
}

/// Reads the clock that passports are checked against.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Checks calls to one service.
#[derive(Clone)]
pub struct Gate {
    verifier: Verifier,
    now: Now,
    refused: Counter<u64>,
    refusals: Option<Arc<dyn Refusals>>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("verifier", &self.verifier).finish_non_exhaustive()
    }
}

impl Gate {
    /// A gate that believes `verifier` at the time `now` tells. Must be made after telemetry has
    /// started.
    #[must_use]
    pub fn new(verifier: Verifier, now: Now) -> Self {
        let refused = global::meter("frontdesk")
            .u64_counter("frontdesk.passports.refused")
            .with_description("Calls refused for their passport, by what is wrong with it.")
            .with_unit("{call}")
            .build();
        for reason in [NO_PASSPORT, MALFORMED, OTHER_SERVICE, EXPIRED, ISSUER, WRONG_CALLER] {
            refused.add(0, &[KeyValue::new("reason", reason)]);
        }
        Self { verifier, now, refused, refusals: None }
    }

    /// The same, whose refused changes of businesses are kept.
    #[must_use]
    pub fn keeping(self, refusals: Arc<dyn Refusals>) -> Self {
        Self { refusals: Some(refusals), ..self }
    }

    /// What a call comes to, if it would change something of a business and refusals are kept.
    #[must_use]
    pub fn watch(&self, passport: Option<&str>, method: &'static Method) -> Option<Watch> {
        let refusals = self.refusals.clone()?;
        if !method.writes() {
            return None;
        }
        Some(Watch { gate: self.clone(), refusals, passport: passport?.to_owned(), method })
    }

    /// The business and the bearer of a valid passport.
    pub(crate) fn bearer(&self, passport: &str, method: &Method) -> Option<(BusinessId, Actor)> {
        let passport = self.judge(Some(passport), method).ok()?;
        Some((passport.business?, actor(passport.bearer)))
    }

    /// Checks a call by its passport alone, before its message is read. The scope that its method
    /// gives is checked with the message.
    ///
    /// # Errors
    /// [`Denied`], unless the method is public.
    pub fn admit(&self, passport: Option<&str>, method: &Method) -> Result<(), Denied> {
        if method.rule.audiences.contains(&Audience::Public) {
            return Ok(());
        }
        self.believed(passport, method).map(drop)
    }

    /// What comes first when there is more to do than can be done; decided by what is signed.
    #[must_use]
    pub fn priority(&self, passport: Option<&str>) -> Priority {
        passport.map_or(Priority::Normal, |token| self.verifier.priority(token, (self.now)()))
    }

    /// Lets a call into one business.
    ///
    /// # Errors
    /// [`Denied`], foreign businesses as not existing.
    pub fn business(
        &self,
        metadata: &MetadataMap,
        method: &Method,
        business_id: &str,
    ) -> Result<BusinessScope, Denied> {
        debug_assert_eq!(method.rule.scope, ScopeKind::Business);
        let passport = self.passport(metadata, method)?;
        let business: BusinessId = business_id.parse().map_err(|_| Denied::BusinessId)?;
        // The nil id stands for the installation in tables that also have rows of its own.
        if business.0.is_nil() || passport.business != Some(business) {
            return Err(Denied::OtherBusiness);
        }
        let role = match &passport.bearer {
            Bearer::User { role: Some(role), .. } if *role >= method.rule.least_role => *role,
            Bearer::User { role: Some(_), .. } => return Err(Denied::RoleTooLow(method.rule.least_role)),
            Bearer::User { role: None, .. } => return Err(Denied::OtherBusiness),
            Bearer::Agent { .. } | Bearer::Service { .. } => Role::Employee,
        };
        Ok(BusinessScope {
            business,
            actor: actor(passport.bearer),
            role,
            deadline: deadline(metadata),
            idempotency_key: idempotency_key(metadata, method)?,
        })
    }

    /// Lets a person to their own account.
    ///
    /// # Errors
    /// [`Denied`].
    pub fn person(&self, metadata: &MetadataMap, method: &Method) -> Result<PersonScope, Denied> {
        match self.passport(metadata, method)?.bearer {
            Bearer::User { user, session, .. } => {
                Ok(PersonScope { user, session, deadline: deadline(metadata) })
            }
            Bearer::Agent { .. } | Bearer::Service { .. } => Err(Denied::WrongCaller),
        }
    }

    /// Lets an ADMIN or a named service act across businesses.
    ///
    /// # Errors
    /// [`Denied`].
    pub fn installation(&self, metadata: &MetadataMap, method: &Method) -> Result<InstallationScope, Denied> {
        let passport = self.passport(metadata, method)?;
        match &passport.bearer {
            Bearer::User { role: Some(Role::Admin), .. } | Bearer::Service { .. } => {}
            Bearer::User { .. } => return Err(Denied::RoleTooLow(Role::Admin)),
            Bearer::Agent { .. } => return Err(Denied::WrongCaller),
        }
        Ok(InstallationScope {
            actor: actor(passport.bearer),
            deadline: deadline(metadata),
            idempotency_key: idempotency_key(metadata, method)?,
        })
    }

    /// Lets a call in that touches no one's data by itself.
    ///
    /// # Errors
    /// [`Denied`].
    pub fn unscoped(&self, metadata: &MetadataMap, method: &Method) -> Result<Unscoped, Denied> {
        if !method.rule.audiences.contains(&Audience::Public) {
            self.passport(metadata, method)?;
        }
        Ok(Unscoped { deadline: deadline(metadata) })
    }

    fn passport(&self, metadata: &MetadataMap, method: &Method) -> Result<Passport, Denied> {
        self.believed(metadata.get(PASSPORT_HEADER).and_then(|value| value.to_str().ok()), method)
    }

    fn believed(&self, token: Option<&str>, method: &Method) -> Result<Passport, Denied> {
        self.judge(token, method).inspect_err(|denied| {
            let reason = if let Denied::Passport(fault) = denied { *fault } else { WRONG_CALLER };
            self.refused.add(1, &[KeyValue::new("reason", reason)]);
        })
    }

    fn judge(&self, token: Option<&str>, method: &Method) -> Result<Passport, Denied> {
        let token = token.ok_or(Denied::Passport(NO_PASSPORT))?;
        let passport = self.verifier.verify(token, (self.now)())?;
        let let_in = match &passport.bearer {
            Bearer::User { .. } => method.rule.audiences.contains(&Audience::User),
            Bearer::Agent { .. } => method.rule.audiences.contains(&Audience::Agent),
            Bearer::Service { name } => {
                method.rule.audiences.contains(&Audience::Service)
                    && method.rule.lets_in(self.verifier.service(), name)
            }
        };
        if let_in { Ok(passport) } else { Err(Denied::WrongCaller) }
    }
}

fn actor(bearer: Bearer) -> Actor {
    match bearer {
        Bearer::User { user, session, .. } => Actor::Person { user, session },
        Bearer::Agent { connection } => Actor::Agent { connection },
        Bearer::Service { name } => Actor::Service { name },
    }
}

/// The key of a method that takes one.
fn idempotency_key(metadata: &MetadataMap, method: &Method) -> Result<Option<IdempotencyKey>, Denied> {
    let header = metadata.get(IDEMPOTENCY_HEADER).filter(|_| method.rule.idempotency_key);
    let Some(value) = header else { return Ok(None) };
    let key = value.to_str().ok().and_then(IdempotencyKey::parse);
    key.map(Some).ok_or(Denied::IdempotencyKey)
}

#[cfg(test)]
mod tests;
