//! What can go wrong, and how it is told.

use core::time::Duration;

use boot::postgres::busy;
use proto::error::{Reason, invalid, refuse, retry_later};
use sea_orm::DbErr;
use tonic::Status;

/// An outcome other than the wanted one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field breaks a rule.
    #[error("{field} {rule}")]
    Invalid {
        /// Its name in the contract.
        field: &'static str,
        /// What it breaks; continues the sentence the field's name begins.
        rule: String,
    },
    /// No account has this e-mail and password; it doesn't say which is wrong.
    #[error("Wrong e-mail or password.")]
    WrongCredentials,
    /// No session goes on with this refresh token.
    #[error("The session has ended.")]
    SessionOver,
    /// The one-time token is used, unknown or expired.
    #[error("This link has been used or has expired.")]
    TokenSpent,
    /// Too many passwords wait for their turn.
    #[error("Too many people sign in at this moment. Please try again.")]
    TooManyHashes,
    /// There is none.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The id belongs to another account.
    #[error("the id belongs to another account")]
    IdTaken,
    /// The database can't be reached or has no connection to spare.
    #[error("the database is busy")]
    Busy(#[source] DbErr),
    /// Any other failure of the database.
    #[error("the database failed")]
    Database(#[source] DbErr),
    /// A stored row is not what this version writes.
    #[error("a stored {0} can't be read")]
    Stored(&'static str),
    /// A token could not be signed.
    #[error("signing failed")]
    Sign(#[from] jsonwebtoken::errors::Error),
    /// Hashing a password did not come to an end.
    #[error("hashing failed")]
    Hash(#[source] tokio::task::JoinError),
}

impl Error {
    /// A field that breaks `rule`.
    pub(crate) fn invalid(field: &'static str, rule: impl ToString) -> Self {
        Self::Invalid { field, rule: rule.to_string() }
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if busy(&error) { Self::Busy(error) } else { Self::Database(error) }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let soon = Duration::from_secs(1);
        match &error {
            Error::Invalid { field, rule } => invalid(field, rule),
            Error::WrongCredentials => refuse(Reason::WrongCredentials, message),
            Error::SessionOver => refuse(Reason::Unauthenticated, message),
            Error::TokenSpent => refuse(Reason::TokenSpent, message),
            Error::TooManyHashes => retry_later(Reason::Busy, message, soon),
            Error::NotFound(_) => refuse(Reason::NotFound, message),
            Error::IdTaken => refuse(Reason::AlreadyExists, message),
            Error::Busy(source) => {
                tracing::warn!(error = %source, "the database is busy");
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::Database(_) | Error::Stored(_) | Error::Sign(_) | Error::Hash(_) => {
                tracing::error!(error = chain(&error), "a request failed");
                refuse(Reason::Internal, "an internal error")
            }
        }
    }
}

fn chain(error: &Error) -> String {
    let causes = core::iter::successors(Some(error as &dyn core::error::Error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
