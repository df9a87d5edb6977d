//! Handoffs: how a sign-in that the door finished reaches the page.
//!
//! The token travels in a URL, so it works once, for a minute, in one browser, and does not name the
//! person.

use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::{Deserialize, Serialize};

use super::{
    code_flow::Ticket,
    signing_key::{Signable, StoredKey},
};

/// How long a page has to redeem a handoff.
pub const LIFE: SignedDuration = SignedDuration::from_secs(60);
/// Whom handoffs are for: auth itself.
const AUDIENCE: &str = "frontdesk/handoff";

/// What a handoff says.
#[derive(Debug, Serialize, Deserialize)]
pub struct Claims {
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
    jti: String,
}

/// Not a handoff of ours, or past its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHandoff;

impl Claims {
    /// The handoff of a ticket.
    #[must_use]
    pub fn new(issuer: &str, ticket: &Ticket, now: Timestamp) -> Self {
        Self {
            iss: issuer.to_owned(),
            aud: AUDIENCE.to_owned(),
            iat: now.as_second(),
            exp: (now + LIFE).as_second(),
            jti: ticket.expose().to_owned(),
        }
    }
}

impl Signable for Claims {
    const TYP: &'static str = "handoff+jwt";
}

/// The ticket of a presented handoff that one of `keys` signed.
///
/// # Errors
/// [`NotAHandoff`].
pub fn read(token: &str, keys: &[StoredKey], issuer: &str, now: Timestamp) -> Result<String, NotAHandoff> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| NotAHandoff)?;
    if header.typ.as_deref() != Some(Claims::TYP) {
        return Err(NotAHandoff);
    }
    let key = keys.iter().find(|key| header.kid.as_ref() == Some(&key.kid)).ok_or(NotAHandoff)?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_required_spec_claims(&["exp", "iss", "aud"]);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[AUDIENCE]);
    // Time is checked below with the passed clock.
    validation.validate_exp = false;
    let key = DecodingKey::from_ed_der(&key.public);
    let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation).map_err(|_| NotAHandoff)?.claims;
    if now.as_second() < claims.exp { Ok(claims.jti) } else { Err(NotAHandoff) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sealing::SealingKey;

    const ISSUER: &str = "https://desk.test";

    fn now() -> Timestamp {
        Timestamp::from_second(1_800_000_000).unwrap()
    }

    fn key(kid: &str, seed: u8) -> (StoredKey, SealingKey) {
        let sealing = SealingKey::new([1; 32]);
        (StoredKey::create(kid.to_owned(), [seed; 32], [8; 24], &sealing, now()), sealing)
    }

    fn handoff(issuer: &str) -> (String, StoredKey) {
        let (stored, sealing) = key("k", 7);
        let claims = Claims::new(issuer, &Ticket::new([9; 32]), now());
        (stored.open(&sealing).unwrap().sign(&claims).unwrap(), stored)
    }

    #[test]
    fn a_handoff_is_read_for_a_minute_and_says_no_name() {
        let (token, key) = handoff(ISSUER);
        assert_eq!(token.split('.').count(), 3);
        let ticket = Ticket::new([9; 32]);
        let keys = [key];
        assert_eq!(read(&token, &keys, ISSUER, now()).as_deref(), Ok(ticket.expose()));
        let last = now() + SignedDuration::from_secs(59);
        assert!(read(&token, &keys, ISSUER, last).is_ok());
        assert_eq!(read(&token, &keys, ISSUER, now() + LIFE), Err(NotAHandoff));
        let payload = jsonwebtoken::dangerous::insecure_decode::<serde_json::Value>(&token).unwrap().claims;
        let names: Vec<_> = payload.as_object().unwrap().keys().cloned().collect();
        assert_eq!(names, ["aud", "exp", "iat", "iss", "jti"]);
    }

    #[test]
    fn what_another_key_or_installation_signed_is_no_handoff() {
        let (token, ours) = handoff(ISSUER);
        let (other, _) = key("k", 6);
        let (unknown, _) = key("other", 7);
        assert_eq!(read(&token, &[other], ISSUER, now()), Err(NotAHandoff));
        assert_eq!(read(&token, &[unknown], ISSUER, now()), Err(NotAHandoff));
        assert_eq!(read(&token, &[ours], "https://other.test", now()), Err(NotAHandoff));
        for text in ["", "a.b.c", &token[..token.len() - 4]] {
            assert_eq!(read(text, &[handoff(ISSUER).1], ISSUER, now()), Err(NotAHandoff), "{text}");
        }
    }
}
