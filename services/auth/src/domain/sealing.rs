//! Sealing what is secret at rest.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

const NONCE: usize = 24;

/// The key that opens sealed secrets.
#[derive(Clone)]
pub struct SealingKey(XChaCha20Poly1305);

/// Sealed with another key or under another name, or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the secret can't be opened with this key under this name")]
pub struct CannotOpen;

impl SealingKey {
    /// A key of 32 random bytes.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(key.into()))
    }

    /// Seals `secret` under `name`; `nonce` is random.
    #[must_use]
    pub fn seal(&self, secret: &[u8], name: &str, nonce: [u8; NONCE]) -> Vec<u8> {
        let payload = Payload { msg: secret, aad: name.as_bytes() };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        let mut out = nonce.to_vec();
        out.extend(sealed.expect("secrets are far shorter than the cipher's limit"));
        out
    }

    /// Opens what was sealed under `name`.
    ///
    /// # Errors
    /// [`CannotOpen`].
    pub fn open(&self, sealed: &[u8], name: &str) -> Result<Vec<u8>, CannotOpen> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or(CannotOpen)?;
        let payload = Payload { msg: sealed, aad: name.as_bytes() };
        self.0.decrypt(&XNonce::from(*nonce), payload).map_err(|_| CannotOpen)
    }
}

impl core::fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SealingKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_under_the_same_key_and_name_alone() {
        let key = SealingKey::new(&[1; 32]);
        let sealed = key.seal(b"seed", "key-1", [9; 24]);
        assert_eq!(key.open(&sealed, "key-1").unwrap(), b"seed");
        assert_eq!(key.open(&sealed, "key-2"), Err(CannotOpen));
        assert_eq!(SealingKey::new(&[2; 32]).open(&sealed, "key-1"), Err(CannotOpen));
        assert_eq!(key.open(&sealed[..20], "key-1"), Err(CannotOpen));
        assert!(!sealed.windows(4).any(|bytes| bytes == b"seed"));
    }
}
