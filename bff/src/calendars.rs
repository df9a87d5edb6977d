//! What calendar providers push: hints that a calendar changed. They come without a signature, with the token of
//! their channel alone; nothing that they say is kept.

use axum::{
    Router,
    extract::{Extension, Path, State},
    middleware::map_response,
    response::Response,
    routing::post,
};
use http::{HeaderMap, StatusCode};
use proto::{
    frontdesk::calendarsync::internal::v1::{
        TakePushRequest, TakePushResponse, calendar_push_service_methods::TAKE_PUSH,
    },
    webhook,
};

use crate::{
    Gateway,
    edge::{Deadline, Route},
    refusal::Refusal,
};

const CHANNEL_ID: &str = "x-goog-channel-id";
const CHANNEL_TOKEN: &str = "x-goog-channel-token";

/// The routes of pushes.
pub fn routes(gateway: Gateway) -> Router {
    Router::new().route(webhook::CALENDAR, post(receive).layer(map_response(routed))).with_state(gateway)
}

/// Names the route in the request's span.
async fn routed(mut response: Response) -> Response {
    response.extensions_mut().insert(Route(webhook::CALENDAR.to_owned()));
    response
}

/// A push has no body; one that comes with one is not read.
async fn receive(
    State(gateway): State<Gateway>,
    Extension(deadline): Extension<Deadline>,
    Path(connection_id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let message = TakePushRequest {
        connection_id,
        channel_id: header(CHANNEL_ID).to_owned(),
        token: header(CHANNEL_TOKEN).to_owned(),
    };
    let taken: Result<TakePushResponse, _> =
        gateway.call_as_door(&TAKE_PUSH, None, deadline.left(), message).await;
    taken?;
    Ok(StatusCode::NO_CONTENT)
}
