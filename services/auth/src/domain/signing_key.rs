//! The keys that sign access tokens, and when each is used.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use zeroize::Zeroizing;

use sealing::{CannotOpen, SealingKey};

/// How long a key signs before the next one is made.
const SIGNS_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);
/// A key is published this long before it signs, so that every verifier knows it by then.
const KNOWN_BEFORE: SignedDuration = SignedDuration::from_mins(10);
/// A replica started with another sealing key keeps signing with the key that it can open until its
/// rollout ends.
const ROLLOUT: SignedDuration = SignedDuration::from_hours(1);

/// A key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// Key id.
    pub kid: String,
    /// The public half.
    pub public: [u8; 32],
    /// The private half, sealed under the key id.
    pub sealed_seed: Vec<u8>,
    /// When it begins to sign.
    pub signs_from: Timestamp,
}

/// A key ready to sign.
pub struct SigningKey {
    /// Key id.
    pub kid: String,
    encoding: EncodingKey,
    signs_from: Timestamp,
}

impl core::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// A kind of token.
pub trait Signable: Serialize {
    /// Its `typ`, so that no token passes for one of another kind.
    const TYP: &'static str;
}

impl SigningKey {
    /// The signed token.
    ///
    /// # Errors
    /// When the key does not sign.
    pub fn sign<T: Signable>(&self, claims: &T) -> Result<String, jsonwebtoken::errors::Error> {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(T::TYP.to_owned());
        header.kid = Some(self.kid.clone());
        jsonwebtoken::encode(&header, claims, &self.encoding)
    }
}

impl StoredKey {
    /// A new key from random bytes.
    #[must_use]
    pub fn create(
        kid: String,
        seed: [u8; 32],
        nonce: [u8; 24],
        sealing: &SealingKey,
        signs_from: Timestamp,
    ) -> Self {
        let seed = Zeroizing::new(seed);
        let pair = Ed25519KeyPair::from_seed_unchecked(&*seed).expect("any 32 bytes are an Ed25519 seed");
        let public = pair.public_key().as_ref().try_into().expect("an Ed25519 public key has 32 bytes");
        let sealed_seed = sealing.seal(&*seed, &kid, nonce);
        Self { kid, public, sealed_seed, signs_from }
    }

    /// Opens the private half.
    ///
    /// # Errors
    /// When it was sealed with another key, or does not belong to the public half.
    pub fn open(&self, sealing: &SealingKey) -> Result<SigningKey, CannotOpen> {
        let seed = sealing.open(&self.sealed_seed, &self.kid)?;
        let pair = Ed25519KeyPair::from_seed_and_public_key(&seed, &self.public).map_err(|_| CannotOpen)?;
        let der = pair.to_pkcs8().map_err(|_| CannotOpen)?;
        let encoding = EncodingKey::from_ed_der(der.as_ref());
        Ok(SigningKey { kid: self.kid.clone(), encoding, signs_from: self.signs_from })
    }
}

/// When a key must be made, given those that can be opened: it signs from then on.
#[must_use]
pub fn due(keys: &[SigningKey], now: Timestamp) -> Option<Timestamp> {
    match keys.iter().map(|key| key.signs_from).max() {
        None => Some(now),
        Some(newest) if newest + SIGNS_FOR <= now => Some(now + KNOWN_BEFORE),
        Some(_) => None,
    }
}

/// The key that signs now: the newest whose time has come. A replica whose clock is
/// behind takes the oldest.
#[must_use]
pub fn current(keys: &[SigningKey], now: Timestamp) -> Option<&SigningKey> {
    let begun = keys.iter().filter(|key| key.signs_from <= now).max_by_key(|key| key.signs_from);
    begun.or_else(|| keys.iter().min_by_key(|key| key.signs_from))
}

