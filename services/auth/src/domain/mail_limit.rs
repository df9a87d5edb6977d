//! How many mails may be asked for, so that nobody's letter box is filled through us.

use core::net::IpAddr;

use caller::UserId;
use jiff::SignedDuration;

use super::email::Email;

/// What is counted begins anew after this long.
pub const WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// Something that mails are counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted<'a> {
    /// The letter box, whether an account has the address or not.
    To(&'a Email),
    /// The network that asks; a salon shares one.
    From(IpAddr),
    /// The person who asks.
    By(UserId),
}

impl Counted<'_> {
    /// How many there may be within [`WINDOW`].
    #[must_use]
    pub const fn most(&self) -> i32 {
        match self {
            Self::To(_) => 5,
            Self::From(_) => 100,
            Self::By(_) => 50,
        }
    }

    /// Its name among the counted.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::To(email) => format!("to {}", email.as_str()),
            Self::From(network) => format!("from {network}"),
            Self::By(person) => format!("by {person}"),
        }
    }
}
