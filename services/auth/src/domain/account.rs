//! People and their places in businesses.

use caller::{BusinessId, Role, UserId};

use super::email::Email;

/// A person's account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Who.
    pub id: UserId,
    /// How they sign in.
    pub email: Email,
    /// What they are called.
    pub name: String,
    /// Whether they run the installation.
    pub admin: bool,
}

/// A person's place in one business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Where.
    pub business: BusinessId,
    /// As what.
    pub role: MemberRole,
}

/// A role a membership can have: ADMIN is of the installation, not of a business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemberRole(Role);

/// Not a role a member can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be OWNER, MANAGER, EMPLOYEE or GUEST")]
pub struct NotAMemberRole;

impl MemberRole {
    /// Parses a role's name.
    ///
    /// # Errors
    /// For an unknown name, and for ADMIN.
    pub fn parse(text: &str) -> Result<Self, NotAMemberRole> {
        match text.parse() {
            Ok(Role::Admin) | Err(_) => Err(NotAMemberRole),
            Ok(role) => Ok(Self(role)),
        }
    }

    /// The role's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0.as_str()
    }
}

/// The role to show: ADMIN, else the highest membership role, else GUEST.
pub fn display_role(admin: bool, memberships: impl IntoIterator<Item = MemberRole>) -> Role {
    if admin {
        return Role::Admin;
    }
    memberships.into_iter().max().map_or(Role::Guest, |role| role.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(text: &str) -> MemberRole {
        MemberRole::parse(text).unwrap()
    }

    #[test]
    fn shows_admin_before_the_highest_membership_before_guest() {
        assert_eq!(display_role(true, [role("EMPLOYEE")]), Role::Admin);
        assert_eq!(display_role(false, [role("GUEST"), role("OWNER"), role("MANAGER")]), Role::Owner);
        assert_eq!(display_role(false, []), Role::Guest);
    }

    #[test]
    fn nobody_is_admin_of_one_business() {
        assert_eq!(MemberRole::parse("ADMIN"), Err(NotAMemberRole));
        assert_eq!(MemberRole::parse("owner"), Err(NotAMemberRole));
    }
}
