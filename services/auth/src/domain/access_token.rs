//! Access tokens: who is signed in, for fifteen minutes or an hour.

use caller::{Role, SessionId, UserId};
use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::{account::Account, signing_key::Signable};

/// Whom the tokens are for.
pub const AUDIENCE: &str = "frontdesk";

/// What an access token says.
#[derive(Debug, Clone, Serialize)]
pub struct Claims<'a> {
    iss: &'a str,
    aud: &'static str,
    sub: UserId,
    sid: SessionId,
    email: &'a str,
    name: &'a str,
    role: Role,
    iat: i64,
    exp: i64,
    jti: Uuid,
}

/// From when until when a token is valid.
#[derive(Debug, Clone, Copy)]
pub struct Validity {
    /// Now.
    pub from: Timestamp,
    /// Its end, never beyond its session's.
    pub until: Timestamp,
}

impl<'a> Claims<'a> {
    /// Claims about a signed-in person; `role` is for display.
    #[must_use]
    pub fn new(
        iss: &'a str,
        account: &'a Account,
        role: Role,
        sid: SessionId,
        validity: Validity,
        jti: Uuid,
    ) -> Self {
        Self {
            iss,
            aud: AUDIENCE,
            sub: account.id,
            sid,
            email: account.email.as_str(),
            name: &account.name,
            role,
            iat: validity.from.as_second(),
            exp: validity.until.as_second(),
            jti,
        }
    }
}

impl Signable for Claims<'_> {
    /// RFC 9068's.
    const TYP: &'static str = "at+jwt";
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{Algorithm, DecodingKey, Validation};

    use super::*;
    use sealing::SealingKey;

    use crate::domain::{email::Email, signing_key::StoredKey};

    #[test]
    fn a_verifier_that_knows_the_published_key_reads_every_claim() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let until = Timestamp::from_second(1_800_000_900).unwrap();
        let sealing = SealingKey::new([1; 32]);
        let stored = StoredKey::create("k".to_owned(), [7; 32], [8; 24], &sealing, now);
        let account = Account {
            id: UserId(Uuid::from_u128(1)),
            email: Email::parse("owner@demo.test").unwrap(),
            name: "Olive Owner".to_owned(),
            admin: false,
        };
        let validity = Validity { from: now, until };
        let claims = Claims::new(
            "https://desk.test",
            &account,
            Role::Owner,
            SessionId(Uuid::from_u128(2)),
            validity,
            Uuid::from_u128(3),
        );
        let token = stored.open(&sealing).unwrap().sign(&claims).unwrap();

        let key = DecodingKey::from_ed_der(&stored.public);
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.validate_exp = false;
        validation.set_audience(&["frontdesk"]);
        validation.set_issuer(&["https://desk.test"]);
        let read = jsonwebtoken::decode::<serde_json::Value>(&token, &key, &validation).unwrap();
        assert_eq!(read.header.typ.as_deref(), Some("at+jwt"));
        assert_eq!(read.header.kid.as_deref(), Some("k"));
        let expected = serde_json::json!({
            "iss": "https://desk.test", "aud": "frontdesk",
            "sub": "00000000-0000-0000-0000-000000000001", "sid": "00000000-0000-0000-0000-000000000002",
            "email": "owner@demo.test", "name": "Olive Owner", "role": "OWNER",
            "iat": 1_800_000_000, "exp": 1_800_000_900, "jti": "00000000-0000-0000-0000-000000000003",
        });
        assert_eq!(read.claims, expected);
    }
}
