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

use super::{client, email, name, tokens};
use crate::{
    Error,
    app::{
        admit_session::{Admission, AdmitSession},
        check_password::PasswordChecks,
        end_session::sign_out,
        find_business::Businesses,
        open_session::SessionOpener,
        refresh_session::RefreshSession,
        reset_password::ResetPassword,
        trust_device::Devices,
    },
    credentials::{hashing::Hasher, issue::Issuer, limits::Limits},
    domain::{
        account::display_role, device, device_code::DeviceCode, one_time_token::OneTimeTokenHash,
        password::Password,
    },
    measure::Measure,
    store::Store,
};

/// Serves `SessionService`.
#[derive(Debug)]
pub struct Sessions {
    store: Store,
    password_checks: PasswordChecks,
    opener: SessionOpener,
    refresh: RefreshSession,
    reset: ResetPassword,
    admit: AdmitSession,
    devices: Devices,
    issuer: Arc<Issuer>,
    measure: Measure,
}

impl Sessions {
    /// Sessions of a store.
    #[must_use]
    pub fn new(
        store: Store,
        hasher: Hasher,
        limits: Limits,
        password_checks: PasswordChecks,
        devices: Devices,
        issuer: Arc<Issuer>,
        businesses: Businesses,
    ) -> Self {
        let (opener, measure, clock) =
            (SessionOpener::new(issuer.clone()), Measure::new(), issuer.clock.clone());
        Self {
            refresh: RefreshSession {
                store: store.clone(),
                opener: opener.clone(),
                measure: measure.clone(),
            },
            reset: ResetPassword { store: store.clone(), hasher, limits, clock },
            admit: AdmitSession { store: store.clone(), businesses },
            store,
            password_checks,
            opener,
            devices,
            issuer,
            measure,
        }
    }

    fn now(&self) -> Timestamp {
        self.issuer.clock.now()
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
        let opened = self.password_checks.sign_in(&self.opener, email, password, &client).await;
        self.measure.sign_in(&opened);
        Ok(SignInResponse { tokens: Some(tokens(opened?)) })
    }

    async fn refresh(&self, _: Unscoped, request: RefreshRequest) -> Result<RefreshResponse, Status> {
        let client = client(request.client)?;
        let token = self.issuer.session_key.read(&request.refresh_token).ok_or(Error::SessionOver)?;
        Ok(RefreshResponse {
            tokens: Some(tokens(self.refresh.run(token, &client.origin, self.now()).await?)),
        })
    }

    async fn sign_out(&self, _: Unscoped, request: SignOutRequest) -> Result<SignOutResponse, Status> {
        if let Some(token) = self.issuer.session_key.read(&request.refresh_token) {
            sign_out(&self.store, token.session, self.now()).await?;
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
        let name = (!request.name.is_empty()).then(|| name("name", &request.name)).transpose()?;
        self.reset.run(token, request.new_password, name, &client.origin).await?;
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
        let admission = self.admit.run(session, person, business, self.now()).await?;
        Ok(admission.map(admitted).unwrap_or_default())
    }

    async fn get_jwks(&self, _: Unscoped, _: GetJwksRequest) -> Result<GetJwksResponse, Status> {
        Ok(GetJwksResponse { jwks: self.issuer.keys.published(self.now()).await? })
    }
}

fn admitted(Admission { standing, no_such_business }: Admission) -> AdmitResponse {
    AdmitResponse {
        alive: true,
        admin: standing.admin,
        role: standing.role.map_or_else(String::new, |role| role.as_str().to_owned()),
        display_role: display_role(standing.admin, standing.roles).to_string(),
        trusted_device: standing.trusted_device,
        no_such_business,
    }
}
