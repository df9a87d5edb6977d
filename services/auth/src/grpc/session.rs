//! `SessionService`: sessions, for the browser door.

use std::sync::Arc;

use caller::{BusinessId, SessionId, Unscoped, UserId};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::auth::internal::v1::{
        AdmitRequest, AdmitResponse, ConfirmDeviceRequest, ConfirmDeviceResponse, GetJwksRequest,
        GetJwksResponse, RefreshRequest, RefreshResponse, ResetPasswordRequest, ResetPasswordResponse,
        SessionServiceHandler, SignInRequest, SignInResponse, SignOutRequest, SignOutResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::{client, email, tokens};
use crate::{
    Error,
    businesses::Businesses,
    devices::Devices,
    domain::{
        account::display_role,
        client::Origin,
        device,
        device_code::DeviceCode,
        letter,
        one_time_token::OneTimeTokenHash,
        password::Password,
        refresh::Decision,
        refresh_token::RefreshToken,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    hashing::Hasher,
    issue::{Issuer, Person, SessionAt},
    limits::Limits,
    measure::Measure,
    opening::{Granted, Opener},
    proof::Proofs,
    store::{EndReason, Standing, Store, Tx},
};

/// Opens, goes on with and ends sessions.
#[derive(Debug)]
pub struct Sessions {
    store: Store,
    hasher: Hasher,
    limits: Limits,
    proofs: Proofs,
    opener: Opener,
    devices: Devices,
    issuer: Arc<Issuer>,
    businesses: Businesses,
    measure: Measure,
}

impl Sessions {
    /// Sessions of a store.
    #[must_use]
    pub fn new(
        store: Store,
        hasher: Hasher,
        limits: Limits,
        proofs: Proofs,
        devices: Devices,
        issuer: Arc<Issuer>,
        businesses: Businesses,
    ) -> Self {
        let opener = Opener::new(issuer.clone());
        Self { store, hasher, limits, proofs, opener, devices, issuer, businesses, measure: Measure::new() }
    }

    fn now(&self) -> Timestamp {
        self.issuer.clock.now()
    }

    async fn go_on(&self, token: RefreshToken, origin: &Origin) -> Result<Granted, Error> {
        let now = self.now();
        let tx = self.store.begin();
        loop {
            let session = tx.session(token.session).await?.ok_or(Error::SessionOver)?;
            let generation = match session.family.present(token.generation, now) {
                Decision::Rotate(successor)
                    if tx.rotate(token.session, token.generation, origin, now).await? =>
                {
                    successor
                }
                // Another tab was faster: the decision is made again on what it left.
                Decision::Rotate(_) => continue,
                Decision::Repeat(current) => current,
                Decision::Revoke => return self.revoke(tx, token.session, origin, now).await,
                Decision::Refuse => return Err(Error::SessionOver),
            };
            let account = tx.account(session.person).await?;
            let memberships = tx.memberships(session.person).await?;
            tx.commit().await?;
            let at = SessionAt { id: token.session, generation, expires_at: session.family.expires_at };
            return self.opener.grant(Person { account, memberships }, at, now).await;
        }
    }

    async fn revoke(
        &self,
        tx: Tx,
        session: SessionId,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<Granted, Error> {
        if let Some(person) = tx.end_session(session, EndReason::TokenReused, now).await? {
            let event = NewSecurityEvent::of(person, SecurityEventKind::TokenReused).from(origin);
            tx.record(&event, now).await?;
        }
        tx.commit().await?;
        self.measure.revoked();
        tracing::warn!(%session, "an old refresh token was presented; the session is revoked");
        Err(Error::SessionOver)
    }
}

#[async_trait]
impl SessionServiceHandler for Sessions {
    async fn sign_in(&self, _: Unscoped, request: SignInRequest) -> Result<SignInResponse, Status> {
        let email = email("email", &request.email)?;
        if request.password.is_empty() {
            return Err(invalid("password", "is required"));
        }
        let client = client(request.client)?;
        let password = Password::presented(request.password);
        let opened = self.proofs.sign_in(&self.opener, email, password, &client).await;
        self.measure.sign_in(&opened);
        Ok(SignInResponse { tokens: Some(tokens(opened?)) })
    }

    async fn refresh(&self, _: Unscoped, request: RefreshRequest) -> Result<RefreshResponse, Status> {
        let client = client(request.client)?;
        let token = self.issuer.session_key.read(&request.refresh_token).ok_or(Error::SessionOver)?;
        Ok(RefreshResponse { tokens: Some(tokens(self.go_on(token, &client.origin).await?)) })
    }

    async fn sign_out(&self, _: Unscoped, request: SignOutRequest) -> Result<SignOutResponse, Status> {
        if let Some(token) = self.issuer.session_key.read(&request.refresh_token) {
            let now = self.now();
            let tx = self.store.begin();
            if let Some(person) = tx.end_session(token.session, EndReason::SignedOut, now).await? {
                let origin = tx.origin_of(token.session).await?;
                let event = NewSecurityEvent::of(person, SecurityEventKind::SignedOut).from(&origin);
                tx.record(&event, now).await?;
            }
            tx.commit().await?;
        }
        Ok(SignOutResponse {})
    }

    async fn reset_password(
        &self,
        _: Unscoped,
        request: ResetPasswordRequest,
    ) -> Result<ResetPasswordResponse, Status> {
        let client = client(request.client)?;
        let token = OneTimeTokenHash::of(&request.token);
        let tx = self.store.begin();
        let owner = tx.token_owner(token, self.now()).await?;
        tx.commit().await?;
        let password = Password::new(request.new_password, &owner.email)
            .map_err(|rule| Error::invalid("new_password", rule))?;
        let hash = self.hasher.hash(password).await?;
        let now = self.now();
        let tx = self.store.begin();
        // First, because it locks the account: two links used at once take turns.
        tx.set_password(owner.id, &hash).await?;
        tx.spend_token(token, owner.id, now).await?;
        tx.end_sessions_of(owner.id, EndReason::PasswordReset, now).await?;
        tx.revoke_devices_of(owner.id).await?;
        // The link was mailed there, or handed over by an operator who knew whose it is. What
        // somebody else may have put into the account before goes.
        if tx.verify_email(owner.id, now).await? {
            tx.remove_identities_of(owner.id).await?;
        }
        tx.forget_email_proofs_of(owner.id).await?;
        let event = NewSecurityEvent::of(owner.id, SecurityEventKind::PasswordReset).from(&client.origin);
        tx.record(&event, now).await?;
        tx.queue_mail(&letter::password_reset(&owner.email), now).await?;
        tx.commit().await?;
        self.limits.lift(&owner.email).await;
        Ok(ResetPasswordResponse {})
    }

    async fn confirm_device(
        &self,
        _: Unscoped,
        request: ConfirmDeviceRequest,
    ) -> Result<ConfirmDeviceResponse, Status> {
        let session: SessionId = parse::id("session_id", &request.session_id)?;
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let code = DeviceCode::parse(&request.code).map_err(|rule| Error::invalid("code", rule))?;
        let client = client(request.client)?;
        let device = self.devices.confirm(person, session, &code, &client).await?;
        let max_age_seconds = i32::try_from(device::LIFE.as_secs()).unwrap_or(i32::MAX);
        Ok(ConfirmDeviceResponse { device: device.write(), max_age_seconds })
    }

    async fn admit(&self, _: Unscoped, request: AdmitRequest) -> Result<AdmitResponse, Status> {
        let session: SessionId = parse::id("session_id", &request.session_id)?;
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let business: Option<BusinessId> = parse::optional_id("business_id", &request.business_id)?;
        let tx = self.store.begin();
        let now = self.now();
        let standing = tx.standing(session, business, now).await?;
        tx.commit().await?;
        let alive =
            |standing: &Standing| standing.session.person == person && standing.session.family.is_alive(now);
        let Some(standing) = standing.filter(alive) else { return Ok(AdmitResponse::default()) };
        let no_such_business = match business {
            Some(business) if standing.admin && !standing.business_known => {
                !self.businesses.exists(business).await?
            }
            _ => false,
        };
        Ok(AdmitResponse { no_such_business, ..admitted(standing) })
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
        trusted_device: standing.trusted_device,
        no_such_business: false,
    }
}
