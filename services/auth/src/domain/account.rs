//! People and their places in businesses.

use caller::{BusinessId, Role, UserId};

use super::{email::Email, password::PasswordHash};

/// Characters of a person's name, at most.
pub const LONGEST_NAME: usize = 200;

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

/// The name and password of a registration whose address is not proved yet.
#[derive(Debug, Clone)]
pub struct Claim {
    /// What they are called.
    pub name: String,
    /// Their password.
    pub password: PasswordHash,
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

    /// The role in a sentence, after "as".
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self.0 {
            Role::Owner => "an owner",
            Role::Manager => "a manager",
            Role::Employee => "an employee",
            Role::Guest | Role::Admin => "a guest",
        }
    }

    /// Whether it may do what `least` may.
    #[must_use]
    pub fn allows(self, least: Role) -> bool {
        self.0 >= least
    }

    /// Whether an employee can sign in with it: a guest sees no personal data.
    #[must_use]
    pub fn fits_an_employee(self) -> bool {
        self.allows(Role::Employee)
    }

    /// Whether it is the role a business can't be without.
    #[must_use]
    pub fn is_owner(self) -> bool {
        self.0 == Role::Owner
    }
}

/// Whether a business whose owners, but for those who are shut out, are `owners` has one left after `person` has got `role`.
#[must_use]
pub fn keeps_an_owner(owners: &[UserId], person: UserId, role: Option<MemberRole>) -> bool {
    role.is_some_and(MemberRole::is_owner) || owners.iter().any(|owner| *owner != person)
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
    fn the_last_owner_is_the_one_beside_whom_there_is_no_other() {
        let [one, other] = [1, 2].map(|n| UserId(uuid::Uuid::from_u128(n)));
        assert!(!keeps_an_owner(&[one], one, Some(role("MANAGER"))));
        assert!(!keeps_an_owner(&[one], one, None));
        assert!(keeps_an_owner(&[one], one, Some(role("OWNER"))));
        assert!(keeps_an_owner(&[one, other], one, None));
        assert!(keeps_an_owner(&[one], other, None));
    }

    #[test]
    fn admin_is_not_a_member_role() {
        assert_eq!(MemberRole::parse("ADMIN"), Err(NotAMemberRole));
        assert_eq!(MemberRole::parse("owner"), Err(NotAMemberRole));
    }
}
