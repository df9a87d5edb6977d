//! Scopes: what a handler may touch, as types that only a [`crate::Gate`] makes.

use core::{fmt, time::Duration};
use std::time::Instant;

use uuid::Uuid;

use crate::{BusinessId, Role, SessionId, UserId};

/// Who is behind a call, for the audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A signed-in person.
    Person {
        /// Who.
        user: UserId,
        /// In which session.
        session: SessionId,
    },
    /// A voice agent on a connection.
    Agent {
        /// The voice connection.
        connection: Uuid,
    },
    /// A service.
    Service {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person { user, .. } => write!(f, "user:{user}"),
            Self::Agent { connection } => write!(f, "agent:{connection}"),
            Self::Service { name } => write!(f, "service:{name}"),
        }
    }
}

/// A client's name for one attempt at a write: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Parses a header value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=255).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The key as sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A scope that belongs to one business: what a transaction on tenant tables needs.
pub trait Tenant: sealed::Sealed + Sync {
    /// The business.
    fn business(&self) -> BusinessId;
    /// Who acts, for the audit trail.
    fn actor(&self) -> Actor;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::BusinessScope {}
    impl Sealed for super::Worker {}
}

/// Leave to act in one business.
#[derive(Debug, Clone)]
pub struct BusinessScope {
    pub(crate) business: BusinessId,
    pub(crate) actor: Actor,
    pub(crate) role: Role,
    pub(crate) deadline: Option<Instant>,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
}

impl BusinessScope {
    /// The caller's role; agents and services act as EMPLOYEE.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The person whose own visits say which customers' telephone numbers and e-mail addresses they may see;
    /// `None` for managers and above, agents and services, who see all.
    #[must_use]
    pub fn limited_to_own_visits(&self) -> Option<UserId> {
        match self.actor {
            Actor::Person { user, .. } if self.role < Role::Manager => Some(user),
            _ => None,
        }
    }

    /// Time left for the whole call.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        remaining(self.deadline)
    }

    /// The client's name for this attempt.
    #[must_use]
    pub fn idempotency_key(&self) -> Option<&IdempotencyKey> {
        self.idempotency_key.as_ref()
    }
}

impl Tenant for BusinessScope {
    fn business(&self) -> BusinessId {
        self.business
    }
    fn actor(&self) -> Actor {
        self.actor.clone()
    }
}

/// A job or follower of a service, acting in one business on its own behalf.
#[derive(Debug, Clone)]
pub struct Worker {
    name: &'static str,
    business: BusinessId,
}

impl Worker {
    /// A named worker in one business.
    #[must_use]
    pub fn new(name: &'static str, business: BusinessId) -> Self {
        Self { name, business }
    }
}

impl Tenant for Worker {
    fn business(&self) -> BusinessId {
        self.business
    }
    fn actor(&self) -> Actor {
        Actor::Service { name: self.name.to_owned() }
    }
}

/// Leave to act on one's own account.
#[derive(Debug, Clone)]
pub struct PersonScope {
    pub(crate) user: UserId,
    pub(crate) session: SessionId,
    pub(crate) deadline: Option<Instant>,
}

impl PersonScope {
    /// The person.
    #[must_use]
    pub fn user(&self) -> UserId {
        self.user
    }

    /// The session the call came in.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Time left for the whole call.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        remaining(self.deadline)
    }
}

/// Leave to act across businesses: ADMIN, or a named service or worker.
#[derive(Debug, Clone)]
pub struct InstallationScope {
    pub(crate) actor: Actor,
    pub(crate) deadline: Option<Instant>,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
}

impl InstallationScope {
    /// A named worker of the service itself.
    #[must_use]
    pub fn worker(name: &'static str) -> Self {
        Self { actor: Actor::Service { name: name.to_owned() }, deadline: None, idempotency_key: None }
    }

    /// Who acts, for the audit trail.
    #[must_use]
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The client's name for this attempt.
    #[must_use]
    pub fn idempotency_key(&self) -> Option<&IdempotencyKey> {
        self.idempotency_key.as_ref()
    }

    /// Time left for the whole call.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        remaining(self.deadline)
    }
}

/// A call that touches no one's data by itself.
#[derive(Debug, Clone)]
pub struct Unscoped {
    pub(crate) deadline: Option<Instant>,
}

impl Unscoped {
    /// Time left for the whole call.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        remaining(self.deadline)
    }
}

fn remaining(deadline: Option<Instant>) -> Option<Duration> {
    deadline.map(|at| at.saturating_duration_since(Instant::now()))
}
