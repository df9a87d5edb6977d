//! The access rule of a method, as generated from the contract.

use crate::Role;

/// The kind of caller a passport was issued for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// No passport needed.
    Public,
    /// A signed-in person.
    User,
    /// A voice agent, limited to its connection's business.
    Agent,
    /// Another service.
    Service,
}

/// What a handler is handed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// Nothing but the deadline.
    None,
    /// The calling person.
    Person,
    /// One business.
    Business,
    /// Every business.
    Installation,
}

/// Who may call a method.
#[derive(Debug)]
pub struct Rule {
    /// Kinds of caller let in.
    pub audiences: &'static [Audience],
    /// Least role of a USER.
    pub least_role: Role,
    /// What the handler is handed.
    pub scope: ScopeKind,
    /// Services let in, when the audience has SERVICE.
    pub services: &'static [&'static str],
    /// Instead of `services`, where several services serve the method: which are let in by each.
    pub served_by: &'static [(&'static str, &'static [&'static str])],
    /// Needs a trusted device in production.
    pub sensitive: bool,
    /// Does not exist in production.
    pub development_only: bool,
    /// Ten minutes instead of thirty seconds.
    pub long_running: bool,
    /// Takes an Idempotency-Key.
    pub idempotency_key: bool,
    /// An answer never changes.
    pub immutable: bool,
}

impl Rule {
    /// Whether the service called `caller` is let in where `serving` serves the method.
    #[must_use]
    pub fn lets_in(&self, serving: &str, caller: &str) -> bool {
        if self.served_by.is_empty() {
            return self.services.contains(&caller);
        }
        self.served_by.iter().any(|(service, callers)| *service == serving && callers.contains(&caller))
    }
}

/// One RPC of the contract.
#[derive(Debug)]
pub struct Method {
    /// The service that serves it, as passports name it.
    pub service: &'static str,
    /// gRPC path, `/package.Service/Method`.
    pub path: &'static str,
    /// The REST binding, as `VERB template`; empty for internal methods.
    pub rest: &'static str,
    /// Who may call.
    pub rule: Rule,
}

impl Method {
    /// Whether people change something by it.
    #[must_use]
    pub fn writes(&self) -> bool {
        !self.rest.is_empty() && !self.rest.starts_with("GET ") && !self.rest.ends_with(":preview")
    }
}
