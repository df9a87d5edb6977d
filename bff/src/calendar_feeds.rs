//! What other calendars read under the secret addresses of employees. Who knows an address needs nothing else.

use axum::{
    Router,
    extract::{Extension, Path, State},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
};
use proto::{
    calendar_feed::{ENDING, ROUTE},
    error::{Reason, refuse},
    frontdesk::calendarsync::internal::v1::{
        ReadCalendarFeedRequest, ReadCalendarFeedResponse,
        calendar_feed_read_service_methods::READ_CALENDAR_FEED,
    },
};

use crate::{
    Gateway,
    edge::{Deadline, Route},
    refusal::Refusal,
};

const ICALENDAR: &str = "text/calendar; charset=utf-8";
/// Nothing between keeps what only one may read; the reader asks again whether it changed.
const KEPT: &str = "private, no-cache";

/// The routes of feeds.
pub fn routes(gateway: Gateway) -> Router {
    Router::new().route(ROUTE, get(read).layer(map_response(routed))).with_state(gateway)
}

/// Names the route in the request's span: the address is a secret.
async fn routed(mut response: Response) -> Response {
    response.extensions_mut().insert(Route(ROUTE.to_owned()));
    response
}

async fn read(
    State(gateway): State<Gateway>,
    Extension(deadline): Extension<Deadline>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let unknown = || refuse(Reason::NotFound, "there is no such address");
    let token = file.strip_suffix(ENDING).ok_or_else(unknown)?.to_owned();
    let message = ReadCalendarFeedRequest { token };
    let feed: ReadCalendarFeedResponse =
        gateway.call_as_door(&READ_CALENDAR_FEED, None, deadline.left(), message).await?;
    let etag = format!("\"{}\"", feed.etag);
    let kept = [(ETAG, etag.clone()), (CACHE_CONTROL, KEPT.to_owned())];
    if is_known(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    Ok((kept, [(CONTENT_TYPE, ICALENDAR)], feed.calendar).into_response())
}

/// Whether the reader has this version already (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let said = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    said.flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
}
