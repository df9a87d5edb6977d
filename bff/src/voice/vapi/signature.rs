//! Vapi's credentials are configured by their owner: a bearer token, as `Authorization` or `X-Vapi-Secret`, or an
//! HMAC. Only the latter has an age: a bearer's request that is sent again finds its event kept already.

use http::HeaderMap;
use jiff::Timestamp;

use crate::voice::adapter::{Check, Proof};
use crate::voice::proof::{Fault, bearer, only, same};

/// The header of a secret as assistants without a credential send it.
pub const SECRET: &str = "x-vapi-secret";

/// Checks that `body` came from who knows the secret, around `now` where it is signed.
///
/// # Errors
/// The first check that failed.
pub fn verify(headers: &HeaderMap, body: &[u8], proof: Proof<'_>, now: Timestamp) -> Result<(), Fault> {
    match proof.check {
        Check::Hmac(format) => format.verify(headers, body, proof.secret, now),
        Check::Signature | Check::Bearer if headers.contains_key(SECRET) => {
            same(only(headers, SECRET)?, proof.secret)
        }
        Check::Signature | Check::Bearer => bearer(headers, proof.secret),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&'static str, &str)]) -> Result<(), Fault> {
        let headers = headers
            .iter()
            .map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap()))
            .collect();
        verify(&headers, b"{}", Proof { secret: "s3cret", check: &Check::Bearer }, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn believes_the_secret_in_either_header() {
        assert_eq!(check(&[("authorization", "Bearer s3cret")]), Ok(()));
        assert_eq!(check(&[(SECRET, "s3cret")]), Ok(()));
        assert_eq!(check(&[(SECRET, "another")]), Err(Fault::Wrong));
        assert_eq!(check(&[(SECRET, "another"), ("authorization", "Bearer s3cret")]), Err(Fault::Wrong));
        assert_eq!(check(&[]), Err(Fault::Missing));
    }
}
