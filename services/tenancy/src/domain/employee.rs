//! A person who serves customers.

use caller::UserId;
use jiff::civil::Date;

use super::Stale;

typed_id::typed_id! {
    /// An employee of a business.
    EmployeeId,
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

    /// Called so, and here until this day.
    #[must_use]
    pub fn described(self, name: String, last_day: Option<Date>) -> Self {
        if (&name, last_day) == (&self.name, self.last_day) {
            return self;
        }
        Self { name, last_day, version: self.version + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn another_name_or_last_day_is_a_change_and_the_same_again_is_none() {
        let ana = Employee::new(EmployeeId(Uuid::from_u128(1)), "Ana".to_owned(), None);
        assert_eq!(ana.clone().described("Ana".to_owned(), None), ana);
        let leaving = ana.clone().described("Ana".to_owned(), Some(date(2026, 6, 30)));
        assert_eq!((leaving.last_day, leaving.version), (Some(date(2026, 6, 30)), 2));
        let renamed = leaving.clone().described("Anna".to_owned(), leaving.last_day);
        assert_eq!((renamed.name.as_str(), renamed.last_day, renamed.version), ("Anna", leaving.last_day, 3));
        assert_eq!(renamed.clone().seen_at(Some(2)), Err(Stale(3)));
        assert_eq!(renamed.clone().seen_at(None), Ok(renamed));
    }
}
