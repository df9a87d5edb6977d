//! Signatures of what Square pushes: HMAC with SHA-256 over the address that it was given, and the body.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Whether `signature` is made with `key`; how long that takes tells nothing of the right one.
#[must_use]
pub fn is_right(key: &str, url: &str, body: &[u8], signature: &str) -> bool {
    let Ok(signature) = BASE64_STANDARD.decode(signature) else { return false };
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return false };
    mac.update(url.as_bytes());
    mac.update(body);
    mac.verify_slice(&signature).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://desk.example.com/api/webhooks/providers/1";
    const BODY: &[u8] = br#"{"type":"booking.updated"}"#;

    #[test]
    fn a_signature_is_of_one_key_one_address_and_one_body() {
        // Computed with OpenSSL: printf '%s%s' "$URL" "$BODY" | openssl dgst -sha256 -hmac hunter2 -binary | base64
        let signature = "Zn11Y6CtcpdYJ8Aouly+lJkqwLVBJpTAF5m0gSCcMLw=";
        assert!(is_right("hunter2", URL, BODY, signature));
        assert!(!is_right("hunter3", URL, BODY, signature));
        assert!(!is_right("hunter2", "https://desk.example.com/", BODY, signature));
        assert!(!is_right("hunter2", URL, br#"{"type":"booking.created"}"#, signature));
        for wrong in ["", "made up", "AAAA"] {
            assert!(!is_right("hunter2", URL, BODY, wrong), "{wrong}");
        }
    }
}
