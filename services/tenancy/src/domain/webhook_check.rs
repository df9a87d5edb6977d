//! How deliveries of a voice platform are checked.

use serde::{Deserialize, Serialize};

/// How a platform proves that a delivery is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookCheck {
    /// By its own signature.
    PlatformSignature,
    /// By the secret itself.
    Bearer,
    /// By an HMAC in a format that the owner configured there.
    Hmac(HmacFormat),
}

/// The hash of an HMAC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HmacAlgorithm {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// SHA-1.
    Sha1,
}

/// How the bytes of an HMAC are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HmacEncoding {
    /// Two digits a byte.
    Hex,
    /// The standard alphabet, padded.
    Base64,
}

/// The format of a configured HMAC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HmacFormat {
    /// The hash.
    pub algorithm: HmacAlgorithm,
    /// How it is written.
    pub encoding: HmacEncoding,
    /// The header it is in.
    pub signature_header: HeaderName,
    /// The text before the HMAC in its header, such as `sha256=`.
    pub signature_prefix: String,
    /// The header with the time of sending.
    pub timestamp_header: HeaderName,
    /// What is hashed.
    pub payload: PayloadTemplate,
}

/// The name of a header, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HeaderName(String);

impl HeaderName {
    /// `None` for text that names no header.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.trim().to_ascii_lowercase();
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        ((1..=64).contains(&name.len()) && name.chars().all(is_token)).then_some(Self(name))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What an HMAC is made of: text around the body and the time of sending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PayloadTemplate(String);

impl PayloadTemplate {
    /// `None` unless it has the body and the time of sending once each: without the time, an old delivery
    /// could be sent again.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let once = |part: &str| text.matches(part).count() == 1;
        let fits = text.len() <= 200 && !text.chars().any(char::is_control);
        (fits && once("{body}") && once("{timestamp}")).then(|| Self(text.to_owned()))
    }

    /// The template.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_token_in_lower_case() {
        assert_eq!(HeaderName::parse(" X-Signature ").unwrap().as_str(), "x-signature");
        for wrong in ["", "x signature", "x:y", "ü", &"x".repeat(65)] {
            assert_eq!(HeaderName::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_hashed_has_the_body_and_its_time_once_each() {
        assert_eq!(PayloadTemplate::parse("{timestamp}.{body}").unwrap().as_str(), "{timestamp}.{body}");
        for wrong in ["", "{body}", "{timestamp}", "{body}{body}{timestamp}", "{timestamp}\n{body}"] {
            assert_eq!(PayloadTemplate::parse(wrong), None, "{wrong}");
        }
    }
}
