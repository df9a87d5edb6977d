//! An HMAC in a format that the owner of an account chose there.

use base64::{Engine, engine::general_purpose::STANDARD as B64};
use hmac::{Hmac, Mac, digest::InvalidLength};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use proto::frontdesk::tenancy::v1 as pb;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use subtle::ConstantTimeEq;

use super::proof::{Fault, digits, only};

/// How far the signature's time may lie from ours, either way.
const WINDOW: SignedDuration = SignedDuration::from_mins(5);
/// A time above this is in milliseconds: in seconds it would lie thousands of years ahead.
const LATEST_SECOND: i64 = 100_000_000_000;

/// The hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

/// How the bytes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// In lower or upper case.
    Hex,
    /// With padding.
    Base64,
}

/// Where the signature stands, and what is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HmacFormat {
    /// The hash.
    pub algorithm: Algorithm,
    /// How the signature is written.
    pub encoding: Encoding,
    /// The header with the signature, in lower case.
    pub signature_header: String,
    /// The text before the signature in its header, such as `sha256=`.
    pub signature_prefix: String,
    /// The header with the time of sending, in lower case.
    pub timestamp_header: String,
    /// What is signed, with `{body}` and `{timestamp}`.
    pub payload: String,
}

impl HmacFormat {
    /// The format as tenancy keeps it; `None` when a part of it is not known here.
    pub fn read(format: &pb::HmacFormat) -> Option<Self> {
        Some(Self {
            algorithm: match format.algorithm() {
                pb::HmacAlgorithm::Sha1 => Algorithm::Sha1,
                pb::HmacAlgorithm::Sha256 => Algorithm::Sha256,
                pb::HmacAlgorithm::Sha512 => Algorithm::Sha512,
                pb::HmacAlgorithm::Unspecified => return None,
            },
            encoding: match format.encoding() {
                pb::HmacEncoding::Hex => Encoding::Hex,
                pb::HmacEncoding::Base64 => Encoding::Base64,
                pb::HmacEncoding::Unspecified => return None,
            },
            signature_header: format.signature_header.clone(),
            signature_prefix: format.signature_prefix.clone(),
            timestamp_header: format.timestamp_header.clone(),
            payload: format.payload.clone(),
        })
    }

    /// The headers of a delivery of `body`, signed with `secret` at `at`.
    #[must_use]
    pub fn sign(&self, secret: &str, body: &[u8], at: Timestamp) -> [(String, String); 2] {
        let timestamp = at.as_second().to_string();
        let signature = format!("{}{}", self.signature_prefix, self.digest(secret, body, &timestamp));
        [(self.signature_header.clone(), signature), (self.timestamp_header.clone(), timestamp)]
    }

    /// Checks that `body` was signed with `secret` around `now`.
    ///
    /// # Errors
    /// The first check that failed.
    pub fn verify(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        secret: &str,
        now: Timestamp,
    ) -> Result<(), Fault> {
        let given = only(headers, &self.signature_header)?;
        let given = given.strip_prefix(self.signature_prefix.as_str()).ok_or(Fault::Malformed)?;
        let timestamp = only(headers, &self.timestamp_header)?;
        if now.duration_since(instant(timestamp).ok_or(Fault::Malformed)?).abs() > WINDOW {
            return Err(Fault::Stale);
        }
        let right = self.digest(secret, body, timestamp);
        let equal: bool = match self.encoding {
            Encoding::Hex => given.to_ascii_lowercase().as_bytes().ct_eq(right.as_bytes()).into(),
            Encoding::Base64 => given.as_bytes().ct_eq(right.as_bytes()).into(),
        };
        // With an empty secret any caller could sign.
        if equal && !secret.is_empty() { Ok(()) } else { Err(Fault::Wrong) }
    }

    fn digest(&self, secret: &str, body: &[u8], timestamp: &str) -> String {
        let signed = self.signed(body, timestamp);
        let digest = match self.algorithm {
            Algorithm::Sha1 => mac(Hmac::<Sha1>::new_from_slice(secret.as_bytes()), &signed),
            Algorithm::Sha256 => mac(Hmac::<Sha256>::new_from_slice(secret.as_bytes()), &signed),
            Algorithm::Sha512 => mac(Hmac::<Sha512>::new_from_slice(secret.as_bytes()), &signed),
        };
        match self.encoding {
            Encoding::Hex => digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            Encoding::Base64 => B64.encode(digest),
        }
    }

