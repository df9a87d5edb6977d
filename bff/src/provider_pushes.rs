//! What booking systems push: hints that a booking changed, signed over their address and their body. The service that
//! keeps the key checks them; nothing that they say is kept.

use axum::{
    Router,
    extract::{Extension, Path, Request, State},
    middleware::map_response,
    response::Response,
    routing::post,
};
use http::StatusCode;
use proto::{
    frontdesk::calendarsync::internal::v1::{
        TakeProviderPushRequest, TakeProviderPushResponse, provider_push_service_methods::TAKE_PROVIDER_PUSH,
    },
    webhook,
};

use crate::{
    Gateway, body,
    config::PublicUrl,
    edge::{Deadline, Limits, Route},
    refusal::Refusal,
};

const SIGNATURE: &str = "x-square-hmacsha256-signature";
/// Far more than any hint has.
const MOST_BYTES: usize = 64 << 10;

#[derive(Clone)]
struct Pushes {
    gateway: Gateway,
    public_url: PublicUrl,
    body_time: core::time::Duration,
}

/// The routes of pushes, which are signed for where people reach us.
pub fn routes(gateway: Gateway, public_url: PublicUrl, limits: &Limits) -> Router {
    let pushes = Pushes { gateway, public_url, body_time: limits.unsigned_body_time };
    Router::new().route(webhook::PROVIDER, post(receive).layer(map_response(routed))).with_state(pushes)
}

/// Names the route in the request's span.
async fn routed(mut response: Response) -> Response {
    response.extensions_mut().insert(Route(webhook::PROVIDER.to_owned()));
    response
}

async fn receive(
    State(Pushes { gateway, public_url, body_time }): State<Pushes>,
    Extension(deadline): Extension<Deadline>,
    Path(connection_id): Path<String>,
    request: Request,
) -> Result<StatusCode, Refusal> {
    let (parts, body) = request.into_parts();
    let signature = parts.headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    let signature = signature.unwrap_or_default().to_owned();
    let body = body::read_within(body, body_time).await?;
    if body.len() > MOST_BYTES {
        return Err(crate::edge::body_too_large());
    }
    let url = format!("{}{}", public_url.origin(), parts.uri.path());
    let message = TakeProviderPushRequest { connection_id, url, signature, body: body.to_vec() };
    let taken: Result<TakeProviderPushResponse, _> =
        gateway.call_as_door(&TAKE_PROVIDER_PUSH, None, deadline.left(), message).await;
    taken?;
    Ok(StatusCode::NO_CONTENT)
}
