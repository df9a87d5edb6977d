//! What a person has to see to.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{CustomerId, EmployeeId, Phone};

typed_id::typed_id! {
    /// A follow-up of a business.
    FollowUpId,
}

/// Where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FollowUpState {
    /// It still has to be done.
    Open,
    /// It was done.
    Done {
        /// Who, as the audit trail names them.
        by: String,
        /// When.
        at: Timestamp,
    },
}

/// What people change of a follow-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Whose it is.
    pub employee: Option<EmployeeId>,
    /// Until when.
    pub due_at: Option<Timestamp>,
    /// Whether it is done.
    pub state: FollowUpState,
}

/// A message that a caller left, or something else that a person has to see to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUp {
    /// Unique in the installation.
    pub id: FollowUpId,
    /// What it is.
    pub text: String,
    /// Whom it is about.
    pub customer: Option<CustomerId>,
    /// Where to call back.
    pub phone: Option<Phone>,
    /// The call in which it was said.
    pub call: Option<Uuid>,
    /// Whose it is.
    pub employee: Option<EmployeeId>,
    /// Until when; whenever, where there is no hurry.
    pub due_at: Option<Timestamp>,
    /// Where it stands.
    pub state: FollowUpState,
    /// Who made it, as the audit trail names them.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// Grows by one with each change.
    pub version: i64,
}

impl FollowUp {
    /// Whose it is, until when, and whether it is done.
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing { employee: self.employee, due_at: self.due_at, state: self.state.clone() }
    }

    /// It stands as it did before.
    #[must_use]
    pub fn standing_again(self, Standing { employee, due_at, state }: Standing) -> Self {
        Self { employee, due_at, state, version: self.version + 1, ..self }
    }

    /// Assigns it to an employee, due at some time, if that is not how it stands.
    #[must_use]
    pub fn assigned(self, employee: Option<EmployeeId>, due_at: Option<Timestamp>) -> Self {
        if (self.employee, self.due_at) == (employee, due_at) {
            return self;
        }
        Self { employee, due_at, version: self.version + 1, ..self }
    }

    /// Has it done. Who did it first did it.
    #[must_use]
    pub fn completed(self, by: &str, at: Timestamp) -> Self {
        match self.state {
            FollowUpState::Done { .. } => self,
            FollowUpState::Open => {
                let state = FollowUpState::Done { by: by.to_owned(), at };
                Self { state, version: self.version + 1, ..self }
            }
        }
    }

    /// Takes that back.
    #[must_use]
    pub fn reopened(self) -> Self {
        match self.state {
            FollowUpState::Open => self,
            FollowUpState::Done { .. } => {
                Self { state: FollowUpState::Open, version: self.version + 1, ..self }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> FollowUp {
        FollowUp {
            id: FollowUpId(Uuid::nil()),
            text: "Call back".to_owned(),
            customer: None,
            phone: None,
            call: None,
            employee: None,
            due_at: None,
            state: FollowUpState::Open,
            created_by: "user:1".to_owned(),
            created_at: Timestamp::UNIX_EPOCH,
            version: 1,
        }
    }

    #[test]
    fn who_did_it_first_did_it() {
        let done = open().completed("user:2", Timestamp::UNIX_EPOCH);
        assert_eq!(done.version, 2);
        assert_eq!(done.clone().completed("user:3", Timestamp::MAX), done);
    }

    #[test]
    fn what_is_done_can_be_opened_again_and_what_is_open_stays_as_it_is() {
        let done = open().completed("user:2", Timestamp::UNIX_EPOCH);
        assert_eq!(done.reopened(), FollowUp { version: 3, ..open() });
        assert_eq!(open().reopened(), open());
    }

    #[test]
    fn what_is_assigned_as_it_stands_stays_as_it_is_and_what_changed_stands_again_as_before() {
        let due_at = Some(Timestamp::UNIX_EPOCH);
        let assigned = open().assigned(Some(EmployeeId(Uuid::nil())), due_at);
        assert_eq!(assigned.clone().assigned(Some(EmployeeId(Uuid::nil())), due_at), assigned);
        assert_eq!(assigned.standing_again(open().standing()), FollowUp { version: 3, ..open() });
    }
}
