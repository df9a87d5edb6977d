//! Trusting a device: the mailed code turns into a cookie.

use core::time::Duration;
use std::sync::Arc;

use axum::{
    extract::{Extension, State},
    response::{IntoResponse, Response},
};
use http::header;
use proto::frontdesk::auth::internal::v1::{
    ConfirmDeviceRequest, ConfirmDeviceResponse, session_service_methods::CONFIRM_DEVICE,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Browser, MessageResponse, SignedIn, client::ClientInfo, cookies};
use crate::{body::JsonBody, edge::Deadline, refusal::Refusal};

/// The six digits that were mailed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceCode {
    code: String,
}

/// `POST /api/v1/me/trusted-devices:confirm`.
pub async fn confirm(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    ClientInfo(client): ClientInfo,
    SignedIn(person): SignedIn,
    JsonBody(DeviceCode { code }): JsonBody<DeviceCode>,
) -> Result<Response, Refusal> {
    let message = ConfirmDeviceRequest {
        session_id: person.session.to_string(),
        user_id: person.user.to_string(),
        code,
        client: Some(client),
    };
    let ConfirmDeviceResponse { device, max_age_seconds } =
        door.ask_auth(&CONFIRM_DEVICE, deadline, message).await?;
    let life = Duration::from_secs(max_age_seconds.try_into().unwrap_or(0));
    let cookie = cookies::keep(cookies::DEVICE, &device, life);
    Ok(([(header::SET_COOKIE, cookie)], MessageResponse::new("This device is trusted now.")).into_response())
}
