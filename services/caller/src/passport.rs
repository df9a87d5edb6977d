//! Passports: whom they speak for, and what they claim.

mod signer;
#[cfg(test)]
mod tests;
mod verifier;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use signer::Signer;
pub use verifier::Verifier;

use crate::{Audience, BusinessId, Role, SessionId, UserId};

const TYP: &str = "passport+jwt";
const LIFE_SECONDS: i64 = 60;
/// About a kilobyte each.
const MOST_REMEMBERED: u64 = 2_000;

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
