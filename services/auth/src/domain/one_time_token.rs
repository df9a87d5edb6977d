//! Tokens that set a password once. Only their hash is kept.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use sha2::{Digest, Sha256};

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
