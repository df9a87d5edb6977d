//! The accounts of addresses that have none.
//!
//! A request for an address without an account is recorded like any other, in the name of a decoy. Each
//! address has its own decoy, so that its rows are as many, and as little contended, as an account's. A
//! decoy does not reveal its address.

use core::fmt;

use caller::UserId;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Builder;

use super::{email::Email, purpose::mac_for};

/// Keeps these digests apart from any other made with the same key.
const PURPOSE: &[u8] = b"frontdesk account stand-in\0";

/// Names the decoy of each address.
#[derive(Clone)]
pub struct DecoyKey(Hmac<Sha256>);

impl DecoyKey {
    /// A key of 32 random bytes.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(mac_for(PURPOSE, key))
    }

    /// The decoy account of an address; the same each time, and no account's id: those
    /// are UUIDs of version 7, this is one of version 8.
    #[must_use]
    pub fn of(&self, email: &Email) -> UserId {
        let bytes = self.0.clone().chain_update(email.as_str()).finalize().into_bytes();
        let mut id = [0; 16];
        id.copy_from_slice(&bytes[..16]);
        UserId(Builder::from_custom_bytes(id).into_uuid())
    }
}

impl fmt::Debug for DecoyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DecoyKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_stand_in_that_only_the_key_finds_again() {
        let [one, other] = ["one@demo.test", "other@demo.test"].map(|text| Email::parse(text).unwrap());
        let key = DecoyKey::new(&[1; 32]);
        assert_eq!(key.of(&one), DecoyKey::new(&[1; 32]).of(&one));
        assert_ne!(key.of(&one), key.of(&other));
        assert_ne!(key.of(&one), DecoyKey::new(&[2; 32]).of(&one));
        assert_eq!(key.of(&one).0.get_version_num(), 8);
        assert_eq!(format!("{key:?}"), "DecoyKey(…)");
    }
}
