//! What the headers of a delivery prove, and why it is not believed.

use http::HeaderMap;
use subtle::ConstantTimeEq;

/// Why a request is not believed to be the platform's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No signature.
    Missing,
    /// Not one header of the documented form.
    Malformed,
    /// Signed too long ago, or too far in the future.
    Stale,
    /// Signed over something else or with another key.
    Wrong,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 4] = [Self::Missing, Self::Malformed, Self::Stale, Self::Wrong];

    /// The fault in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Malformed => "malformed",
            Self::Stale => "stale",
            Self::Wrong => "wrong",
        }
    }
}

/// The header `name`, if it is there once.
///
/// # Errors
/// [`Fault::Missing`] without it, [`Fault::Malformed`] when it is there twice or is not text.
pub fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, Fault> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or(Fault::Missing)?;
    if values.next().is_some() {
        return Err(Fault::Malformed);
    }
    value.to_str().map_err(|_| Fault::Malformed)
}

/// Checks `Authorization: Bearer <secret>`, in constant time.
///
/// # Errors
/// The first check that failed.
pub fn bearer(headers: &HeaderMap, secret: &str) -> Result<(), Fault> {
    let value = only(headers, http::header::AUTHORIZATION.as_str())?;
    let token = value.strip_prefix("Bearer ").ok_or(Fault::Malformed)?;
    same(token, secret)
}

/// Compares in constant time; an empty secret equals nothing, since with it any caller could sign.
///
/// # Errors
/// [`Fault::Wrong`].
pub fn same(given: &str, secret: &str) -> Result<(), Fault> {
    let equal: bool = given.as_bytes().ct_eq(secret.as_bytes()).into();
    if equal && !secret.is_empty() { Ok(()) } else { Err(Fault::Wrong) }
}

/// Bytes written in hexadecimal, of exactly `N`.
#[must_use]
pub fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(bytes)
}

/// A count of seconds or milliseconds; digits alone.
#[must_use]
pub fn digits(text: &str) -> Option<i64> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (http::header::AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn a_bearer_is_the_secret_and_nothing_else() {
        assert_eq!(bearer(&headers(&["Bearer s3cret"]), "s3cret"), Ok(()));
        assert_eq!(bearer(&headers(&[]), "s3cret"), Err(Fault::Missing));
        assert_eq!(bearer(&headers(&["Basic s3cret"]), "s3cret"), Err(Fault::Malformed));
        assert_eq!(bearer(&headers(&["Bearer s3cret", "Bearer s3cret"]), "s3cret"), Err(Fault::Malformed));
        assert_eq!(bearer(&headers(&["Bearer other"]), "s3cret"), Err(Fault::Wrong));
        assert_eq!(bearer(&headers(&["Bearer "]), ""), Err(Fault::Wrong));
    }

    #[test]
    fn hexadecimal_has_its_length_and_no_sign() {
        assert_eq!(hex::<2>("00fF"), Some([0, 255]));
        for text in ["00f", "00fff0", "+0ff", "0x00"] {
            assert_eq!(hex::<2>(text), None, "{text}");
        }
    }
}