    /// The body is bytes, and may hold what looks like a place itself: it goes in last.
    fn signed(&self, body: &[u8], timestamp: &str) -> Vec<u8> {
        let (before, after) = self.payload.split_once("{body}").unwrap_or((&self.payload, ""));
        let fill = |text: &str| text.replace("{timestamp}", timestamp).into_bytes();
        [fill(before), body.to_vec(), fill(after)].concat()
    }
}

fn mac<M: Mac>(mac: Result<M, InvalidLength>, signed: &[u8]) -> Vec<u8> {
    let mac = mac.expect("HMAC takes keys of any length");
    mac.chain_update(signed).finalize().into_bytes().to_vec()
}

fn instant(text: &str) -> Option<Timestamp> {
    let count = digits(text)?;
    if count < LATEST_SECOND {
        Timestamp::from_second(count).ok()
    } else {
        Timestamp::from_millisecond(count).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "vapi_3f5c1e0b9a7d42c6";
    const BODY: &[u8] = br#"{"message":{"type":"status-update","status":"ringing","call":{"id":"c1"}}}"#;

    fn format(algorithm: Algorithm, encoding: Encoding) -> HmacFormat {
        HmacFormat {
            algorithm,
            encoding,
            signature_header: "x-signature".into(),
            signature_prefix: "sha256=".into(),
            timestamp_header: "x-timestamp".into(),
            payload: "{timestamp}.{body}".into(),
        }
    }

    fn now() -> Timestamp {
        Timestamp::from_second(1_780_300_800).unwrap()
    }

    fn headers(pairs: &[(String, String)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn makes_the_signature_that_openssl_makes() {
        let [(_, signature), (_, timestamp)] =
            format(Algorithm::Sha256, Encoding::Hex).sign(KEY, BODY, now());
        // Computed with OpenSSL over the seconds, a dot and the body.
        let vector = "sha256=a94b2e6506caf82ed961794c1edeff75de67fd57c327bdaffa4e2ff61e0419cd";
        assert_eq!((signature.as_str(), timestamp.as_str()), (vector, "1780300800"));
    }

    #[test]
    fn believes_each_algorithm_and_encoding_and_no_other() {
        for algorithm in [Algorithm::Sha1, Algorithm::Sha256, Algorithm::Sha512] {
            for encoding in [Encoding::Hex, Encoding::Base64] {
                let format = format(algorithm, encoding);
                let signed = headers(&format.sign(KEY, BODY, now()));
                assert_eq!(format.verify(&signed, BODY, KEY, now()), Ok(()), "{format:?}");
                assert_eq!(format.verify(&signed, b"{}", KEY, now()), Err(Fault::Wrong));
                assert_eq!(format.verify(&signed, BODY, "another", now()), Err(Fault::Wrong));
                let other = HmacFormat { payload: "{body}.{timestamp}".into(), ..format };
                assert_eq!(other.verify(&signed, BODY, KEY, now()), Err(Fault::Wrong));
            }
        }
    }

    #[test]
    fn refuses_an_old_an_early_and_a_missing_time() {
        let format = format(Algorithm::Sha256, Encoding::Hex);
        let signed = headers(&format.sign(KEY, BODY, now()));
        let beyond = WINDOW + SignedDuration::from_secs(1);
        assert_eq!(format.verify(&signed, BODY, KEY, now() + WINDOW), Ok(()));
        assert_eq!(format.verify(&signed, BODY, KEY, now() + beyond), Err(Fault::Stale));
        assert_eq!(format.verify(&signed, BODY, KEY, now() - beyond), Err(Fault::Stale));
        let mut bare = signed.clone();
        bare.remove("x-timestamp");
        assert_eq!(format.verify(&bare, BODY, KEY, now()), Err(Fault::Missing));
        bare.insert("x-timestamp", "soon".parse().unwrap());
        assert_eq!(format.verify(&bare, BODY, KEY, now()), Err(Fault::Malformed));
    }

    #[test]
    fn an_empty_secret_accepts_no_signature() {
        let format = format(Algorithm::Sha256, Encoding::Base64);
        let signed = headers(&format.sign("", BODY, now()));
        assert_eq!(format.verify(&signed, BODY, "", now()), Err(Fault::Wrong));
    }

    #[test]
    fn a_body_that_holds_a_place_is_signed_as_it_is() {
        let format = format(Algorithm::Sha256, Encoding::Hex);
        let body = br#"{"message":"{timestamp} {body}"}"#;
        assert_eq!(format.signed(body, "7"), [b"7.".as_slice(), body].concat());
    }
}
