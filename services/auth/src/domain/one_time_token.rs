//! Tokens that work once: they set a password, prove an address, join a business. Only their
//! hash is kept.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::SignedDuration;
use sha2::{Digest, Sha256};

/// How long a link works that an operator hands over.
pub const LIFE: SignedDuration = SignedDuration::from_hours(1);

/// How long a mailed link sets a password.
pub const RESET_LIFE: SignedDuration = SignedDuration::from_mins(10);
/// How long a mailed link proves an address.
pub const EMAIL_LIFE: SignedDuration = SignedDuration::from_hours(24);
/// How long an invitation can be accepted.
pub const INVITATION_LIFE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A token as its person holds it.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeToken(String);

/// What is kept of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneTimeTokenHash(pub [u8; 32]);

impl OneTimeToken {
    /// A token made of random bytes.
    #[must_use]
    pub fn new(random: [u8; 32]) -> Self {
        Self(B64.encode(random))
    }

    /// The token, for its link.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What to keep of it.
    #[must_use]
    pub fn hash(&self) -> OneTimeTokenHash {
        OneTimeTokenHash::of(&self.0)
    }
}

impl OneTimeTokenHash {
    /// Hash of a presented token. The token has 256 random bits, so it needs no slow hash.
    #[must_use]
    pub fn of(presented: &str) -> Self {
        Self(Sha256::digest(presented).into())
    }
}

impl core::fmt::Debug for OneTimeToken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("OneTimeToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presented_token_is_found_by_its_hash_alone() {
        let token = OneTimeToken::new([7; 32]);
        assert_eq!(OneTimeTokenHash::of(token.expose()), token.hash());
        assert_ne!(OneTimeTokenHash::of("another"), token.hash());
        assert_eq!(format!("{token:?}"), "OneTimeToken(…)");
    }
}
