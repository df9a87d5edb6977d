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

/// Another employee goes by the name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is in the team already: add a surname or an initial to tell them apart")]
pub struct NameTaken(pub String);

/// A name that a number follows has at most so many letters before it, so that it is no longer than names may be.
const BEFORE_NUMBER: usize = 190;

/// What the person of this number is called who joins under a name: the first one by the name alone.
#[must_use]
pub fn numbered_name(name: &str, number: u32) -> String {
    match number {
        0 | 1 => name.to_owned(),
        _ => {
            let name: String = name.chars().take(BEFORE_NUMBER).collect();
            format!("{} {number}", name.trim_end())
        }
    }
}

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

    /// Whether the last day is over on `today`.
    #[must_use]
    pub fn has_left(&self, today: Date) -> bool {
        self.last_day.is_some_and(|last_day| last_day < today)
    }

    /// Whether customers meet the person under a name that `before` did not have in the team: a new name, or that of
    /// an employee who comes back.
    #[must_use]
    pub fn brings_a_name(&self, before: &Self, today: Date) -> bool {
        !self.has_left(today) && (self.name != before.name || before.has_left(today))
    }

    /// Customers ask for employees by their names: two who are here have different ones. `namesakes` are the others
    /// of this name, in whatever case and with whatever accents.
    ///
    /// # Errors
    /// [`NameTaken`] by one of them who has not left.
    pub fn alone_among(&self, namesakes: &[Self], today: Date) -> Result<(), NameTaken> {
        let other = namesakes.iter().find(|other| other.id != self.id && !other.has_left(today));
        other.map_or(Ok(()), |other| Err(NameTaken(other.name.clone())))
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

    #[test]
    fn a_name_is_told_apart_by_a_number_and_stays_one() {
        assert_eq!(numbered_name("Ana Ash", 1), "Ana Ash");
        assert_eq!(numbered_name("Ana Ash", 2), "Ana Ash 2");
        assert_eq!(numbered_name(&"é".repeat(200), 12).chars().count(), 193);
    }

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
    fn a_name_is_brought_by_who_is_renamed_or_comes_back_and_by_no_other() {
        let (ana, today) = (known(), date(2026, 6, 2));
        let leaving = Employee { last_day: Some(date(2026, 6, 2)), ..ana.clone() };
        let left = Employee { last_day: Some(date(2026, 6, 1)), ..ana.clone() };
        let renamed = |employee: &Employee| Employee { name: "Anna".to_owned(), ..employee.clone() };
        assert!(left.has_left(today) && !leaving.has_left(today) && !ana.has_left(today));
        assert!(renamed(&ana).brings_a_name(&ana, today));
        assert!(ana.brings_a_name(&left, today));
        assert!(!leaving.brings_a_name(&ana, today), "a last day brings none");
        assert!(!renamed(&left).brings_a_name(&left, today), "one who has left meets no customer");
    }

    #[test]
    fn two_employees_of_one_name_are_not_here_at_once() {
        let (ana, today) = (known(), date(2026, 6, 2));
        let other = Employee { id: EmployeeId(Uuid::from_u128(2)), name: "ANA".to_owned(), ..ana.clone() };
        let left = Employee { last_day: Some(date(2026, 6, 1)), ..other.clone() };
        assert_eq!(ana.alone_among(&[ana.clone(), left], today), Ok(()));
        assert_eq!(ana.alone_among(&[other], today), Err(NameTaken("ANA".to_owned())));
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
