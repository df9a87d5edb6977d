//! What can go wrong, and how it is told.

use core::time::Duration;

use boot::causes;
use database::{IdempotencyError, transient};
use jiff::{SignedDuration, Timestamp};
use proto::error::{Reason, invalid, refuse, refuse_with, retry_later};
use sea_orm::DbErr;
use tonic::Status;

use crate::domain::{account::MemberRole, device_code};

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
    /// Tenancy, who owns the businesses, does not answer.
    #[error("businesses can't be looked up right now")]
    Tenancy(#[source] Status),
    /// No account has this e-mail and password; it doesn't say which is wrong.
    #[error("Wrong e-mail or password.")]
    WrongCredentials,
    /// Too many sign-ins failed.
    #[error("Too many failed sign-ins. Sign-in is blocked until {}.", told(*.until, *.now))]
    Blocked {
        /// When the block ends.
        until: Timestamp,
        /// The time of the refusal.
        now: Timestamp,
    },
    /// The mailed code is not this one, or no more.
    #[error("The code is wrong or has expired.")]
    WrongCode,
    /// Too many codes were asked for.
    #[error("Too many codes were asked for. Please try again later.")]
    TooManyCodes,
    /// An administrator would lock themselves out.
    #[error("You can't disable your own account.")]
    OwnAccount,
    /// The refresh token belongs to no live session.
    #[error("The session has ended.")]
    SessionOver,
    /// The one-time token is used, unknown or expired.
    #[error("This link has been used or has expired.")]
    TokenSpent,
    /// The address has an account that is proved: only its person joins by signing in.
    #[error("There is an account with this address already. Sign in, then open the link again.")]
    HasAccount,
    /// Another account has taken the address in the meantime.
    #[error("There is an account with this address already.")]
    EmailTaken,
    /// The invitation was sent to another address.
    #[error("This invitation was sent to another address than yours.")]
    NotInvited,
    /// The mailed link is about another account than the one signed in.
    #[error("This link belongs to another account than the one you are signed in to.")]
    WrongAccount,
    /// The address is not proved yet.
    #[error("Confirm your e-mail address first.")]
    EmailUnverified,
    /// There is nothing left to prove.
    #[error("Your e-mail address is confirmed already.")]
    EmailVerified,
    /// The person's role is not any more what the call was let in with.
    #[error("You may not do this here any more.")]
    RoleLost,
    /// The member has this role, and not the one that the change expects.
    #[error("Their role was changed since: it is {} now.", .0.as_str().to_lowercase())]
    RoleStale(MemberRole),
    /// The address has a member's account.
    #[error("There is a member with this address already.")]
    AlreadyMember,
    /// The business would be left without an owner.
    #[error("A business needs an owner: make another member an owner first.")]
    LastOwner,
    /// Too many mails were asked for.
    #[error("Too many e-mails were asked for. Please try again later.")]
    TooManyMails {
        /// How long until more may be asked for.
        wait: SignedDuration,
    },
    /// Too many passwords wait for their turn.
    #[error("Too many people sign in at this moment. Please try again.")]
    TooManyHashes,
    /// The provider did not vouch for the person; why is for developers.
    #[error("Google could not confirm who you are. Please try again.")]
    ProviderRefused(&'static str),
    /// The provider has not verified the person's e-mail.
    #[error("Your e-mail address is not verified at Google.")]
    ProviderEmailUnverified,
    /// The provider can't be reached, or is not who it should be.
    #[error("Google can't be reached at this moment. Please try again.")]
    ProviderUnreachable(String),
    /// There is no provider.
    #[error("Sign-in with Google is not set up here.")]
    NoProvider,
    /// The flow with the provider is over, unknown, or another browser's.
    #[error("This sign-in has been used or has expired. Please start again.")]
    FlowOver,
    /// The provider's e-mail belongs to an account that proved it.
    #[error(
        "You have an account with this e-mail address already. Sign in with your password, then connect \
         Google in your account."
    )]
    AccountExists,
    /// The account is shut out.
    #[error("This account is disabled.")]
    Disabled,
    /// The identity is connected to another account.
    #[error("This Google account is connected to another person's account.")]
    IdentityTaken,
    /// The person could not sign in any more.
    #[error("This is your only way to sign in. Set a password first.")]
    LastWayIn,
    /// The idempotency key was used with another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// No such record.
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
    Hash,
}

