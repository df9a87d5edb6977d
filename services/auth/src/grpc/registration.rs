//! `RegistrationService`: accounts of people who are not signed in.

use caller::Unscoped;
use proto::frontdesk::auth::internal::v1::{
    DiagnoseUserRequest, DiagnoseUserResponse, ForgotPasswordRequest, ForgotPasswordResponse,
    GetInvitationRequest, GetInvitationResponse, RegisterRequest, RegisterResponse,
    RegistrationServiceHandler,
};
use tonic::{Status, async_trait};

use super::{client, email, name};
use crate::{
    Error,
    app::{
        diagnose_sign_in::Diagnoses,
        register_account::{Applicant, Registrar},
    },
    domain::{one_time_token::OneTimeTokenHash, password::Password},
};

/// Serves people who are not signed in.
#[derive(Debug)]
pub struct Registration {
    registrar: Registrar,
    diagnoses: Diagnoses,
}

impl Registration {
    /// Registration with a registrar.
    #[must_use]
    pub fn new(registrar: Registrar, diagnoses: Diagnoses) -> Self {
        Self { registrar, diagnoses }
    }
}

#[async_trait]
impl RegistrationServiceHandler for Registration {
    async fn register(&self, _: Unscoped, request: RegisterRequest) -> Result<RegisterResponse, Status> {
        let token = request.invitation.clone();
        let applicant = applicant(request)?;
        if token.is_empty() {
            self.registrar.register(applicant).await?;
        } else {
            self.registrar.join(applicant, OneTimeTokenHash::of(&token)).await?;
        }
        Ok(RegisterResponse {})
    }

    async fn get_invitation(
        &self,
        _: Unscoped,
        request: GetInvitationRequest,
    ) -> Result<GetInvitationResponse, Status> {
        let (invitation, has_account) =
            self.registrar.show(OneTimeTokenHash::of(&request.invitation)).await?;
        Ok(GetInvitationResponse {
            email: invitation.email.as_str().to_owned(),
            business_name: invitation.business_name,
            role: invitation.role.as_str().to_owned(),
            has_account,
        })
    }

    async fn forgot_password(
        &self,
        _: Unscoped,
        request: ForgotPasswordRequest,
    ) -> Result<ForgotPasswordResponse, Status> {
        let client = client(request.client)?;
        self.registrar.forgot(&email("email", &request.email)?, &client.origin).await?;
        Ok(ForgotPasswordResponse {})
    }

    async fn diagnose_user(
        &self,
        _: Unscoped,
        request: DiagnoseUserRequest,
    ) -> Result<DiagnoseUserResponse, Status> {
        let message = self.diagnoses.of(&email("email", &request.email)?).await?;
        Ok(DiagnoseUserResponse { message })
    }
}

fn applicant(request: RegisterRequest) -> Result<Applicant, Status> {
    let name = name("name", &request.name)?;
    let email = email("email", &request.email)?;
    let password =
        Password::new(request.password, &email).map_err(|rule| Error::invalid("password", rule))?;
    Ok(Applicant { name, email, password, origin: client(request.client)?.origin })
}
