//! What can go wrong, and how it reads on the wire.

use core::convert::Infallible;

use core::time::Duration;

use database::{IdempotencyError, transient};
use proto::error::{Reason, invalid, refuse, retry_later};
use sea_orm::DbErr;
use tonic::Status;

use crate::recordings::ShelfError;

/// Why a call to this service came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not there, or another business's.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The first delivery of the tool call is still being worked on.
    #[error("the tool call is still running")]
    StillRunning(Duration),
    /// As many as one may have are there.
    #[error("there are too many {0}: delete one first")]
    TooMany(&'static str),
    /// It is another person's.
    #[error("it was written by someone else: a manager can delete it")]
    OfAnother,
    /// The idempotency key was used with another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The event key was used for something else.
    #[error("was used for another delivery")]
    EventKeyTaken,
    /// The store of recordings can't be reached.
    #[error(transparent)]
    Recordings(ShelfError),
    /// A recording is kept in a store that is no longer configured.
    #[error("a recording is kept where it can't be reached: RECORDINGS_URL is missing")]
    RecordingsOutOfReach,
    /// A row that this version can't read.
    #[error("{table} {id} can't be read")]
    Unreadable {
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
    },
    /// The database refused or could not be reached.
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
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
            Error::StillRunning(left) => retry_later(Reason::Busy, error.to_string(), left),
            Error::TooMany(_) => refuse(Reason::WrongState, error.to_string()),
            Error::OfAnother => refuse(Reason::RoleTooLow, error.to_string()),
            Error::KeyReused => refuse(Reason::IdempotencyKeyReused, error.to_string()),
            Error::EventKeyTaken => invalid("delivery.event_key", &error.to_string()),
            Error::Database(error) if transient(&error) => {
                tracing::warn!(%error, "the database could not serve a call");
                refuse(Reason::Unavailable, "the database is busy")
            }
            Error::RecordingsOutOfReach => {
                tracing::error!(%error, "a recording could not be deleted");
                refuse(Reason::Unavailable, "recordings can't be deleted now")
            }
            Error::Recordings(error) => {
                tracing::warn!(%error, "a recording could not be deleted");
                refuse(Reason::Unavailable, "recordings can't be deleted now")
            }
            Error::Unreadable { .. } | Error::Database(_) => {
                tracing::error!(%error, "a call failed");
                refuse(Reason::Internal, "an unexpected fault")
            }
        }
    }
}
