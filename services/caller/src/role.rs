//! Roles, lowest first.

use core::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A person's role in a business. A higher role may do all a lower one may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Role {
    /// Sees name, hours and services, but no personal data.
    Guest,
    /// Books, moves and cancels.
    Employee,
    /// Changes catalogue and schedules.
    Manager,
    /// Changes details, team, agent and integrations.
    Owner,
    /// Runs the installation; passes everywhere.
    Admin,
}

impl Role {
    /// The name the specification uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Guest => "GUEST",
            Self::Employee => "EMPLOYEE",
            Self::Manager => "MANAGER",
            Self::Owner => "OWNER",
            Self::Admin => "ADMIN",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A role name that is none of the five.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown role {0:?}")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;
    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        [Self::Guest, Self::Employee, Self::Manager, Self::Owner, Self::Admin]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_from_guest_to_admin() {
        assert!(Role::Guest < Role::Employee && Role::Employee < Role::Manager);
        assert!(Role::Manager < Role::Owner && Role::Owner < Role::Admin);
    }

    #[test]
    fn refuses_an_unknown_role_instead_of_guessing() {
        assert!("owner".parse::<Role>().is_err());
        assert_eq!("OWNER".parse(), Ok(Role::Owner));
    }
}
