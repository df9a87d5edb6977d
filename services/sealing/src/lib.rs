//! Sealing secrets at rest (XChaCha20-Poly1305).
//!
//! A secret is sealed under a name, such as its row and its purpose. The name is authenticated with it, so a
//! sealed value that was moved to another row does not open.

pub mod envelope;

use core::fmt;

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use zeroize::Zeroizing;

/// Bytes of a key.
pub const KEY: usize = 32;
/// Bytes of a nonce: enough to draw any number of them at random.
pub const NONCE: usize = 24;

/// A key that seals and opens secrets; wiped when dropped, and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SealingKey(Zeroizing<[u8; KEY]>);

/// The value was sealed with another key or under another name, or it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the secret can't be opened with this key under this name")]
pub struct CannotOpen;

impl SealingKey {
    /// A key of random bytes.
    #[must_use]
    pub fn new(key: [u8; KEY]) -> Self {
        Self(Zeroizing::new(key))
    }

    /// The key's bytes.
    #[must_use]
    pub fn expose(&self) -> &[u8; KEY] {
        &self.0
    }

    /// Seals `secret` under `name`, with a random nonce: the nonce, then the ciphertext.
    ///
    /// # Panics
    /// Above 256 GiB.
    #[must_use]
    pub fn seal(&self, secret: &[u8], name: impl AsRef<[u8]>, nonce: [u8; NONCE]) -> Vec<u8> {
        let payload = Payload { msg: secret, aad: name.as_ref() };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload);
        [nonce.as_slice(), &sealed.expect("a secret is far shorter than the cipher's limit")].concat()
    }

    /// Opens what was sealed under `name`.
    ///
    /// # Errors
    /// [`CannotOpen`].
    pub fn open(&self, sealed: &[u8], name: impl AsRef<[u8]>) -> Result<Zeroizing<Vec<u8>>, CannotOpen> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or(CannotOpen)?;
        let payload = Payload { msg: sealed, aad: name.as_ref() };
        let opened = self.cipher().decrypt(&XNonce::from(*nonce), payload);
        opened.map(Zeroizing::new).map_err(|_| CannotOpen)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.0).into())
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealingKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_under_the_same_key_and_name_alone() {
        let key = SealingKey::new([1; KEY]);
        let sealed = key.seal(b"seed", "key-1", [9; NONCE]);
        assert_eq!(*key.open(&sealed, "key-1").unwrap(), b"seed");
        assert_eq!(key.open(&sealed, "key-2"), Err(CannotOpen));
        assert_eq!(SealingKey::new([2; KEY]).open(&sealed, "key-1"), Err(CannotOpen));
        assert!(!sealed.windows(4).any(|bytes| bytes == b"seed"));
    }

    #[test]
    fn a_changed_or_cut_secret_does_not_open() {
        let key = SealingKey::new([1; KEY]);
        let sealed = key.seal(b"seed", "key-1", [9; NONCE]);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(key.open(&changed, "key-1"), Err(CannotOpen), "byte {at}");
            assert_eq!(key.open(&sealed[..at], "key-1"), Err(CannotOpen), "{at} bytes");
        }
    }

    #[test]
    fn is_never_printed() {
        assert_eq!(format!("{:?}", SealingKey::new([1; KEY])), "SealingKey(…)");
    }
}
