//! `X-Retell-Signature: v=<unix milliseconds>,d=<hex HMAC-SHA256(key, body + milliseconds)>`.

use hmac::{Hmac, Mac};
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

use crate::voice::proof::{Fault, digits, hex, only};

/// The header's name.
pub const HEADER: &str = "x-retell-signature";
/// How far the signature's time may lie from ours, either way.
const WINDOW: SignedDuration = SignedDuration::from_mins(5);

/// The header's value for `body`, signed with `key` at `at`.
#[must_use]
pub fn sign(key: &str, body: &[u8], at: Timestamp) -> String {
    let millis = at.as_millisecond();
    let digest = digest(key, body, millis).finalize().into_bytes();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("v={millis},d={hex}")
}

/// Checks that `body`, as it arrived, was signed with `key` around `now`.
///
/// # Errors
/// The first check that failed.
pub fn verify(headers: &HeaderMap, body: &[u8], key: &str, now: Timestamp) -> Result<(), Fault> {
    let (millis, signed) = parse(only(headers, HEADER)?).ok_or(Fault::Malformed)?;
    let at = Timestamp::from_millisecond(millis).map_err(|_| Fault::Malformed)?;
    if now.duration_since(at).abs() > WINDOW {
        return Err(Fault::Stale);
    }
    // With an empty key any caller could sign.
    if key.is_empty() {
        return Err(Fault::Wrong);
    }
    // Compares in constant time.
    digest(key, body, millis).verify_slice(&signed).map_err(|_| Fault::Wrong)
}

fn digest(key: &str, body: &[u8], millis: i64) -> Hmac<Sha256> {
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length");
    mac.chain_update(body).chain_update(millis.to_string())
}

fn parse(value: &str) -> Option<(i64, [u8; 32])> {
    let (millis, digest) = value.strip_prefix("v=")?.split_once(",d=")?;
    Some((digits(millis)?, hex(digest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "key_3f5c1e0b9a7d42c6";
    const BODY: &[u8] = br#"{"event":"call_started","call":{"call_id":"call_a1"}}"#;
    /// Computed with OpenSSL over `BODY` followed by the milliseconds.
    const VECTOR: &str = "v=1780300800000,d=fd8969d0b0e7a8f53833910fc2fa9d849b6fa06aa724daced67bb00f6728e06a";

    fn signed_at() -> Timestamp {
        Timestamp::from_millisecond(1_780_300_800_000).unwrap()
    }

    fn check(value: &str, body: &[u8], key: &str, now: Timestamp) -> Result<(), Fault> {
        let headers = HeaderMap::from_iter([(http::HeaderName::from_static(HEADER), value.parse().unwrap())]);
        verify(&headers, body, key, now)
    }

    #[test]
    fn believes_a_signature_made_elsewhere_and_makes_the_same() {
        assert_eq!(check(VECTOR, BODY, KEY, signed_at()), Ok(()));
        assert_eq!(sign(KEY, BODY, signed_at()), VECTOR);
    }

    #[test]
    fn refuses_another_body_key_or_time_under_the_same_digest() {
        assert_eq!(check(VECTOR, b"{}", KEY, signed_at()), Err(Fault::Wrong));
        assert_eq!(check(VECTOR, BODY, "key_other", signed_at()), Err(Fault::Wrong));
        let moved = VECTOR.replace("1780300800000", "1780300800001");
        assert_eq!(check(&moved, BODY, KEY, signed_at()), Err(Fault::Wrong));
    }

    #[test]
    fn refuses_a_signature_more_than_five_minutes_old_or_early() {
        let window = SignedDuration::from_mins(5);
        let beyond = window + SignedDuration::from_millis(1);
        assert_eq!(check(VECTOR, BODY, KEY, signed_at() + window), Ok(()));
        assert_eq!(check(VECTOR, BODY, KEY, signed_at() - window), Ok(()));
        assert_eq!(check(VECTOR, BODY, KEY, signed_at() + beyond), Err(Fault::Stale));
        assert_eq!(check(VECTOR, BODY, KEY, signed_at() - beyond), Err(Fault::Stale));
    }

    #[test]
    fn refuses_what_is_not_one_header_of_the_documented_form() {
        assert_eq!(verify(&HeaderMap::new(), BODY, KEY, signed_at()), Err(Fault::Missing));
        let digest = VECTOR.split_once("d=").unwrap().1;
        let doubled = format!("v=1780300800000,d={digest}00");
        let signed = format!("v=-1780300800000,d={digest}");
        let plus = format!("v=1780300800000,d=+{}", &digest[1..]);
        for value in ["", "v=1,d=", "d=00,v=1", "v=,d=", &doubled, &signed, &plus, digest] {
            assert_eq!(check(value, BODY, KEY, signed_at()), Err(Fault::Malformed), "{value}");
        }
        let mut twice = HeaderMap::new();
        twice.append(HEADER, VECTOR.parse().unwrap());
        twice.append(HEADER, VECTOR.parse().unwrap());
        assert_eq!(verify(&twice, BODY, KEY, signed_at()), Err(Fault::Malformed));
    }

    #[test]
    fn an_empty_key_accepts_no_signature() {
        let value = sign("", BODY, signed_at());
        assert_eq!(check(&value, BODY, "", signed_at()), Err(Fault::Wrong));
    }
}
