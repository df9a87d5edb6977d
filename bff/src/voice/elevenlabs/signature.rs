//! `ElevenLabs-Signature: t=<unix seconds>,v0=<hex HMAC-SHA256(secret, t + "." + body)>`.
//!
//! Server tools are not signed: their request carries the same secret as a bearer, as the tools'
//! definitions say. One that is sent again finds its answer kept.

use hmac::{Hmac, Mac};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

use crate::voice::proof::{Fault, bearer, digits, hex, only};

/// The header's name.
pub const HEADER: &str = "elevenlabs-signature";
/// How far the signature's time may lie from ours, either way.
const WINDOW: SignedDuration = SignedDuration::from_mins(30);

/// The header's value for `body`, signed with `key` at `at`.
#[must_use]
pub fn sign(key: &str, body: &[u8], at: Timestamp) -> String {
    let seconds = at.as_second().to_string();
    let digest = digest(key, &seconds, body).finalize().into_bytes();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v0={hex}")
}

/// Checks that `body` was signed with `secret` around `now`, or came with it.
///
/// # Errors
/// The first check that failed.
pub fn verify(headers: &HeaderMap, body: &[u8], secret: &str, now: Timestamp) -> Result<(), Fault> {
    if !headers.contains_key(HEADER) {
        return bearer(headers, secret);
    }
    let mut streamed = Streamed::begin(headers, [secret], now)?;
    streamed.update(body);
    streamed.verify()
}

/// A signature that is checked over a body as it comes.
#[derive(Debug)]
pub struct Streamed {
    /// One for each secret that counts.
    digests: Vec<Hmac<Sha256>>,
    signed: [u8; 32],
}

impl Streamed {
    /// Begins to check a body that was signed with any of some secrets around `now`.
    ///
    /// # Errors
    /// The first check that failed.
    pub fn begin<'a>(
        headers: &HeaderMap,
        secrets: impl IntoIterator<Item = &'a str>,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let (seconds, signed) = parse(only(headers, HEADER)?).ok_or(Fault::Malformed)?;
        let at = digits(seconds).and_then(|seconds| Timestamp::from_second(seconds).ok());
        if now.duration_since(at.ok_or(Fault::Malformed)?).abs() > WINDOW {
            return Err(Fault::Stale);
        }
        // With an empty secret any caller could sign.
        let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
        Ok(Self { digests: secrets.map(|secret| begun(secret, seconds)).collect(), signed })
    }

    /// More of the body.
    pub fn update(&mut self, body: &[u8]) {
        self.digests.iter_mut().for_each(|digest| digest.update(body));
    }

    /// The verdict, at the end of the body.
    ///
    /// # Errors
    /// [`Fault::Wrong`].
    pub fn verify(self) -> Result<(), Fault> {
        let Self { digests, signed } = self;
        // Compares in constant time.
        let mut verdicts = digests.into_iter().map(|digest| digest.verify_slice(&signed).is_ok());
        if verdicts.any(|signed| signed) { Ok(()) } else { Err(Fault::Wrong) }
    }
}

fn begun(key: &str, seconds: &str) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length");
    mac.chain_update(seconds).chain_update(".")
}

fn digest(key: &str, seconds: &str, body: &[u8]) -> Hmac<Sha256> {
    begun(key, seconds).chain_update(body)
}

fn parse(value: &str) -> Option<(&str, [u8; 32])> {
    let (seconds, digest) = value.strip_prefix("t=")?.split_once(",v0=")?;
    Some((seconds, hex(digest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "wsec_3f5c1e0b9a7d42c6";
    const BODY: &[u8] = br#"{"type":"post_call_transcription","data":{"conversation_id":"conv_1"}}"#;
    /// Computed with OpenSSL over the seconds, a dot and `BODY`.
    const VECTOR: &str = "t=1780300800,v0=1f6f692766e1ed0f4b45608aff77f5a23ec604c9e5cf3c642f937f5b6424cd5f";

    fn now() -> Timestamp {
        Timestamp::from_second(1_780_300_800).unwrap()
    }

    fn check(name: &'static str, value: &str, body: &[u8], key: &str, now: Timestamp) -> Result<(), Fault> {
        let headers = HeaderMap::from_iter([(http::HeaderName::from_static(name), value.parse().unwrap())]);
        verify(&headers, body, key, now)
    }

    #[test]
    fn believes_a_signature_made_elsewhere_and_makes_the_same() {
        assert_eq!(check(HEADER, VECTOR, BODY, KEY, now()), Ok(()));
        assert_eq!(sign(KEY, BODY, now()), VECTOR);
    }

    #[test]
    fn believes_a_tool_that_brings_the_secret() {
        assert_eq!(check("authorization", &format!("Bearer {KEY}"), BODY, KEY, now()), Ok(()));
        assert_eq!(check("authorization", "Bearer other", BODY, KEY, now()), Err(Fault::Wrong));
        assert_eq!(verify(&HeaderMap::new(), BODY, KEY, now()), Err(Fault::Missing));
    }

    #[test]
    fn refuses_another_body_key_or_time() {
        assert_eq!(check(HEADER, VECTOR, b"{}", KEY, now()), Err(Fault::Wrong));
        assert_eq!(check(HEADER, VECTOR, BODY, "another", now()), Err(Fault::Wrong));
        assert_eq!(check(HEADER, &VECTOR.replace("0800,", "0801,"), BODY, KEY, now()), Err(Fault::Wrong));
        let beyond = WINDOW + SignedDuration::from_secs(1);
        assert_eq!(check(HEADER, VECTOR, BODY, KEY, now() + WINDOW), Ok(()));
        assert_eq!(check(HEADER, VECTOR, BODY, KEY, now() + beyond), Err(Fault::Stale));
        assert_eq!(check(HEADER, VECTOR, BODY, KEY, now() - beyond), Err(Fault::Stale));
        assert_eq!(check(HEADER, &sign("", BODY, now()), BODY, "", now()), Err(Fault::Wrong));
    }

    #[test]
    fn refuses_what_is_not_one_header_of_the_documented_form() {
        for value in ["", "t=1,v0=", "v0=00,t=1", "t=,v0=00", "t=-1,v0=00"] {
            assert_eq!(check(HEADER, value, BODY, KEY, now()), Err(Fault::Malformed), "{value}");
        }
    }
}
