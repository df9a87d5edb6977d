//! Browsers that a person trusts, after they have shown a mailed code.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// How long a device stays trusted.
pub const LIFE: SignedDuration = SignedDuration::from_hours(90 * 24);

typed_id::typed_id! {
    /// A trusted device.
    DeviceId,
}

/// What a trusted device holds: `id.secret`, for its cookie.
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceToken {
    /// The device it says it is.
    pub id: DeviceId,
    secret: [u8; 32],
}

/// What is kept of a secret.
#[derive(Debug, Clone, Copy)]
pub struct DeviceHash(pub [u8; 32]);

impl DeviceToken {
    /// A device of random bytes.
    #[must_use]
    pub fn new(id: DeviceId, secret: [u8; 32]) -> Self {
        Self { id, secret }
    }

    /// Reads a cookie; `None` unless it is one of ours by its form.
    #[must_use]
    pub fn read(cookie: &str) -> Option<Self> {
        let (id, secret) = cookie.split_once('.')?;
        Some(Self { id: id.parse().ok()?, secret: B64.decode(secret).ok()?.try_into().ok()? })
    }

    /// The cookie.
    #[must_use]
    pub fn write(&self) -> String {
        format!("{}.{}", self.id, B64.encode(self.secret))
    }

    /// What to keep of it. The secret has 256 random bits, so it needs no slow hash.
    #[must_use]
    pub fn hash(&self) -> DeviceHash {
        DeviceHash(Sha256::digest(self.secret).into())
    }

    /// Whether it is the device that was kept.
    #[must_use]
    pub fn is_behind(&self, kept: &DeviceHash) -> bool {
        self.hash().0.ct_eq(&kept.0).into()
    }
}

// A secret stays out of logs.
impl core::fmt::Debug for DeviceToken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "DeviceToken({}, …)", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_read_as_written_and_proves_its_own_device_alone() {
        let id = DeviceId(uuid::Uuid::from_u128(7));
        let token = DeviceToken::new(id, [1; 32]);
        let read = DeviceToken::read(&token.write()).unwrap();
        assert_eq!(read, token);
        assert!(read.is_behind(&token.hash()));
        assert!(!DeviceToken::new(id, [2; 32]).is_behind(&token.hash()));
        assert!(!format!("{token:?}").contains(&B64.encode([1; 32])));
    }

    #[test]
    fn a_cookie_of_another_form_is_none() {
        let written = DeviceToken::new(DeviceId(uuid::Uuid::from_u128(7)), [1; 32]).write();
        for cookie in ["", ".", "x.y", &written[1..], &written[..written.len() - 2]] {
            assert_eq!(DeviceToken::read(cookie), None, "{cookie}");
        }
    }
}
