//! Issuing what a browser holds of a session.

use boot::{clock::Clock, security::SecurityProfile};
use caller::{Role, SessionId};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Error,
    credentials::signing_keys::SigningKeys,
    domain::{
        access_token::{Claims, Validity},
        account::{Account, Membership, display_role},
        refresh::Generation,
        refresh_token::{RefreshToken, SessionKey},
    },
};

/// Whom tokens are about.
#[derive(Debug)]
pub struct Person {
    /// The account.
    pub account: Account,
    /// Its places in businesses.
    pub memberships: Vec<Membership>,
}

impl Person {
    /// The role to show.
    #[must_use]
    pub fn role(&self) -> Role {
        display_role(self.account.admin, self.memberships.iter().map(|membership| membership.role))
    }
}

/// The session tokens belong to.
#[derive(Debug, Clone, Copy)]
pub struct SessionAt {
    /// Its id.
    pub id: SessionId,
    /// The refresh token to hand out.
    pub generation: Generation,
    /// When it ends whatever happens.
    pub expires_at: Timestamp,
}

/// What a browser holds of a session.
#[derive(Debug)]
pub struct Issued {
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
    /// How long the session may go on.
    pub life_left: SignedDuration,
}

/// Writes access and refresh tokens.
#[derive(Debug)]
pub struct Issuer {
    /// The name tokens are issued under.
    pub name: String,
    /// How long tokens live.
    pub security: SecurityProfile,
    /// Sign access tokens.
    pub keys: SigningKeys,
    /// Writes refresh tokens.
    pub session_key: SessionKey,
    /// Tells the time.
    pub clock: Clock,
}

impl Issuer {
    /// Issues an access token and the session's refresh token.
    ///
    /// # Errors
    /// When no key signs.
    pub async fn issue(&self, person: &Person, session: SessionAt, now: Timestamp) -> Result<Issued, Error> {
        let until = session.expires_at.min(now + self.security.access);
        let validity = Validity { from: now, until };
        let jti = self.clock.new_id();
        let claims = Claims::new(&self.name, &person.account, person.role(), session.id, validity, jti);
        let refresh = RefreshToken { session: session.id, generation: session.generation };
        Ok(Issued {
            access_token: self.keys.sign(&claims, now).await?,
            refresh_token: self.session_key.write(refresh),
            life_left: session.expires_at.duration_since(now),
        })
    }
}
