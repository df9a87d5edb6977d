//! The authorization-code flow: what begins it, and what its end must match.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::SignedDuration;
use sha2::{Digest, Sha256};

/// How long a person may take at the provider.
pub const LIFE: SignedDuration = SignedDuration::from_mins(10);
/// What is asked of the provider.
pub const SCOPES: [&str; 3] = ["openid", "email", "profile"];
/// Where the page takes the provider's answer.
const PAGE: &str = "/auth/callback";
/// Where the door takes it.
const DOOR: &str = "/oauth2/callback/google";

/// The secret behind a code challenge (RFC 7636).
#[derive(Clone, PartialEq, Eq)]
pub struct CodeVerifier(String);

/// Not a code verifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 43 to 128 letters, digits, or one of -._~")]
pub struct NotAVerifier;

impl CodeVerifier {
    /// A verifier of 32 random bytes.
    #[must_use]
    pub fn new(random: [u8; 32]) -> Self {
        Self(B64.encode(random))
    }

    /// Parses a verifier that the page made.
    ///
    /// # Errors
    /// When it is shorter than 32 bytes would be, or holds what RFC 7636 does not allow.
    pub fn parse(text: &str) -> Result<Self, NotAVerifier> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        let well_formed = (43..=128).contains(&text.len()) && text.bytes().all(allowed);
        if well_formed { Ok(Self(text.to_owned())) } else { Err(NotAVerifier) }
    }

    /// The verifier.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The nonce of the same flow. Derived, so that a page needs to bring back one secret only
    /// and an id token of another flow never fits.
    #[must_use]
    pub fn nonce(&self) -> String {
        B64.encode(Sha256::new().chain_update("nonce:").chain_update(&self.0).finalize())
    }
}

impl core::fmt::Debug for CodeVerifier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CodeVerifier(…)")
    }
}

/// A secret that a browser brings back; what is kept of it is its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket(String);

/// What is kept of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TicketHash(pub [u8; 32]);

impl Ticket {
    /// A ticket of random bytes.
    #[must_use]
    pub fn new<const N: usize>(random: [u8; N]) -> Self {
        Self(B64.encode(random))
    }

    /// The ticket, for its address or cookie.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What to keep of it.
    #[must_use]
    pub fn hash(&self) -> TicketHash {
        TicketHash::of(&self.0)
    }
}

impl TicketHash {
    /// Hash of a presented ticket. Tickets are random, so they need no slow hash.
    #[must_use]
    pub fn of(presented: &str) -> Self {
        Self(Sha256::digest(presented).into())
    }
}

impl core::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Ticket(…)")
    }
}

/// Which half of the product takes the provider's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taker {
    /// The page.
    Page,
    /// The door.
    Door,
}

/// An address of ours that the provider may send a browser to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectUri(String);

/// An address that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not an address of this installation that takes the provider's answer")]
pub struct NotOurs;

impl RedirectUri {
    /// The address `text`, if it is one of `origins` with the taker's path: to the letter, as
    /// RFC 9700 wants redirect addresses compared.
    ///
    /// # Errors
    /// [`NotOurs`].
    pub fn parse<'a>(
        text: &str,
        taker: Taker,
        mut origins: impl Iterator<Item = &'a str>,
    ) -> Result<Self, NotOurs> {
        let path = match taker {
            Taker::Page => PAGE,
            Taker::Door => DOOR,
        };
        let origin = text.strip_suffix(path).ok_or(NotOurs)?;
        if origins.any(|own| own == origin) { Ok(Self(text.to_owned())) } else { Err(NotOurs) }
    }

    /// An address that was parsed before it was stored.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verifier_has_32_bytes_and_no_letter_that_an_address_would_change() {
        let made = CodeVerifier::new([255; 32]);
        assert_eq!(CodeVerifier::parse(made.expose()), Ok(made.clone()));
        assert_eq!(format!("{made:?}"), "CodeVerifier(…)");
        for text in ["", &"a".repeat(42), &"a".repeat(129), &format!("{} ", "a".repeat(43)), &"ä".repeat(43)]
        {
            assert_eq!(CodeVerifier::parse(text), Err(NotAVerifier), "{text:?}");
        }
    }

    #[test]
    fn the_nonce_is_the_one_the_page_computes() {
        // printf 'nonce:%s' aaa…a | openssl dgst -sha256 -binary | basenc --base64url
        let verifier = CodeVerifier::parse(&"a".repeat(43)).unwrap();
        assert_eq!(verifier.nonce(), "R7AAO4sQmaBsnKOBix5fKE-eQGMgKd8ijXnTLdQkz6k");
        assert_ne!(verifier.nonce(), CodeVerifier::new([0; 32]).nonce());
    }

    #[test]
    fn a_ticket_is_found_by_its_hash_alone() {
        let ticket = Ticket::new([7; 16]);
        assert_eq!(TicketHash::of(ticket.expose()), ticket.hash());
        assert_ne!(TicketHash::of("another"), ticket.hash());
        assert_eq!(format!("{ticket:?}"), "Ticket(…)");
    }

    #[test]
    fn the_provider_answers_to_our_own_addresses_only() {
        let own = ["https://desk.test", "http://localhost:3000"];
        let parse = |text: &str, taker| RedirectUri::parse(text, taker, own.into_iter());
        assert_eq!(
            parse("https://desk.test/auth/callback", Taker::Page).unwrap().as_str(),
            "https://desk.test/auth/callback"
        );
        assert!(parse("http://localhost:3000/oauth2/callback/google", Taker::Door).is_ok());
        for text in [
            "",
            "https://desk.test/oauth2/callback/google",
            "https://desk.test/auth/callback/",
            "https://desk.test/auth/callback?next=//evil.test",
            "https://desk.test//auth/callback",
            "https://desk.test@evil.test/auth/callback",
            "https://desk.test.evil.test/auth/callback",
            "https://evil.test/auth/callback",
            "http://desk.test/auth/callback",
            "https://DESK.test/auth/callback",
            "//evil.test/auth/callback",
            "/\\evil.test/auth/callback",
            "/auth/callback",
        ] {
            assert_eq!(parse(text, Taker::Page), Err(NotOurs), "{text}");
        }
    }
}
