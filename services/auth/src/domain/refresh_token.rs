//! Refresh tokens as text: `family.generation.MAC`.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use caller::SessionId;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::{purpose::mac_for, refresh::Generation};

/// Keeps this MAC apart from any other made with the same key.
const PURPOSE: &[u8] = b"frontdesk refresh token\0";

/// The key that only the makers of refresh tokens hold.
#[derive(Clone)]
pub struct SessionKey(Hmac<Sha256>);

/// A refresh token whose MAC was right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// The family, which is the session.
    pub session: SessionId,
    /// Its place in the family.
    pub generation: Generation,
}

impl SessionKey {
    /// A key of 32 random bytes.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(mac_for(PURPOSE, key))
    }

    /// The token as its browser keeps it.
    #[must_use]
    pub fn write(&self, token: RefreshToken) -> String {
        let body = format!("{}.{}", token.session, token.generation.0);
        let mac = self.0.clone().chain_update(&body).finalize().into_bytes();
        format!("{body}.{}", B64.encode(mac))
    }

    /// Reads a presented token; `None` unless this key wrote exactly these characters.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<RefreshToken> {
        let (body, mac) = text.rsplit_once('.')?;
        let mac = B64.decode(mac).ok()?;
        // Over the presented characters, so that no other spelling of a number passes.
        self.0.clone().chain_update(body).verify_slice(&mac).ok()?;
        let (session, generation) = body.split_once('.')?;
        Some(RefreshToken {
            session: session.parse().ok()?,
            generation: Generation(generation.parse().ok()?),
        })
    }
}

impl core::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn token(generation: u32) -> RefreshToken {
        let session = SessionId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001));
        RefreshToken { session, generation: Generation(generation) }
    }

    #[test]
    fn a_token_names_family_and_generation() {
        let text = SessionKey::new(&[1; 32]).write(token(7));
        assert!(text.starts_with("01900000-0000-7000-8000-000000000001.7."), "{text}");
    }

    #[test]
    fn a_token_of_another_key_is_none() {
        let text = SessionKey::new(&[1; 32]).write(token(7));
        assert_eq!(SessionKey::new(&[2; 32]).read(&text), None);
    }

    proptest! {
        #[test]
        fn a_token_is_read_as_written_and_any_other_text_is_none(
            generation: u32, place in 0_usize..90, other in "[0-9a-zA-Z._-]",
        ) {
            let key = SessionKey::new(&[1; 32]);
            let text = key.write(token(generation));
            prop_assert_eq!(key.read(&text), Some(token(generation)));
            let place = place.min(text.len() - 1);
            let mut forged = text.clone();
            forged.replace_range(place..=place, &other);
            prop_assert_eq!(key.read(&forged).is_some(), forged == text);
        }
    }
}
