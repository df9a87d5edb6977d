//! A person who serves customers.

use caller::UserId;
use jiff::civil::Date;

use super::Stale;

typed_id::typed_id! {
    /// An employee of a business.
    EmployeeId,
}

/// An employee signs in with another account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this employee has another account")]
pub struct HasAccount;

/// A person who serves customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Employee {
    /// Unique in the installation.
    pub id: EmployeeId,
    /// What the person is called.
    pub name: String,
    /// The account the person signs in with.
    pub user: Option<UserId>,
    /// The last day on which the person works here; `None` while none is known.
    pub last_day: Option<Date>,
    /// Grows by one with each change.
    pub version: i64,
}

impl Employee {
    /// One who is new.
    #[must_use]
    pub fn new(id: EmployeeId, name: String, user: Option<UserId>) -> Self {
        Self { id, name, user, last_day: None, version: 1 }
    }

    /// The employee, if this is the version that was seen.
    ///
    /// # Errors
    /// [`Stale`].
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            _ => Ok(self),
        }
    }

    /// Called so, here until this day, and signing in with this account if one is named.
    ///
    /// # Errors
    /// [`HasAccount`] where another account is theirs.
    pub fn described(
        self,
        name: String,
        last_day: Option<Date>,
        account: Option<UserId>,
    ) -> Result<Self, HasAccount> {
        if account.is_some() && self.user.is_some() && account != self.user {
            return Err(HasAccount);
        }
        let after = Self { name, last_day, user: account.or(self.user), ..self.clone() };
        Ok(if after == self { self } else { Self { version: self.version + 1, ..after } })
    }

    /// Without an account.
    #[must_use]
    pub fn unlinked(self) -> Self {
        match self.user {
            Some(_) => Self { user: None, version: self.version + 1, ..self },
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use uuid::Uuid;

    use super::*;

    fn known() -> Employee {
        Employee::new(EmployeeId(Uuid::from_u128(1)), "Ana".to_owned(), None)
    }

    #[test]
    fn another_name_or_last_day_is_a_change_and_the_same_again_is_none() {
        let ana = known();
        let described = |employee: &Employee, name: &str, last_day| {
            employee.clone().described(name.to_owned(), last_day, None).unwrap()
        };
        assert_eq!(described(&ana, "Ana", None), ana);
        let leaving = described(&ana, "Ana", Some(date(2026, 6, 30)));
        assert_eq!((leaving.last_day, leaving.version), (Some(date(2026, 6, 30)), 2));
        let renamed = described(&leaving, "Anna", leaving.last_day);
        assert_eq!((renamed.name.as_str(), renamed.last_day, renamed.version), ("Anna", leaving.last_day, 3));
        assert_eq!(renamed.clone().seen_at(Some(2)), Err(Stale(3)));
        assert_eq!(renamed.clone().seen_at(None), Ok(renamed));
    }

    #[test]
    fn an_account_is_linked_once_and_another_does_not_replace_it() {
        let [hers, other] = [1, 2].map(|id| UserId(Uuid::from_u128(id)));
        let described = |employee: Employee, account| employee.described("Ana".to_owned(), None, account);
        let linked = described(known(), Some(hers)).unwrap();
        assert_eq!((linked.user, linked.version), (Some(hers), 2));
        for account in [Some(hers), None] {
            assert_eq!(described(linked.clone(), account), Ok(linked.clone()), "this is no change");
        }
        assert_eq!(described(linked.clone(), Some(other)), Err(HasAccount));
        let unlinked = linked.unlinked();
        assert_eq!((unlinked.user, unlinked.version), (None, 3));
        assert_eq!(unlinked.clone().unlinked(), unlinked, "there is none to take");
    }
}
