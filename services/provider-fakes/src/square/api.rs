//! The API: a bearer token, a version of the API with each request, versions and idempotency keys on changes.

use axum::{
    Json, Router,
    extract::{Path, Request, State},
    http::{Method, StatusCode, header::AUTHORIZATION},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    LOCATION, Square, TOKEN,
    book::{Book, Segment, TEAM, VARIATIONS},
    listing,
    refused::{Refused, bad, unknown},
};
use crate::fault::Fault;

const VERSION: &str = "square-version";
const LONGEST_KEY: usize = 255;

pub(super) fn routes(square: Square) -> Router {
    Router::new()
        .route("/v2/locations/{id}", get(location))
        .route("/v2/team-members/search", post(listing::team))
        .route("/v2/catalog/search-catalog-items", post(listing::items))
        .route("/v2/catalog/object/{id}", get(listing::object))
        .route("/v2/bookings", get(listing::bookings).post(create))
        .route("/v2/bookings/availability/search", post(listing::availability))
        .route("/v2/bookings/{id}", get(retrieve).put(update))
        .route("/v2/bookings/{id}/cancel", post(cancel))
        .layer(from_fn_with_state(square.clone(), enter))
        .with_state(square)
}

/// Checks who calls, with which version; says whether something is changed.
fn admit(request: &Request) -> Result<bool, Refused> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let token = header(AUTHORIZATION.as_str()).and_then(|value| value.strip_prefix("Bearer "));
    if token != Some(TOKEN) {
        let detail = "This request could not be authorized.".to_owned();
        return Err(Refused(StatusCode::UNAUTHORIZED, "AUTHENTICATION_ERROR", "UNAUTHORIZED", detail));
    }
    if header(VERSION).and_then(|version| version.parse::<Date>().ok()).is_none() {
        return Err(bad("INVALID_SQUARE_VERSION_FORMAT", "the fake wants the version to be pinned"));
    }
    // Searches are posted, and change nothing.
    Ok(*request.method() != Method::GET && !request.uri().path().contains("/search"))
}

/// Meets faults.
async fn enter(State(square): State<Square>, request: Request, next: Next) -> Response {
    let writes = match admit(&request) {
        Ok(writes) => writes,
        Err(refused) => return refused.into_response(),
    };
    let fault = square.lock().faults.next(writes);
    match fault {
        Some(Fault::Unavailable) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(Fault::TooManyRequests) => {
            let detail = "Too many requests.".to_owned();
            Refused(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMIT_ERROR", "RATE_LIMITED", detail).into_response()
        }
        Some(Fault::Refused) => bad("INVALID_VALUE", "Square refuses this booking.").into_response(),
        Some(Fault::LostAnswer) => {
            next.run(request).await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        None => next.run(request).await,
    }
}

async fn location(Path(id): Path<String>) -> Result<Json<Value>, Refused> {
    if id != LOCATION {
        return Err(unknown());
    }
    Ok(Json(
        json!({ "location": { "id": LOCATION, "name": "Willow", "status": "ACTIVE", "timezone": "Europe/London" } }),
    ))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Create {
    idempotency_key: String,
    booking: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    start_at: Timestamp,
    location_id: String,
    #[serde(default)]
    seller_note: String,
    appointment_segments: Vec<Segment>,
    version: Option<i64>,
}

/// A booking as it is sent, if it is one that can be made.
fn given(booking: Value) -> Result<Given, Refused> {
    let given: Given = serde_json::from_value(booking)
        .map_err(|error| bad("MISSING_REQUIRED_PARAMETER", &error.to_string()))?;
    if given.location_id != LOCATION {
        return Err(bad("INVALID_VALUE", "location_id"));
    }
    if given.appointment_segments.is_empty() {
        return Err(bad("MISSING_REQUIRED_PARAMETER", "appointment_segments"));
    }
    for segment in &given.appointment_segments {
        let is_active = TEAM.iter().any(|(id, _, _, active)| *id == segment.team_member_id && *active);
        let variation = VARIATIONS.iter().find(|(_, id, ..)| *id == segment.service_variation_id);
        match variation {
            _ if !is_active => return Err(bad("INVALID_VALUE", "team_member_id")),
            None => return Err(bad("INVALID_VALUE", "service_variation_id")),
            Some((_, _, _, version, _)) if *version != segment.service_variation_version => {
                return Err(bad("INVALID_VALUE", "service_variation_version is not the current one"));
            }
            Some(_) if segment.duration_minutes < 1 => return Err(bad("INVALID_VALUE", "duration_minutes")),
            Some(_) => {}
        }
    }
    Ok(given)
}

fn answer(book: &Book, id: &str) -> Result<Json<Value>, Refused> {
    let booking = book.bookings.get(id).ok_or_else(unknown)?;
    Ok(Json(json!({ "booking": booking.json() })))
}

async fn create(State(square): State<Square>, Json(create): Json<Create>) -> Result<Json<Value>, Refused> {
    let Create { idempotency_key: key, booking } = create;
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(bad("MISSING_REQUIRED_PARAMETER", "idempotency_key"));
    }
    let sent = booking.clone();
    let Given { start_at, seller_note, appointment_segments, .. } = given(booking)?;
    square.edit(|book, now| match book.keys.get(&key).cloned() {
        Some((before, id)) if before == sent => answer(book, &id),
        Some(_) => Err(bad("IDEMPOTENCY_KEY_REUSED", "the key came with another booking")),
        None => {
            let id = book.make(start_at, seller_note, appointment_segments, now);
            book.keys.insert(key, (sent, id.clone()));
            answer(book, &id)
        }
    })
}

async fn retrieve(State(square): State<Square>, Path(id): Path<String>) -> Result<Json<Value>, Refused> {
    answer(&square.lock().book, &id)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    booking: Value,
}

/// The booking, if it can be changed in this version.
fn changeable(book: &Book, id: &str, version: Option<i64>) -> Result<(), Refused> {
    let booking = book.bookings.get(id).ok_or_else(unknown)?;
    if !booking.stands() {
        return Err(bad("BAD_REQUEST", "the booking was cancelled"));
    }
    match version {
        None => Err(bad("MISSING_REQUIRED_PARAMETER", "version")),
        Some(version) if version != booking.version => {
            let detail = "the booking has another version".to_owned();
            Err(Refused(StatusCode::CONFLICT, "INVALID_REQUEST_ERROR", "VERSION_MISMATCH", detail))
        }
        Some(_) => Ok(()),
    }
}

async fn update(
    State(square): State<Square>,
    Path(id): Path<String>,
    Json(update): Json<Update>,
) -> Result<Json<Value>, Refused> {
    let given = given(update.booking)?;
    square.edit(|book, now| {
        changeable(book, &id, given.version)?;
        book.change(&id, now, |booking| {
            booking.start_at = given.start_at;
            booking.seller_note = given.seller_note;
            booking.appointment_segments = given.appointment_segments;
        });
        answer(book, &id)
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancel {
    booking_version: Option<i64>,
    #[serde(rename = "idempotency_key")]
    _key: Option<String>,
}

async fn cancel(
    State(square): State<Square>,
    Path(id): Path<String>,
    Json(cancel): Json<Cancel>,
) -> Result<Json<Value>, Refused> {
    square.edit(|book, now| {
        changeable(book, &id, cancel.booking_version)?;
        book.cancel(&id, now);
        answer(book, &id)
    })
}
