//! What a secret key is used for: the digests of one purpose are never those of another.

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The MAC by `key` that begins with `purpose`, whose last byte is zero: no purpose is the beginning of another.
pub(super) fn mac_for(purpose: &[u8], key: &[u8; 32]) -> Hmac<Sha256> {
    let mut mac = Hmac::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(purpose);
    mac
}
