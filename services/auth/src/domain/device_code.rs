//! Six-digit codes sent by mail: a person who can read them owns the account's address.

use hmac::{Hmac, Mac};
use jiff::SignedDuration;
use sha2::Sha256;
use uuid::Uuid;

use super::purpose::mac_for;

/// How long a code works.
pub const LIFE: SignedDuration = SignedDuration::from_mins(10);

/// Wrong codes that spend the right one.
pub const TRIES: i32 = 5;

/// Codes a person may ask for within [`ASKED_WITHIN`]: with five tries each, guessing one in a
/// day has a chance of less than one in a thousand.
pub const MOST_ASKED: i64 = 5;

/// See [`MOST_ASKED`].
pub const ASKED_WITHIN: SignedDuration = SignedDuration::from_hours(1);

/// Keeps this MAC apart from any other made with the same key.
const PURPOSE: &[u8] = b"frontdesk device code\0";

/// A code as it is mailed.
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceCode(String);

/// Not a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be the six digits of the mail")]
pub struct NotACode;

/// The key that codes are kept under: a million codes are soon tried against a plain hash.
#[derive(Clone)]
pub struct CodeKey(Hmac<Sha256>);

impl DeviceCode {
    /// A code of random bytes. 2^64 is so many times a million that no code is likelier.
    #[must_use]
    pub fn new(random: [u8; 8]) -> Self {
        Self(format!("{:06}", u64::from_be_bytes(random) % 1_000_000))
    }

    /// Reads what a person typed; spaces are theirs to put.
    ///
    /// # Errors
    /// Unless it is six digits.
    pub fn parse(text: &str) -> Result<Self, NotACode> {
        let digits: String = text.chars().filter(|c| !c.is_whitespace()).take(7).collect();
        let six = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if six { Ok(Self(digits)) } else { Err(NotACode) }
    }

    /// The code, for its mail.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

// It stays out of logs.
impl core::fmt::Debug for DeviceCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("DeviceCode(…)")
    }
}

impl CodeKey {
    /// A key of 32 random bytes.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(mac_for(PURPOSE, key))
    }

    /// What to keep of the code `id`.
    #[must_use]
    pub fn mac(&self, id: Uuid, code: &DeviceCode) -> [u8; 32] {
        self.over(id, code).finalize().into_bytes().into()
    }

    /// Whether it is the code that was kept, in constant time.
    #[must_use]
    pub fn is_behind(&self, id: Uuid, code: &DeviceCode, kept: &[u8]) -> bool {
        self.over(id, code).verify_slice(kept).is_ok()
    }

    fn over(&self, id: Uuid, code: &DeviceCode) -> Hmac<Sha256> {
        self.0.clone().chain_update(id.as_bytes()).chain_update(&code.0)
    }
}

impl core::fmt::Debug for CodeKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CodeKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_six_digits_however_they_are_typed() {
        assert_eq!(DeviceCode::new([0; 8]).expose(), "000000");
        assert_eq!(DeviceCode::parse(" 012 345 "), Ok(DeviceCode("012345".to_owned())));
        for text in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(DeviceCode::parse(text), Err(NotACode), "{text}");
        }
    }

    #[test]
    fn a_code_is_right_under_its_own_key_and_id_alone() {
        let (key, id, code) = (CodeKey::new(&[1; 32]), Uuid::from_u128(1), DeviceCode::new([7; 8]));
        let kept = key.mac(id, &code);
        assert!(key.is_behind(id, &code, &kept));
        assert!(!key.is_behind(Uuid::from_u128(2), &code, &kept));
        assert!(!CodeKey::new(&[2; 32]).is_behind(id, &code, &kept));
        assert!(!key.is_behind(id, &DeviceCode::new([8; 8]), &kept));
        assert!(!format!("{code:?}{key:?}").contains(code.expose()));
    }
}