/// Whether tokens signed with `key` may still be valid: until a lifetime after its
/// successor took over.
#[must_use]
pub fn is_published(
    key: &StoredKey,
    keys: &[StoredKey],
    access_life: SignedDuration,
    now: Timestamp,
) -> bool {
    let successor = keys.iter().map(|other| other.signs_from).filter(|from| *from > key.signs_from).min();
    successor.is_none_or(|from| now <= from + access_life + ROLLOUT)
}

#[derive(Serialize)]
struct Jwk<'a> {
    kty: &'static str,
    crv: &'static str,
    alg: &'static str,
    #[serde(rename = "use")]
    purpose: &'static str,
    kid: &'a str,
    x: String,
}

#[derive(Serialize)]
struct JwkSet<'a> {
    keys: Vec<Jwk<'a>>,
}

/// The public halves as an RFC 7517 set.
#[must_use]
pub fn jwks<'a>(keys: impl IntoIterator<Item = &'a StoredKey>) -> String {
    let jwk = |key: &'a StoredKey| Jwk {
        kty: "OKP",
        crv: "Ed25519",
        alg: "EdDSA",
        purpose: "sig",
        kid: &key.kid,
        x: B64.encode(key.public),
    };
    let set = JwkSet { keys: keys.into_iter().map(jwk).collect() };
    serde_json::to_string(&set).expect("strings serialise")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIFE: SignedDuration = SignedDuration::from_mins(15);

    fn day(day: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + day * 86_400).unwrap()
    }

    fn sealing() -> SealingKey {
        SealingKey::new([1; 32])
    }

    fn stored(kid: &str, signs_from: Timestamp) -> StoredKey {
        StoredKey::create(kid.to_owned(), [7; 32], [8; 24], &sealing(), signs_from)
    }

    fn open(keys: &[StoredKey]) -> Vec<SigningKey> {
        keys.iter().map(|key| key.open(&sealing()).unwrap()).collect()
    }

    #[test]
    fn the_first_key_signs_at_once_and_the_next_is_known_before_it_signs() {
        assert_eq!(due(&[], day(0)), Some(day(0)));
        let keys = open(&[stored("a", day(0))]);
        assert_eq!(due(&keys, day(29)), None);
        assert_eq!(due(&keys, day(30)), Some(day(30) + KNOWN_BEFORE));
    }

    #[test]
    fn a_new_key_takes_over_when_its_time_has_come() {
        let keys = open(&[stored("a", day(0)), stored("b", day(30))]);
        assert_eq!(current(&keys, day(29)).unwrap().kid, "a");
        assert_eq!(current(&keys, day(30)).unwrap().kid, "b");
        assert_eq!(current(&keys, day(-1)).unwrap().kid, "a");
        assert_eq!(due(&keys, day(31)), None);
    }

    #[test]
    fn a_key_is_published_until_its_last_token_has_expired() {
        let keys = [stored("a", day(0)), stored("b", day(30))];
        let last_token_ends = day(30) + LIFE;
        assert!(is_published(&keys[0], &keys, LIFE, last_token_ends));
        assert!(!is_published(&keys[0], &keys, LIFE, day(31)));
        assert!(is_published(&keys[1], &keys, LIFE, day(29)));
        assert!(is_published(&keys[1], &keys, LIFE, day(99)));
    }

    #[test]
    fn a_sealed_key_moved_under_another_id_does_not_open() {
        let key = StoredKey { kid: "b".to_owned(), ..stored("a", day(0)) };
        assert_eq!(key.open(&sealing()).unwrap_err(), CannotOpen);
        let key = StoredKey { public: [0; 32], ..stored("a", day(0)) };
        assert_eq!(key.open(&sealing()).unwrap_err(), CannotOpen);
    }

    #[test]
    fn the_published_set_holds_public_halves_only() {
        let key = stored("a", day(0));
        let set: serde_json::Value = serde_json::from_str(&jwks([&key])).unwrap();
        let expected = serde_json::json!({"keys": [{
            "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "a",
            "x": B64.encode(key.public),
        }]});
        assert_eq!(set, expected);
    }
}
