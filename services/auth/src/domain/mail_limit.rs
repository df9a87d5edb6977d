//! Limits on the mails that may be requested, so that our mails can't flood an address, and early
//! requests by a stranger can't keep a person's own mail from being sent.
//!
//! Requests with and without a session are counted separately.

use core::net::IpAddr;

use caller::UserId;
use jiff::SignedDuration;

use super::email::Email;

/// What is counted begins anew after this long.
pub const WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// Something that mails are counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted<'a> {
    /// The network that asks; a salon shares one.
    From(IpAddr),
    /// A network, known or not, and the letter box it asks for.
    FromTo(Option<IpAddr>, &'a Email),
    /// The letter box that strangers ask for from wherever they are, whether an account has the
    /// address or not.
    ByStrangersTo(&'a Email),
    /// The person who asks.
    By(UserId),
    /// The person in whose name a list of people is written to.
    InBulkBy(UserId),
    /// A person and the letter box they ask for, their own or another.
    ByTo(UserId, &'a Email),
    /// A letter box that people ask for and that is not theirs yet.
    ByPeopleTo(&'a Email),
}

impl Counted<'_> {
    /// How many there may be within [`WINDOW`].
    #[must_use]
    pub const fn most(&self) -> i32 {
        match self {
            Self::FromTo(..) | Self::ByTo(..) => 5,
            Self::ByStrangersTo(_) | Self::ByPeopleTo(_) => 20,
            Self::By(_) => 50,
            Self::From(_) => 100,
            // The longest list.
            Self::InBulkBy(_) => 500,
        }
    }

    /// Its name among the counted.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::From(network) => format!("from {network}"),
            Self::FromTo(Some(network), email) => format!("from {network} to {}", email.as_str()),
            Self::FromTo(None, email) => format!("from nowhere to {}", email.as_str()),
            Self::ByStrangersTo(email) => format!("by strangers to {}", email.as_str()),
            Self::By(person) => format!("by {person}"),
            Self::InBulkBy(person) => format!("in bulk by {person}"),
            Self::ByTo(person, email) => format!("by {person} to {}", email.as_str()),
            Self::ByPeopleTo(email) => format!("by people to {}", email.as_str()),
        }
    }
}
