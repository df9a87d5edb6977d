//! What can go wrong, and how it reads on the wire.

use database::{IdempotencyError, transient};
use jiff::SignedDuration;
use proto::error::{Reason, invalid, refuse, refuse_field, retry_later};
use sea_orm::DbErr;
use sealing::envelope::SealError;
use tonic::Status;

use crate::domain::{
    caldav::AccountFault, calendar_cell::CellFault, ics::AddressFault, provider::ProviderError,
};

const SOON: core::time::Duration = core::time::Duration::from_secs(1);

/// Why a call to this service came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not there, or another business's.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The id names another calendar already.
    #[error("the id is another calendar's")]
    CalendarExists,
    /// The idempotency key was used with another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// `employee_id` names no employee of the business.
    #[error("employee_id names no employee of this business")]
    UnknownEmployee,
    /// An employee wants to see, or to change, what is in a colleague's calendar.
    #[error("only a manager sees and changes the events of someone else's calendar")]
    NotOwnCalendar,
    /// Below OWNER people connect calendars to themselves alone.
    #[error("only an owner connects a calendar for someone else")]
    NotOwnEmployee,
    /// The decision answers no question that this person was asked within the last minutes.
    #[error("this consent was not asked for, or its time is over: begin again")]
    ConsentNotAsked,
    /// Calendars of this kind are connected with a password or by their address.
    #[error("calendars of this kind are connected without consent")]
    NoConsent,
    /// This installation has no client at Google.
    #[error("Google Calendar is not configured in this installation")]
    NoGoogle,
    /// The demo calendar is simulated, and production has none.
    #[error("production has no simulated calendar")]
    NoDemo,
    /// Google gives no tokens for the answer.
    #[error("Google does not honour this answer: begin again")]
    ConsentRefused,
    /// The person allowed only a part of the access that Frontdesk needs.
    #[error("not all that Frontdesk needs was allowed")]
    ConsentIncomplete,
    /// The person has not given their consent, or Google honours it no more.
    #[error("access to the account at Google has to be allowed again")]
    GoogleConsentMissing,
    /// The account at Google has no such calendar, or may only read it.
    #[error("the account has no such calendar that it may write to")]
    NoGoogleCalendar,
    /// Google did not answer as it should.
    #[error("{0}")]
    Google(String),
    /// The account at Google has used up its calls.
    #[error("Google asks to come back later")]
    GoogleLater(SignedDuration),
    /// The business has this calendar already.
    #[error("this calendar is connected already")]
    Connected,
    /// An account on a CalDAV server can't be used.
    #[error(transparent)]
    Account(#[from] AccountFault),
    /// A published calendar can't be read.
    #[error(transparent)]
    Address(#[from] AddressFault),
    /// The employee has as many published calendars as anyone may have.
    #[error("the employee has 10 published calendars already")]
    TooManyAddresses,
    /// A cell of a table names no calendar.
    #[error(transparent)]
    Cell(#[from] CellFault),
    /// A stored secret can't be opened.
    #[error("a secret can't be opened")]
    Seal(#[from] SealError),
    /// This installation reaches no such booking system.
    #[error("this installation reaches no such booking system")]
    NoProvider,
    /// A setting of a booking system is wrong.
    #[error("the setting {key} {fault}")]
    Setting {
        /// Which.
        key: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A booking system did not answer as it should.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The employee or service is another record's.
    #[error("it is mapped already: map that to none first")]
    Mapped,
    /// The employee's appointments are still being let go of.
    #[error("the employee is still being let go of: try again in a moment")]
    LettingGo,
    /// Appointments are still taken out of the calendar.
    #[error(
        "it is being disconnected, and appointments are still taken out of it: wait until that is done, or disconnect it now and leave them"
    )]
    StillEnding,
    /// The consent that the calendar is used by is being withdrawn.
    #[error("access to its account at Google is being withdrawn: its person has to allow it again first")]
    Withdrawn,
    /// Appointments can't be taken out of calendars at Google, which honours the consent no more.
    #[error("appointments can only be taken out once access to the account at Google is allowed again")]
    NothingToTakeOutBy,
    /// A run of the connection is under way.
    #[error("the booking system is being read already: wait until that run ends")]
    Running,
    /// `mapped_id` names no service of the business.
    #[error("mapped_id names no service of this business")]
    UnknownService,
    /// Tenancy, who owns employees, does not answer.
    #[error("employees can't be looked up right now")]
    Tenancy(#[source] Box<Status>),
    /// Scheduling, who owns the book, does not answer.
    #[error("the book can't be read right now")]
    Book(#[source] Box<Status>),
    /// A row that this version can't read.
    #[error("{table} {id} can't be read")]
    Unreadable {
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
    },
    /// The database refused or could not be reached.
    #[error("the database failed")]
    Database(#[from] DbErr),
}

impl From<IdempotencyError> for Error {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::KeyReused => Self::KeyReused,
            IdempotencyError::Unreadable => {
                Self::Unreadable { table: "idempotency_key", id: "of this request".to_owned() }
            }
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(_) => refuse(Reason::NotFound, error.to_string()),
            Error::KeyReused => refuse(Reason::IdempotencyKeyReused, error.to_string()),
            Error::UnknownEmployee => invalid("employee_id", "names no employee of this business"),
            Error::NotOwnCalendar | Error::NotOwnEmployee => refuse(Reason::RoleTooLow, error.to_string()),
            Error::ConsentNotAsked => invalid("state", "is not open: begin again"),
            Error::Tenancy(ref source) => {
                tracing::warn!(error = %source, "tenancy did not say who belongs to a business");
                retry_later(Reason::Unavailable, error.to_string(), SOON)
            }
            Error::Book(ref source) => {
                tracing::warn!(error = %source, "scheduling did not say what is booked");
                retry_later(Reason::Unavailable, error.to_string(), SOON)
            }
            Error::CalendarExists | Error::Connected => refuse(Reason::AlreadyExists, error.to_string()),
            Error::NoGoogle => invalid("kind", "is not configured in this installation"),
            Error::NoDemo => invalid("kind", "is simulated, which production does not have"),
            Error::ConsentRefused => invalid("code", "is not honoured by Google: begin again"),
            Error::ConsentIncomplete => invalid("scope", "is not all that Frontdesk needs"),
            Error::GoogleConsentMissing => {
                invalid("external_id", "is of an account that has to be allowed again")
            }
            Error::NoGoogleCalendar => {
                invalid("external_id", "names no calendar that the account may write to")
            }
            Error::GoogleLater(wait) => {
                let wait = core::time::Duration::try_from(wait).unwrap_or(SOON);
                retry_later(Reason::RateLimited, error.to_string(), wait.max(SOON))
            }
            Error::Google(ref fault) => retry_later(Reason::Unavailable, fault.clone(), SOON),
            Error::NoConsent => invalid("kind", "is connected without consent"),
            Error::Account(fault) => account(&fault),
            Error::Address(AddressFault::Unreachable(reason)) => {
                retry_later(Reason::Unavailable, format!("the calendar's server: {reason}"), SOON)
            }
            Error::Address(AddressFault::Later(wait)) => {
                let wait = core::time::Duration::try_from(wait).unwrap_or(SOON).max(SOON);
                retry_later(Reason::Unavailable, format!("the calendar's server: {error}"), wait)
            }
            Error::Address(ref fault) => refuse_field(Reason::InvalidField, "address", &fault.to_string()),
            Error::Cell(fault) => invalid("calendar", &fault.to_string()),
            Error::TooManyAddresses => {
                invalid("employee_id", "has 10 published calendars already: disconnect one of them first")
            }
            Error::NoProvider => invalid("kind", "is not reached from this installation"),
            Error::Setting { ref key, ref fault } => invalid(&format!("settings.{key}"), fault),
            Error::Provider(ProviderError::Token) => invalid("token", "is refused by the booking system"),
            Error::Provider(ProviderError::Later(wait)) => {
                let wait = core::time::Duration::try_from(wait).unwrap_or(SOON);
                retry_later(Reason::RateLimited, error.to_string(), wait.max(SOON))
            }
            Error::Provider(ref fault) => retry_later(Reason::Unavailable, fault.to_string(), SOON),
            Error::NothingToTakeOutBy => {
                invalid("take_out", "needs access to the account at Google, which has to be allowed again")
            }
            Error::Mapped | Error::Running | Error::StillEnding | Error::Withdrawn => {
                refuse(Reason::InUse, error.to_string())
            }
            Error::LettingGo => retry_later(Reason::Busy, error.to_string(), SOON),
            Error::UnknownService => invalid("mapped_id", "names no service of this business"),
            Error::Database(error) if transient(&error) => {
                tracing::warn!(%error, "the database could not serve a call");
                refuse(Reason::Unavailable, "the database is busy")
            }
            Error::Database(error) => {
                tracing::error!(%error, "a call failed");
                refuse(Reason::Internal, "an unexpected fault")
            }
            Error::Unreadable { .. } | Error::Seal(_) => {
                tracing::error!(%error, "a call failed");
                refuse(Reason::Internal, "an unexpected fault")
            }
        }
    }
}

/// By the field that a person would change.
fn account(fault: &AccountFault) -> Status {
    let field = match fault {
        AccountFault::Unreachable(_) => {
            return retry_later(Reason::Unavailable, format!("the calendar's server: {fault}"), SOON);
        }
        AccountFault::Server(_) | AccountFault::NoCaldav => "account.server",
        AccountFault::Credentials => "account.password",
        AccountFault::NoCalendar | AccountFault::ReadOnly => "url",
    };
    // Its words are a sentence of their own.
    refuse_field(Reason::InvalidField, field, &fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_an_account_or_an_address_can_not_be_read_is_a_sentence_of_its_own() {
        let faults: [(Error, &str); 2] = [
            (
                AddressFault::Withdrawn.into(),
                "address: the calendar was withdrawn from this address for good",
            ),
            (AccountFault::NoCaldav.into(), "account.server: there is no CalDAV server at this address"),
        ];
        for (fault, message) in faults {
            let refused = Status::from(fault);
            assert_eq!(proto::error::reason_of(&refused), Some(Reason::InvalidField));
            assert_eq!(refused.message(), message);
        }
    }
}
