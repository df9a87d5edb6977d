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
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Browser, MessageResponse, client::ClientInfo};
use crate::{body::JsonBody, edge::Deadline, refusal::Refusal};

/// A new account.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    name: String,
    email: String,
    password: String,
    #[serde(default)]
    invitation: String,
}

/// The token of a mailed invitation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationToken {
    invitation: String,
}

/// The e-mail address of an account.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmailAddress {
    email: String,
}

/// A new password and the mailed token that allows setting it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PasswordReset {
    token: String,
    new_password: String,
    /// Of a person who was given an account, with their first password.
    #[serde(default)]
    name: String,
}

/// `POST /api/auth/register/employee`.
pub async fn register(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    JsonBody(Registration { name, email, password, invitation }): JsonBody<Registration>,
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
    JsonBody(InvitationToken { invitation }): JsonBody<InvitationToken>,
) -> Result<Json<GetInvitationResponse>, Refusal> {
    let message = GetInvitationRequest { invitation };
    Ok(Json(door.ask_auth(&methods::GET_INVITATION, deadline, message).await?))
}

/// `POST /api/auth/forgot-password`.
pub async fn forgot_password(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    JsonBody(EmailAddress { email }): JsonBody<EmailAddress>,
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
    JsonBody(PasswordReset { token, new_password, name }): JsonBody<PasswordReset>,
) -> Result<MessageResponse, Refusal> {
    let message = ResetPasswordRequest { token, new_password, client: Some(client), name };
    let ResetPasswordResponse {} = door.ask_auth(&RESET_PASSWORD, deadline, message).await?;
    Ok(MessageResponse::new("Your password has been reset successfully"))
}

/// `POST /api/auth/diagnose-user`, for developers.
pub async fn diagnose(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    JsonBody(EmailAddress { email }): JsonBody<EmailAddress>,
) -> Result<MessageResponse, Refusal> {
    let message = DiagnoseUserRequest { email };
    let answer: DiagnoseUserResponse = door.ask_auth(&methods::DIAGNOSE_USER, deadline, message).await?;
    Ok(MessageResponse::new(answer.message))
}
