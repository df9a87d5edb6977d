//! What can go wrong, and how it is told.

mod status;

use core::convert::Infallible;

use database::{IdempotencyError, transient};
use engine::{
    applying::LineError,
    appointment::{CancelError, RearrangeError, Stale, WrongState},
    delay::DelayError,
    dependency::Contradiction,
    id::EmployeeId,
    overrun::OverrunError,
    policy::PolicyError,
    progress::StepError,
    proposal::{self, SelectError},
    refusal::Refusal,
    series,
    service::ServiceError,
    visit::VisitRequestError,
    waitlist,
    window::Untimely,
};
use jiff::Timestamp;
use sea_orm::DbErr;
use tokio::task::JoinError;
use tonic::Status;
use uuid::Uuid;

pub(crate) use status::reason;

use crate::domain::{absence::AbsenceError, past_visit::PastVisitError, time_off};

/// An outcome other than the wanted one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field breaks a rule.
    #[error("{field} {rule}")]
    Invalid {
        /// Its name in the contract.
        field: String,
        /// What it breaks; continues the sentence the field's name begins.
        rule: String,
    },
    /// No such record in this business.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// A field names an employee or customer whom this business does not have.
    #[error("{field} names no {what} of this business")]
    UnknownPerson {
        /// The field's name in the contract.
        field: String,
        /// What it should name.
        what: &'static str,
    },
    /// `call_id` names a call that this business does not have.
    #[error("call_id names no call of this business")]
    UnknownCall,
    /// Tenancy, who owns employees and customers, does not answer.
    #[error("employees and customers can't be looked up right now")]
    Tenancy(#[source] Box<Status>),
    /// The item at this position names a service that the business does not have.
    #[error("there is no such service")]
    UnknownService(usize),
    /// The item at this position can't have the requested length.
    #[error("leaves less than 5 minutes of the service's last segment, or makes it longer than 12 hours")]
    Length(usize),
    /// The visit can't be placed there.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A visit of a series can't be placed there.
    #[error("visit {number} of the series: {refusal}")]
    Occurrence {
        /// Which visit, from 1.
        number: u8,
        /// Why not.
        refusal: Refusal,
    },
    /// The hold has expired, was released, displaced or booked.
    #[error("this time is no longer held")]
    HoldGone,
    /// A call holds as many times as it may.
    #[error("the call holds three times already")]
    TooManyHolds,
    /// A person holds as many times outside calls as they may.
    #[error("you hold {0} times already: book or release one, or wait until one expires")]
    TooManyOwnHolds(usize),
    /// Where the appointment stands, this can't be done.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// Another employee would do what the customer wants this one alone to do.
    #[error("the customer asked for this employee and no one else")]
    Requested(EmployeeId),
    /// It is too early or too late for this.
    #[error(transparent)]
    Untimely(#[from] Untimely),
    /// The visit is no open line of the inbox.
    #[error("the visit is not stranded, or its customer was told already")]
    NotStranded,
    /// The appointment was changed since it was seen.
    #[error(transparent)]
    Stale(#[from] Stale),
    /// A record was changed after the change that shall be taken back.
    #[error("the {0} was changed since")]
    ChangedSince(&'static str),
    /// A customer wants to cancel with less notice than the business wants.
    #[error("customers could cancel this visit until {0}")]
    CancellationWindow(Timestamp),
    /// The time off was decided or taken back before.
    #[error(transparent)]
    TimeOffDecided(#[from] time_off::WrongState),
    /// The waitlist entry was booked, or the customer left it.
    #[error(transparent)]
    NotWaiting(#[from] waitlist::WrongState),
    /// The time off was requested by another employee.
    #[error("only a manager withdraws another employee's request")]
    NotTheirs,
    /// An employee asks for time off for a colleague.
    #[error("only a manager asks for time off for someone else")]
    NotOwnTimeOff,
    /// An employee blocks a colleague's time.
    #[error("only a manager blocks someone else's time")]
    NotOwnTime,
    /// An employee removes a block of a colleague's time, or one that another person made.
    #[error("only a manager removes a block of someone else's time, or one that someone else made")]
    NotOwnBlock,
    /// An employee other than a manager reports a colleague away.
    #[error("only a manager reports a colleague away")]
    NotThemselves,
    /// The proposal was applied or dismissed before.
    #[error(transparent)]
    ProposalClosed(#[from] proposal::WrongState),
    /// The proposal was changed since it was seen.
    #[error(transparent)]
    ProposalStale(#[from] proposal::Stale),
    /// A line of a proposal can't be applied.
    #[error("line_ids[{line}]: {why}")]
    Line {
        /// Its place among those that were named.
        line: usize,
        /// Why.
        why: LineError,
    },
    /// A day of the business, or as many as there may be of others, are being optimised.
    #[error("a day is being optimised")]
    Optimising,
    /// An employee other than a manager squeezes a visit in.
    #[error("only a manager squeezes a visit in")]
    SqueezeIn,
    /// Another record has these dates.
    #[error("there is an {what} on these dates already")]
    Overlaps {
        /// What it is.
        what: &'static str,
        /// Which one.
        id: Uuid,
    },
    /// A rule contradicts others.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// There is one like it already.
    #[error("there is such a {what} already")]
    Repeats {
        /// What it is.
        what: &'static str,
        /// Which one.
        id: Uuid,
    },
    /// Something else needs what was to go.
    #[error("{what} needs it")]
    InUse {
        /// What it is.
        what: &'static str,
        /// Which one.
        id: Uuid,
    },
    /// The idempotency key came with another request before.
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// The name is given already.
    #[error("there is a {0} of this name already")]
    NameTaken(&'static str),
    /// There is one already, and one is enough.
    #[error("there is such a {0} already")]
    Exists(&'static str),
    /// Tenancy knows the business; its event has not arrived yet.
    #[error("this business is still being set up; try again in a moment")]
    BusinessUnknown,
    /// Tenancy has added customers whose events have not arrived yet.
    #[error("the customers of these visits are still arriving; try again in a moment")]
    CustomersUnknown,
    /// The database can't be reached, has no connection to spare, or gave this call up for another.
    #[error("the database is busy")]
    Busy(#[source] DbErr),
    /// The search for a better day panicked.
    #[error("the optimiser failed")]
    Optimiser(#[source] JoinError),
    /// Schedules changed as fast as they were read.
    #[error("the schedule is being changed")]
    Unsettled,
    /// Any other failure of the database.
    #[error("the database failed")]
    Database(#[source] DbErr),
    /// A stored row is not what this version writes.
    #[error("a stored {0} can't be read")]
    Stored(&'static str),
}

impl Error {
    /// A field that breaks `rule`.
    pub(crate) fn invalid(field: impl Into<String>, rule: impl ToString) -> Self {
        Self::Invalid { field: field.into(), rule: rule.to_string() }
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if transient(&error) { Self::Busy(error) } else { Self::Database(error) }
    }
}

impl From<IdempotencyError> for Error {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::KeyReused => Self::KeyReused,
            IdempotencyError::Unreadable => Self::Stored("answer"),
        }
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Self {
        Self::invalid(format!("service.{}", error.field), error.problem)
    }
}

impl From<PolicyError> for Error {
    fn from(error: PolicyError) -> Self {
        Self::invalid(format!("policy.{}", error.field), error.problem)
    }
}

impl From<CancelError> for Error {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::WrongState(wrong) => Self::WrongState(wrong),
            CancelError::TooLate(until) => Self::CancellationWindow(until),
        }
    }
}

impl From<RearrangeError> for Error {
    fn from(error: RearrangeError) -> Self {
        match error {
            RearrangeError::WrongState(wrong) => Self::WrongState(wrong),
            RearrangeError::Count => Self::invalid("employee_ids", error),
            RearrangeError::Lengths => Self::invalid("extra_minutes", error),
            RearrangeError::Requested(employee) => Self::Requested(employee),
        }
    }
}

impl From<PastVisitError> for Error {
    fn from(error: PastVisitError) -> Self {
        match error {
            PastVisitError::Place(error) => error.into(),
            PastVisitError::Cancel(error) => error.into(),
            PastVisitError::Step(error) => error.into(),
            PastVisitError::OutOfOrder => {
                Self::Invalid { field: "visits.steps".to_owned(), rule: error.to_string() }
            }
        }
    }
}

impl From<AbsenceError> for Error {
    fn from(error: AbsenceError) -> Self {
        match error {
            AbsenceError::Begins => Self::invalid("starts_at", error),
            AbsenceError::Ends => Self::invalid("ends_at", error),
            AbsenceError::NotWorking => Self::Refused(Refusal::NotWorking),
        }
    }
}

impl From<DelayError> for Error {
    fn from(error: DelayError) -> Self {
        match error {
            DelayError::Overrun(OverrunError::WrongState(wrong)) => Self::WrongState(wrong),
            DelayError::Overrun(OverrunError::TooLong) => Self::invalid("minutes", error),
            DelayError::VisitRequest(error) => error.into(),
            DelayError::Untimely(error) => Self::Untimely(error),
        }
    }
}

impl From<StepError> for Error {
    fn from(error: StepError) -> Self {
        match error {
            StepError::WrongState(wrong) => Self::WrongState(wrong),
            StepError::Untimely(error) => Self::Untimely(error),
        }
    }
}

impl From<SelectError> for Error {
    fn from(error: SelectError) -> Self {
        match error {
            SelectError::WrongState(closed) => Self::ProposalClosed(closed),
            SelectError::Unknown(line) | SelectError::Twice(line) | SelectError::Unplaced(line) => {
                Self::invalid(format!("line_ids[{line}]"), error)
            }
            SelectError::Applied(line) => Self::Line { line, why: LineError::WrongState },
        }
    }
}

impl From<series::ChangeError> for Error {
    fn from(error: series::ChangeError) -> Self {
        match error {
            series::ChangeError::Number(index) => Self::invalid(format!("changes[{index}].number"), error),
            series::ChangeError::Order(index) => Self::invalid(format!("changes[{index}].starts_at"), error),
            series::ChangeError::Nothing => Self::invalid("changes", error),
        }
    }
}

impl From<VisitRequestError> for Error {
    fn from(error: VisitRequestError) -> Self {
        match error {
            VisitRequestError::UnknownService(item) => Self::UnknownService(item),
            VisitRequestError::Length(item) => Self::Length(item),
            VisitRequestError::Refused(refusal) => Self::Refused(refusal),
        }
    }
}
