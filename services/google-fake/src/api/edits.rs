//! Events that are inserted, updated and deleted.

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
};
use jiff::Timestamp;
use serde_json::Value;

use super::{Account, Refusal};
use crate::{EVENTS, GoogleFake, calendar::Stored, series};

pub(super) fn parse(body: &Bytes) -> Result<Value, Refusal> {
    serde_json::from_slice(body)
        .map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "parseError", "Parse Error"))
}

/// An event as it may be stored.
fn checked(event: &Value) -> Result<(), Refusal> {
    let at = |name: &str| -> Result<Timestamp, Refusal> {
        let when = &event[name];
        let text = when["dateTime"].as_str().map(str::to_owned);
        let text = text.or_else(|| Some(format!("{}T00:00:00Z", when["date"].as_str()?)));
        let text = text.ok_or_else(|| {
            Refusal::new(StatusCode::BAD_REQUEST, "required", format!("Missing {name} time."))
        })?;
        text.parse().map_err(|_| Refusal::invalid(format!("Invalid {name} time.")))
    };
    if at("end")? < at("start")? {
        let message = "The specified time range is empty.";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "timeRangeEmpty", message));
    }
    if !series::is_known(&event["recurrence"]) {
        return Err(Refusal::invalid("Invalid recurrence rule."));
    }
    Ok(())
}

/// Base32hex in lower case, as RFC 2938 has it.
fn is_event_id(id: &str) -> bool {
    (5..=1024).contains(&id.len()) && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'v'))
}

pub(super) async fn insert(
    State(google): State<GoogleFake>,
    account: Account,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    account.may(EVENTS)?;
    let event = parse(&body)?;
    let chosen = event["id"].as_str().map_or_else(crate::random, str::to_owned);
    if !is_event_id(&chosen) {
        return Err(Refusal::invalid("Invalid resource id value."));
    }
    checked(&event)?;
    let inserted = google.edit(&account.name, &id, |calendar| {
        // Also the id of an event that was deleted.
        if calendar.events.contains_key(&chosen) {
            let message = "The requested identifier already exists.";
            return Err(Refusal::new(StatusCode::CONFLICT, "duplicate", message));
        }
        Ok(calendar.put(&chosen, event))
    });
    inserted.map(Json)
}

/// Refuses what is not for the version that an event has now.
fn expected(headers: &HeaderMap, stored: &Stored) -> Result<(), Refusal> {
    match headers.get(header::IF_MATCH).and_then(|value| value.to_str().ok()) {
        None | Some("*") => Ok(()),
        Some(etag) if etag == stored.etag() => Ok(()),
        Some(_) => Err(Refusal::changed()),
    }
}

pub(super) async fn update(
    State(google): State<GoogleFake>,
    account: Account,
    Path((id, event_id)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    account.may(EVENTS)?;
    let event = parse(&body)?;
    checked(&event)?;
    let updated = google.edit(&account.name, &id, |calendar| {
        expected(&headers, calendar.events.get(&event_id).ok_or_else(Refusal::not_found)?)?;
        Ok(calendar.put(&event_id, event))
    });
    updated.map(Json)
}

pub(super) async fn delete(
    State(google): State<GoogleFake>,
    account: Account,
    Path((id, event_id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    account.may(EVENTS)?;
    google.edit(&account.name, &id, |calendar| {
        let stored = calendar.events.get(&event_id).ok_or_else(Refusal::not_found)?;
        if stored.is_cancelled() {
            return Err(Refusal::new(StatusCode::GONE, "deleted", "Resource has been deleted"));
        }
        expected(&headers, stored)?;
        calendar.delete(&event_id);
        Ok(StatusCode::NO_CONTENT)
    })
}
