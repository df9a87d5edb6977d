//! The gate: a passport against a rule, a scope in return.

use core::{fmt, time::Duration};
use std::{sync::Arc, time::Instant};

use jiff::Timestamp;
use opentelemetry::{KeyValue, global, metrics::Counter};
use tonic::metadata::MetadataMap;

use crate::{
    Actor, Audience, Bearer, BusinessId, BusinessScope, IdempotencyKey, InstallationScope, Method, Passport,
    PassportError, PersonScope, Priority, Refusals, Role, ScopeKind, Unscoped, Verifier, Watch,
};

/// Metadata key of the passport.
pub const PASSPORT_HEADER: &str = "x-frontdesk-passport";
/// Metadata key of the client's idempotency key.
pub const IDEMPOTENCY_HEADER: &str = "idempotency-key";
/// Metadata key of the remaining time, as gRPC defines it.
pub const DEADLINE_HEADER: &str = "grpc-timeout";

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

fn deadline(metadata: &MetadataMap) -> Option<Instant> {
    Instant::now().checked_add(parse_timeout(metadata.get(DEADLINE_HEADER)?.to_str().ok()?)?)
}

/// Reads a `grpc-timeout`: at most eight digits and a unit.
#[must_use]
pub fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(amount.checked_mul(3600)?),
        "M" => Duration::from_secs(amount.checked_mul(60)?),
        "S" => Duration::from_secs(amount),
        "m" => Duration::from_millis(amount),
        "u" => Duration::from_micros(amount),
        "n" => Duration::from_nanos(amount),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use opentelemetry_sdk::metrics::{
        InMemoryMetricExporter, SdkMeterProvider,
        data::{AggregatedMetrics, MetricData, SumDataPoint},
    };
    use uuid::Uuid;

    use super::*;
    use crate::{Keyring, Rule, SessionId, Signer, UserId};

    static BOOK: Method = Method {
        service: "scheduling",
        path: "/t/Book",
        rest: "",
        rule: Rule {
            audiences: &[Audience::User, Audience::Agent],
            least_role: Role::Employee,
            scope: ScopeKind::Business,
            services: &[],
            served_by: &[],
            sensitive: false,
            development_only: false,
            long_running: false,
            idempotency_key: true,
            immutable: false,
        },
    };

    fn gate_and_signer() -> (Gate, Signer) {
        let files = Keyring::generate(&[("bff", [1; 32]), ("scheduling", [2; 32])]).unwrap();
        let keyring = |i: usize| Arc::new(Keyring::parse(&files[i].1).unwrap());
        let gate = Gate::new(Verifier::new("scheduling", keyring(1)), Arc::new(|| Timestamp::UNIX_EPOCH));
        (gate, Signer::new(keyring(0)))
    }

    fn metadata(signer: &Signer, role: Option<Role>, business: u128) -> MetadataMap {
        let bearer = Bearer::User { user: UserId(Uuid::nil()), session: SessionId(Uuid::nil()), role };
        let passport = Passport { bearer, business: Some(BusinessId(Uuid::from_u128(business))) };
        let mut metadata = MetadataMap::new();
        let token = signer.sign("scheduling", &passport, Timestamp::UNIX_EPOCH);
        metadata.insert(PASSPORT_HEADER, token.parse().unwrap());
        metadata
    }

    fn id(business: u128) -> String {
        Uuid::from_u128(business).to_string()
    }

    #[test]
    fn a_foreign_business_does_not_exist_and_a_low_role_is_refused() {
        let (gate, signer) = gate_and_signer();
        let member = metadata(&signer, Some(Role::Employee), 7);
        assert!(gate.business(&member, &BOOK, &id(7)).is_ok());
        assert_eq!(gate.business(&member, &BOOK, &id(8)).unwrap_err(), Denied::OtherBusiness);
        let guest = metadata(&signer, Some(Role::Guest), 7);
        assert_eq!(gate.business(&guest, &BOOK, &id(7)).unwrap_err(), Denied::RoleTooLow(Role::Employee));
        let stranger = metadata(&signer, None, 7);
        assert_eq!(gate.business(&stranger, &BOOK, &id(7)).unwrap_err(), Denied::OtherBusiness);
    }

    #[test]
    fn the_nil_id_is_no_business_even_for_an_admin() {
        let (gate, signer) = gate_and_signer();
        let admin = metadata(&signer, Some(Role::Admin), 0);
        assert_eq!(gate.business(&admin, &BOOK, &id(0)).unwrap_err(), Denied::OtherBusiness);
    }

    #[test]
    fn a_service_that_the_rule_does_not_name_is_refused() {
        let (gate, signer) = gate_and_signer();
        let mut metadata = MetadataMap::new();
        let token = signer.as_service(
            "scheduling",
            Some(BusinessId(Uuid::from_u128(7))),
            Priority::Normal,
            Timestamp::UNIX_EPOCH,
        );
        metadata.insert(PASSPORT_HEADER, token.parse().unwrap());
        assert_eq!(gate.business(&metadata, &BOOK, &id(7)).unwrap_err(), Denied::WrongCaller);
    }

    #[test]
    fn the_deadline_is_what_the_caller_had_left() {
        let (gate, signer) = gate_and_signer();
        let mut member = metadata(&signer, Some(Role::Owner), 7);
        member.insert(DEADLINE_HEADER, "1500m".parse().unwrap());
        let left = gate.business(&member, &BOOK, &id(7)).unwrap().remaining().unwrap();
        assert!(left <= Duration::from_millis(1500) && left > Duration::from_millis(1000));
    }

    #[test]
    fn a_malformed_idempotency_key_is_refused() {
        let (gate, signer) = gate_and_signer();
        let mut member = metadata(&signer, Some(Role::Owner), 7);
        member.insert(IDEMPOTENCY_HEADER, "two words".parse().unwrap());
        assert_eq!(gate.business(&member, &BOOK, &id(7)).unwrap_err(), Denied::IdempotencyKey);
    }

    #[test]
    fn refused_passports_are_counted_by_what_is_wrong_with_them() {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        global::set_meter_provider(provider.clone());
        let (gate, signer) = gate_and_signer();
        let reasons = || -> BTreeMap<String, u64> {
            provider.force_flush().unwrap();
            let exported = exporter.get_finished_metrics().unwrap().pop().unwrap();
            let metrics = exported.scope_metrics().flat_map(|scope| scope.metrics());
            let AggregatedMetrics::U64(MetricData::Sum(sum)) = metrics
                .into_iter()
                .find(|metric| metric.name() == "frontdesk.passports.refused")
                .unwrap()
                .data()
            else {
                panic!("it is a counter");
            };
            let reason = |point: &SumDataPoint<u64>| point.attributes().next().unwrap().value.to_string();
            sum.data_points().map(|point| (reason(point), point.value())).collect()
        };
        let before = reasons();
        assert_eq!(before.len(), 6, "every reason has its series from the start: {before:?}");
        let now = Timestamp::UNIX_EPOCH;
        let service = signer.as_service("scheduling", None, Priority::Normal, now);
        let elsewhere = signer.as_service("tenancy", None, Priority::Normal, now);
        let of_another_hour = now + jiff::SignedDuration::from_hours(1);
        let of_another_hour = signer.as_service("scheduling", None, Priority::Normal, of_another_hour);
        for token in [None, Some("a.b.c"), Some(&service), Some(&elsewhere), Some(&of_another_hour)] {
            gate.admit(token, &BOOK).unwrap_err();
        }
        let after = reasons();
        for reason in [NO_PASSPORT, MALFORMED, OTHER_SERVICE, EXPIRED, WRONG_CALLER] {
            assert!(after[reason] > before[reason], "{reason}: {after:?}");
        }
    }
}
