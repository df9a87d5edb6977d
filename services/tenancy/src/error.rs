//! What can go wrong, and how it is told.

use boot::causes;
use database::{IdempotencyError, transient};
use proto::error::{
    FieldFault, Reason, invalid, invalid_fields, refuse, refuse_field, refuse_with, retry_later,
};
use sea_orm::DbErr;
use sealing::envelope::SealError;
use tonic::Status;

use crate::domain::{
    HasAccount, ItemWithoutCurrency, Lasting, NameTaken, NoCurrency, NotForSale, NotUndone, PhoneError,
    PublicationFault, Stale, TooManyChats, TooManyImports, VoicePlatform, WrongImportState,
};
use crate::lines::table::TableFault;

/// An outcome other than the wanted one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is none in the caller's business.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// A field names a record that the business doesn't have.
    #[error("{0} names no {1} of this business")]
    Unknown(&'static str, &'static str),
    /// A telephone number is none where the business is.
    #[error(transparent)]
    Phone(#[from] PhoneError),
    /// Something the installation or the business may have once is there already.
    #[error("{0}")]
    Taken(&'static str),
    /// An employee signs in with another account.
    #[error(transparent)]
    HasAccount(#[from] HasAccount),
    /// Another employee goes by a name.
    #[error("name: {0}")]
    NameTaken(#[from] NameTaken),
    /// A field has what only one record may have, and another one has it.
    #[error("{0}: {1}")]
    TakenField(&'static str, &'static str),
    /// Other records need it.
    #[error("{0}")]
    InUse(&'static str),
    /// An amount of a business without a currency.
    #[error(transparent)]
    NoCurrency(#[from] NoCurrency),
    /// What a delivery cost, of an item that is in no currency.
    #[error(transparent)]
    ItemWithoutCurrency(#[from] ItemWithoutCurrency),
    /// An item is not sold.
    #[error(transparent)]
    NotForSale(#[from] NotForSale),
    /// A movement of stock stays.
    #[error(transparent)]
    NotUndone(#[from] NotUndone),
    /// An item was counted after the stock-take that is to be undone.
    #[error("{0} was counted again since: undo that count first")]
    CountedSince(String),
    /// The stock of an item is not what was seen.
    #[error("the stock of {0} was changed meanwhile: count it again")]
    Moved(String),
    /// An import does not go where it is sent.
    #[error(transparent)]
    WrongImportState(#[from] WrongImportState),
    /// A text is no table of its kind.
    #[error(transparent)]
    Table(#[from] TableFault),
    /// Fields of a request can't be as they are.
    #[error("fields of the request can't be as they are")]
    Fields(Vec<FieldFault>),
    /// Some of a table's text was not sent.
    #[error("some of the text was not sent")]
    MissingPart,
    /// A platform whose API takes the secret has no key of its own.
    #[error("must be empty: this platform's API takes the secret")]
    OneKey,
    /// A voice is not written as its platform names voices.
    #[error("{}", .0.voices())]
    Voice(VoicePlatform),
    /// Nothing is published over a connection.
    #[error("{0}")]
    NotPublished(&'static str),
    /// A platform does not tell its calls.
    #[error("the platform does not tell its calls: {}", words(.0))]
    NoCalls(PublicationFault),
    /// A platform does not tell one of its calls, and never will.
    #[error("the platform does not tell this call: {}", words(.0))]
    UntoldCall(PublicationFault),
    /// A platform tells more of a call than is taken in.
    #[error("the platform tells too much of this call")]
    LongCall,
    /// A platform does not tell one of its calls now.
    #[error("the platform does not tell this call now: {}", words(.0))]
    CallAway(PublicationFault),
    /// A call that a platform did not tell is asked for again later.
    #[error("the platform did not tell this call, and is asked again from {0} on")]
    CallRests(jiff::Timestamp),
    /// Calls over a connection can't be put through to a person.
    #[error("calls over this connection can't be put through")]
    NoTransfer,
    /// A platform did not put a call through.
    #[error("the platform did not put the call through: {}", words(.0))]
    NotTransferred(PublicationFault),
    /// A platform's API has no recordings of a connection.
    #[error("recordings of this connection are not fetched from the platform's API")]
    NoRecordings,
    /// A check was replaced by a later one.
    #[error("calls are looked for anew")]
    CheckOver,
    /// The record was changed since it was seen.
    #[error(transparent)]
    Stale(#[from] Stale),
    /// A record is not what the change that is taken back left.
    #[error("the {0} was changed again since")]
    ChangedSince(&'static str),
    /// The customer is part of another one.
    #[error("this customer was merged into another one")]
    Merged,
    /// The person was erased.
    #[error("this customer was erased")]
    Erased,
    /// A merge can't be undone any more.
    #[error(transparent)]
    Lasting(#[from] Lasting),
    /// A person started as many chats as they may.
    #[error(transparent)]
    TooManyChats(#[from] TooManyChats),
    /// A business began as many imports as it may.
    #[error(transparent)]
    TooManyImports(#[from] TooManyImports),
    /// The idempotency key was used with another request.
    #[error("the Idempotency-Key was used with another request")]
    KeyReused,
    /// The database can't be reached or has no connection to spare.
    #[error("the database is busy")]
    Busy(#[source] DbErr),
    /// A stored row is not what this version writes.
    #[error("a stored {0} can't be read")]
    Stored(&'static str, #[source] Box<dyn core::error::Error + Send + Sync>),
    /// A sealed value doesn't open.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// Any other failure of the database.
    #[error("the database failed")]
    Database(#[source] DbErr),
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
            IdempotencyError::Unreadable => Self::Stored("answer", Box::new(error)),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match &error {
            Error::Unknown(field, record) => invalid(field, &format!("names no {record} of this business")),
            Error::Phone(fault) => invalid("phone", &fault.to_string()),
            Error::OneKey => invalid("api_key", &error.to_string()),
            Error::Voice(_) => invalid("voice", &error.to_string()),
            Error::UntoldCall(_) => invalid("platform_call_id", &error.to_string()),
            Error::LongCall => refuse(Reason::TooLarge, error.to_string()),
            Error::CallRests(next) => refuse_with(Reason::NotYet, error.to_string(), "from", next),
            Error::CallAway(_)
            | Error::NotTransferred(PublicationFault::Busy(_) | PublicationFault::Unreachable(_)) => {
                refuse(Reason::Unavailable, error.to_string())
            }
            Error::NotPublished(_)
            | Error::NoCalls(_)
            | Error::CheckOver
            | Error::NoTransfer
            | Error::NotTransferred(_)
            | Error::NoRecordings => refuse(Reason::WrongState, error.to_string()),
            Error::NotFound(_) => refuse(Reason::NotFound, error.to_string()),
            Error::Taken(_) | Error::HasAccount(_) => refuse(Reason::AlreadyExists, error.to_string()),
            Error::NameTaken(fault) => refuse_field(Reason::AlreadyExists, "name", &fault.to_string()),
            Error::TakenField(field, fault) => refuse_field(Reason::AlreadyExists, field, fault),
            Error::InUse(_) => refuse(Reason::InUse, error.to_string()),
            Error::NoCurrency(fault @ NoCurrency::Price) => {
                invalid("details.price_minor", &fault.to_string())
            }
            Error::NoCurrency(fault @ NoCurrency::Cost) => invalid("details.cost_minor", &fault.to_string()),
            Error::ItemWithoutCurrency(fault) => invalid("unit_cost_minor", &fault.to_string()),
            Error::NotForSale(fault) => invalid("kind", &fault.to_string()),
            Error::NotUndone(NotUndone::NotOwn) => refuse(Reason::RoleTooLow, error.to_string()),
            Error::NotUndone(_) | Error::CountedSince(_) => refuse(Reason::WrongState, error.to_string()),
            Error::WrongImportState(_) => refuse(Reason::WrongState, error.to_string()),
            Error::Table(fault) => invalid("text", &fault.to_string()),
            Error::Fields(faults) => invalid_fields(faults),
            Error::MissingPart => invalid("part_count", "is more than what was sent"),
            Error::Moved(_) | Error::ChangedSince(_) => refuse(Reason::Stale, error.to_string()),
            Error::Stale(Stale(version)) => refuse_with(Reason::Stale, error.to_string(), "version", version),
            Error::Merged | Error::Erased | Error::Lasting(_) => {
                refuse(Reason::WrongState, error.to_string())
            }
            Error::TooManyChats(TooManyChats { wait }) | Error::TooManyImports(TooManyImports { wait }) => {
                retry_later(Reason::RateLimited, error.to_string(), wait.unsigned_abs())
            }
            Error::KeyReused => refuse(Reason::IdempotencyKeyReused, error.to_string()),
            Error::Busy(source) => {
                tracing::warn!(error = %source, "the database is busy");
                retry_later(Reason::Unavailable, error.to_string(), core::time::Duration::from_secs(1))
            }
            Error::Stored(..) | Error::Seal(_) | Error::Database(_) => {
                tracing::error!(error = causes::line(&error), "a request failed");
                refuse(Reason::Internal, "an internal error")
            }
        }
    }
}

/// What a fault says on the wire: a platform's own words may be long, and of any characters.
fn words(fault: &PublicationFault) -> String {
    match fault {
        PublicationFault::Kind(_) | PublicationFault::Refused(_) | PublicationFault::Unreachable(_) => {
            fault.detail()
        }
        PublicationFault::ApiKey | PublicationFault::Agent | PublicationFault::Busy(_) => fault.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platforms_words_are_cut_and_have_no_control_characters() {
        let said = format!("no\r\n{}", "x".repeat(64 << 10));
        let status = Status::from(Error::NotTransferred(PublicationFault::Refused(said)));
        let cut = format!("the platform did not put the call through: no{}", "x".repeat(298));
        assert_eq!(status.message(), cut);
        let status = Status::from(Error::NotTransferred(PublicationFault::ApiKey));
        assert!(status.message().ends_with(": the platform does not take the API key"));
    }
}
