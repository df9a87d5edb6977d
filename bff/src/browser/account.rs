//! Accounts of people who are not signed in: registering, an invitation, a forgotten password.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Extension, State},
};
use proto::frontdesk::auth::internal::v1::{
    DiagnoseUserRequest, DiagnoseUserResponse, ForgotPasswordRequest, ForgotPasswordResponse,
    GetInvitationRequest, GetInvitationResponse, RegisterRequest, RegisterResponse, ResetPasswordRequest,
    ResetPasswordResponse, registration_service_methods as methods, session_service_methods::RESET_PASSWORD,
};
use serde::Deserialize;

use super::{Browser, MessageResponse, client::ClientInfo};
use crate::{body::JsonBody, edge::Deadline, refusal::Refusal};

/// A registration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applicant {
    name: String,
    email: String,
    password: String,
    #[serde(default)]
    invitation: String,
}

/// The token of a mailed invitation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invited {
    invitation: String,
}

/// Whose account it is about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addressee {
    email: String,
}

/// A password and the token that allows to set it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewPassword {
    token: String,
    new_password: String,
}

/// `POST /api/auth/register/employee`.
pub async fn register(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    JsonBody(Applicant { name, email, password, invitation }): JsonBody<Applicant>,
) -> Result<MessageResponse, Refusal> {
    let told = if invitation.is_empty() {
        "We have sent you an e-mail. Open the link in it to confirm your address."
    } else {
        "Your account is ready. You can sign in now."
    };
    let message = RegisterRequest { name, email, password, invitation, client: Some(client) };
    let RegisterResponse {} = door.ask_auth(&methods::REGISTER, deadline, message).await?;
    Ok(MessageResponse::new(told))
}

/// `POST /api/auth/invitation`: the token is posted, since addresses are written to logs.
pub async fn invitation(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    JsonBody(Invited { invitation }): JsonBody<Invited>,
) -> Result<Json<GetInvitationResponse>, Refusal> {
    let message = GetInvitationRequest { invitation };
    Ok(Json(door.ask_auth(&methods::GET_INVITATION, deadline, message).await?))
}

/// `POST /api/auth/forgot-password`.
pub async fn forgot_password(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    JsonBody(Addressee { email }): JsonBody<Addressee>,
) -> Result<MessageResponse, Refusal> {
    let message = ForgotPasswordRequest { email, client: Some(client) };
    let ForgotPasswordResponse {} = door.ask_auth(&methods::FORGOT_PASSWORD, deadline, message).await?;
    Ok(MessageResponse::new(
        "If there is an account with this e-mail, we have sent it a link to set a new password.",
    ))
}

/// `POST /api/auth/reset-password`.
pub async fn reset_password(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    JsonBody(NewPassword { token, new_password }): JsonBody<NewPassword>,
) -> Result<MessageResponse, Refusal> {
    let message = ResetPasswordRequest { token, new_password, client: Some(client) };
    let ResetPasswordResponse {} = door.ask_auth(&RESET_PASSWORD, deadline, message).await?;
    Ok(MessageResponse::new("Your password has been reset successfully"))
}

/// `POST /api/auth/diagnose-user`, for developers.
pub async fn diagnose(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    JsonBody(Addressee { email }): JsonBody<Addressee>,
) -> Result<MessageResponse, Refusal> {
    let message = DiagnoseUserRequest { email };
    let answer: DiagnoseUserResponse = door.ask_auth(&methods::DIAGNOSE_USER, deadline, message).await?;
    Ok(MessageResponse::new(answer.message))
}
