//! Who is calling: passports, roles, access rules and scopes.
//!
//! A passport is a signed statement of at most sixty seconds saying who calls
//! which service, for which business, in which role. Services verify passports
//! offline. A [`Gate`] checks a passport against the method's [`Rule`] and hands
//! out a scope; scopes can't be made any other way, so a handler that holds one
//! has been let in.

mod deadline;
mod gate;
mod id;
mod keys;
mod passport;
mod refusal;
mod role;
mod rule;
mod scope;

pub use deadline::{DEADLINE_HEADER, parse_timeout};
pub use gate::{Denied, Gate, IDEMPOTENCY_HEADER, Now, PASSPORT_HEADER};
pub use id::{BusinessId, SessionId, UserId};
pub use keys::{KeyError, Keyring, TrustedKey};
pub use passport::{Bearer, Passport, PassportError, Priority, Signer, Verifier};
pub use refusal::{Refusal, Refusals, Watch};
pub use role::{Role, UnknownRole};
pub use rule::{Audience, Method, Rule, ScopeKind};
pub use scope::{
    Actor, BusinessScope, IdempotencyKey, InstallationScope, PersonScope, Tenant, Unscoped, Worker,
};