impl Error {
    /// A field that breaks `rule`.
    pub(crate) fn invalid(field: &'static str, rule: impl ToString) -> Self {
        Self::Invalid { field, rule: rule.to_string() }
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

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let soon = Duration::from_secs(1);
        match &error {
            Error::Invalid { field, rule } => invalid(field, rule),
            Error::WrongCredentials => refuse(Reason::WrongCredentials, message),
            Error::Blocked { until, now } => {
                let wait = until.duration_since(*now).try_into().unwrap_or(soon);
                retry_later(Reason::Blocked, message, wait)
            }
            Error::WrongCode => refuse(Reason::WrongCode, message),
            Error::TooManyCodes => {
                retry_later(Reason::RateLimited, message, device_code::ASKED_WITHIN.unsigned_abs())
            }
            Error::OwnAccount => refuse(Reason::LastOne, message),
            Error::SessionOver => refuse(Reason::Unauthenticated, message),
            Error::TokenSpent => refuse(Reason::TokenSpent, message),
            Error::HasAccount => refuse(Reason::AccountExists, message),
            Error::EmailTaken | Error::AlreadyMember => refuse(Reason::AlreadyExists, message),
            Error::NotInvited | Error::EmailUnverified | Error::EmailVerified => {
                refuse(Reason::WrongState, message)
            }
            Error::WrongAccount => refuse(Reason::WrongAccount, message),
            Error::RoleLost => refuse(Reason::RoleTooLow, message),
            Error::RoleStale(role) => refuse_with(Reason::Stale, message, "role", role.as_str()),
            Error::LastOwner => refuse(Reason::LastOne, message),
            Error::TooManyMails { wait } => retry_later(Reason::RateLimited, message, wait.unsigned_abs()),
            Error::TooManyHashes => retry_later(Reason::Busy, message, soon),
            Error::ProviderRefused(why) => {
                tracing::warn!(why, "the provider did not vouch for a person");
                refuse(Reason::ProviderRefused, message)
            }
            Error::ProviderEmailUnverified => refuse(Reason::ProviderRefused, message),
            Error::ProviderUnreachable(why) => {
                tracing::warn!(why, "the provider can't be reached");
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::Disabled => refuse(Reason::WrongCredentials, message),
            Error::FlowOver => refuse(Reason::TokenSpent, message),
            Error::AccountExists => refuse(Reason::AccountExists, message),
            Error::IdentityTaken => refuse(Reason::AlreadyExists, message),
            Error::LastWayIn => refuse(Reason::LastOne, message),
            Error::NoProvider => refuse(Reason::NotFound, message),
            Error::NotFound(_) => refuse(Reason::NotFound, message),
            Error::KeyReused => refuse(Reason::IdempotencyKeyReused, message),
            Error::Tenancy(source) => {
                tracing::warn!(error = %source, "tenancy did not say whether a business exists");
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::IdTaken => refuse(Reason::AlreadyExists, message),
            Error::Busy(source) => {
                tracing::warn!(error = %source, "the database is busy");
                retry_later(Reason::Unavailable, message, soon)
            }
            Error::Database(_) | Error::Stored(_) | Error::Sign(_) | Error::Hash => {
                tracing::error!(error = causes::line(&error), "a request failed");
                refuse(Reason::Internal, "an internal error")
            }
        }
    }
}

/// "14:05 UTC, in 60 minutes": the reader may live in another time zone.
fn told(until: Timestamp, now: Timestamp) -> String {
    let minutes = (until.duration_since(now).as_secs().max(1) + 59) / 60;
    let s = if minutes == 1 { "" } else { "s" };
    format!("{} UTC, in {minutes} minute{s}", until.strftime("%H:%M"))
}
