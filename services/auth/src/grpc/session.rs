//! `SessionService`: sessions, for the browser door.

use caller::{BusinessId, SessionId, Unscoped, UserId};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::auth::internal::v1::{
        AdmitRequest, AdmitResponse, GetJwksRequest, GetJwksResponse, RefreshRequest, RefreshResponse,
        ResetPasswordRequest, ResetPasswordResponse, SessionServiceHandler, SignInRequest, SignInResponse,
        SignOutRequest, SignOutResponse, Tokens,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::email;
use crate::{
    Error,
    domain::{
        account::{Account, display_role},
        email::Email,
        one_time_token::OneTimeTokenHash,
        password::{Password, PasswordHash},
        refresh::{Decision, Generation},
        refresh_token::RefreshToken,
    },
    hashing::{Hasher, Verdict},
    issue::{Issuer, Person, SessionAt},
    measure::Measure,
    store::{EndReason, NewSession, Standing, Store, Tx},
};

/// Opens, goes on with and ends sessions.
#[derive(Debug)]
pub struct Sessions {
    store: Store,
    hasher: Hasher,
    issuer: Issuer,
    measure: Measure,
}

/// A person who has proved who they are.
struct Checked {
    account: Account,
    stored: PasswordHash,
    renewed: Option<PasswordHash>,
}

impl Sessions {
    /// Sessions of a store.
    #[must_use]
    pub fn new(store: Store, hasher: Hasher, issuer: Issuer) -> Self {
        Self { store, hasher, issuer, measure: Measure::new() }
    }

    fn now(&self) -> Timestamp {
        self.issuer.clock.now()
    }

    /// Whose e-mail and password these are.
    async fn check(&self, email: &Email, password: Password) -> Result<Checked, Error> {
        let tx = self.store.begin().await?;
        let known = tx.credentials(email).await?;
        // No connection is held while the password is hashed.
        tx.commit().await?;
        let stored = known.as_ref().and_then(|known| known.password.clone());
        match (self.hasher.verify(password, stored.clone()).await?, known, stored) {
            (Verdict::Right { renewed }, Some(known), Some(stored)) => {
                Ok(Checked { account: known.account, stored, renewed })
            }
            _ => Err(Error::WrongCredentials),
        }
    }

    async fn open(&self, email: &Email, password: Password) -> Result<Tokens, Error> {
        let Checked { account, stored, renewed } = self.check(email, password).await?;
        let now = self.now();
        let session = SessionAt {
            id: SessionId(self.issuer.clock.new_id()),
            generation: Generation::FIRST,
            expires_at: now + self.issuer.lifetimes.session,
        };
        let tx = self.store.begin().await?;
        if let Some(renewed) = &renewed {
            tx.rehash(account.id, &stored, renewed).await?;
        }
        let SessionAt { id, expires_at, .. } = session;
        let new = NewSession { id, person: account.id, opened_at: now, expires_at };
        tx.open_session(&new, renewed.as_ref().unwrap_or(&stored)).await?;
        let memberships = tx.memberships(account.id).await?;
        tx.commit().await?;
        self.grant(&Person { account, memberships }, session, now).await
    }

    async fn go_on(&self, token: RefreshToken) -> Result<Tokens, Error> {
        let now = self.now();
        let tx = self.store.begin().await?;
        loop {
            let session = tx.session(token.session).await?.ok_or(Error::SessionOver)?;
            let generation = match session.family.present(token.generation, now) {
                Decision::Rotate(successor) if tx.rotate(token.session, token.generation, now).await? => {
                    successor
                }
                // Another tab was faster: the decision is made again on what it left.
                Decision::Rotate(_) => continue,
                Decision::Repeat(current) => current,
                Decision::Revoke => return self.revoke(tx, token.session, now).await,
                Decision::Refuse => return Err(Error::SessionOver),
            };
            let account = tx.account(session.person).await?;
            let memberships = tx.memberships(session.person).await?;
            tx.commit().await?;
            let at = SessionAt { id: token.session, generation, expires_at: session.family.expires_at };
            return self.grant(&Person { account, memberships }, at, now).await;
        }
    }

    async fn revoke(&self, tx: Tx, session: SessionId, now: Timestamp) -> Result<Tokens, Error> {
        tx.end_session(session, EndReason::TokenReused, now).await?;
        tx.commit().await?;
        self.measure.revoked();
        tracing::warn!(%session, "an old refresh token was presented; the session is revoked");
        Err(Error::SessionOver)
    }

    async fn grant(&self, person: &Person, session: SessionAt, now: Timestamp) -> Result<Tokens, Error> {
        let issued = self.issuer.issue(person, session, now).await?;
        Ok(Tokens {
            access_token: issued.access_token,
            refresh_token: issued.refresh_token,
            session_id: session.id.to_string(),
            refresh_max_age_seconds: i32::try_from(issued.life_left.as_secs()).unwrap_or(i32::MAX),
            role: person.role().to_string(),
            business_ids: person.memberships.iter().map(|m| m.business.to_string()).collect(),
        })
    }
}

#[async_trait]
impl SessionServiceHandler for Sessions {
    async fn sign_in(&self, _: Unscoped, request: SignInRequest) -> Result<SignInResponse, Status> {
        let email = email("email", &request.email)?;
        if request.password.is_empty() {
            return Err(invalid("password", "is required"));
        }
        let opened = match Password::presented(request.password) {
            Some(password) => self.open(&email, password).await,
            None => Err(Error::WrongCredentials),
        };
        self.measure.sign_in(&opened);
        Ok(SignInResponse { tokens: Some(opened?) })
    }

    async fn refresh(&self, _: Unscoped, request: RefreshRequest) -> Result<RefreshResponse, Status> {
        let token = self.issuer.session_key.read(&request.refresh_token).ok_or(Error::SessionOver)?;
        Ok(RefreshResponse { tokens: Some(self.go_on(token).await?) })
    }

    async fn sign_out(&self, _: Unscoped, request: SignOutRequest) -> Result<SignOutResponse, Status> {
        if let Some(token) = self.issuer.session_key.read(&request.refresh_token) {
            let tx = self.store.begin().await?;
            tx.end_session(token.session, EndReason::SignedOut, self.now()).await?;
            tx.commit().await?;
        }
        Ok(SignOutResponse {})
    }

    async fn reset_password(
        &self,
        _: Unscoped,
        request: ResetPasswordRequest,
    ) -> Result<ResetPasswordResponse, Status> {
        let token = OneTimeTokenHash::of(&request.token);
        let tx = self.store.begin().await?;
        let owner = tx.token_owner(token, self.now()).await?;
        tx.commit().await?;
        let password = Password::new(request.new_password, &owner.email)
            .map_err(|rule| Error::invalid("new_password", rule))?;
        let hash = self.hasher.hash(password).await?;
        let now = self.now();
        let tx = self.store.begin().await?;
        // First, because it locks the account: two links used at once take turns.
        tx.set_password(owner.id, &hash).await?;
        tx.spend_token(token, owner.id, now).await?;
        tx.end_sessions_of(owner.id, EndReason::PasswordReset, now).await?;
        tx.commit().await?;
        Ok(ResetPasswordResponse {})
    }

    async fn admit(&self, _: Unscoped, request: AdmitRequest) -> Result<AdmitResponse, Status> {
        let session: SessionId = parse::id("session_id", &request.session_id)?;
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let business: Option<BusinessId> = parse::optional_id("business_id", &request.business_id)?;
        let tx = self.store.begin().await?;
        let standing = tx.standing(session, business).await?;
        tx.commit().await?;
        let now = self.now();
        let alive =
            |standing: &Standing| standing.session.person == person && standing.session.family.is_alive(now);
        Ok(standing.filter(alive).map(admitted).unwrap_or_default())
    }

    async fn get_jwks(&self, _: Unscoped, _: GetJwksRequest) -> Result<GetJwksResponse, Status> {
        Ok(GetJwksResponse { jwks: self.issuer.keys.published(self.now()).await? })
    }
}

fn admitted(standing: Standing) -> AdmitResponse {
    AdmitResponse {
        alive: true,
        admin: standing.admin,
        role: standing.role.map_or_else(String::new, |role| role.as_str().to_owned()),
        display_role: display_role(standing.admin, standing.roles).to_string(),
    }
}
