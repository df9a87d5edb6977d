//! Google Calendar API, v3: calendar list, events and channels.

mod edits;
mod listing;
mod refusal;

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{FromRequestParts, Path, Query, State},
    http::{StatusCode, header, request::Parts},
    routing::{get, post},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    EVENTS, GoogleFake, LIST,
    calendar::{Calendar, Role},
    series,
};
use edits::{delete, insert, parse, update};
use listing::{instant, list};
pub(crate) use refusal::Refusal;

/// The account of a request's access token.
pub(crate) struct Account {
    name: String,
    scopes: BTreeSet<String>,
}

impl Account {
    fn may(&self, scope: &str) -> Result<(), Refusal> {
        if self.scopes.contains(scope) {
            return Ok(());
        }
        let message = "Request had insufficient authentication scopes.";
        Err(Refusal::new(StatusCode::FORBIDDEN, "insufficientPermissions", message))
    }
}

impl FromRequestParts<GoogleFake> for Account {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, google: &GoogleFake) -> Result<Self, Refusal> {
        let token = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = token.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        let (now, state) = (google.clock.now(), google.lock());
        let (name, scopes) = state
            .authority
            .opened(token, now)
            .ok_or_else(|| Refusal::new(StatusCode::UNAUTHORIZED, "authError", "Invalid Credentials"))?;
        Ok(Self { name: name.to_owned(), scopes: scopes.clone() })
    }
}

type Asked = BTreeMap<String, String>;

pub(crate) fn routes() -> Router<GoogleFake> {
    Router::new()
        .route("/users/me/calendarList", get(calendars))
        .route("/users/me/calendarList/{calendar}", get(calendar))
        .route("/calendars/{calendar}/events", get(list).post(insert))
        .route("/calendars/{calendar}/events/watch", post(watch))
        .route("/calendars/{calendar}/events/{event}", get(event).put(update).delete(delete))
        .route("/calendars/{calendar}/events/{event}/instances", get(instances))
        .route("/channels/stop", post(stop))
}

fn entry(id: &str, calendar: &Calendar, account: &Account) -> Value {
    json!({ "kind": "calendar#calendarListEntry", "id": id, "summary": calendar.summary,
        "accessRole": calendar.role.name(), "primary": id == account.name })
}

async fn calendars(
    State(google): State<GoogleFake>,
    account: Account,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Refusal> {
    account.may(LIST)?;
    let least = match asked.get("minAccessRole").map(String::as_str) {
        None | Some("freeBusyReader" | "reader") => Role::Reader,
        Some("writer") => Role::Writer,
        Some("owner") => Role::Owner,
        Some(_) => return Err(Refusal::invalid("minAccessRole")),
    };
    let state = google.lock();
    let own = state.calendars.iter().filter(|((owner, _), it)| *owner == account.name && it.role >= least);
    let items: Vec<Value> = own.map(|((_, id), calendar)| entry(id, calendar, &account)).collect();
    Ok(Json(json!({ "kind": "calendar#calendarList", "items": items })))
}

async fn calendar(
    State(google): State<GoogleFake>,
    account: Account,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    account.may(LIST)?;
    let state = google.lock();
    let id = state.named(&account.name, &id);
    let found = state.calendar(&account.name, &id).ok_or_else(Refusal::not_found)?;
    Ok(Json(entry(&id, found, &account)))
}

async fn event(
    State(google): State<GoogleFake>,
    account: Account,
    Path((id, event)): Path<(String, String)>,
) -> Result<Json<Value>, Refusal> {
    account.may(EVENTS)?;
    let state = google.lock();
    let calendar = state.calendar(&account.name, &id).ok_or_else(Refusal::not_found)?;
    let stored = calendar.events.get(&event).ok_or_else(Refusal::not_found)?;
    Ok(Json(stored.shown()))
}

async fn instances(
    State(google): State<GoogleFake>,
    account: Account,
    Path((id, event)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Refusal> {
    account.may(EVENTS)?;
    let from = instant(&asked, "timeMin")?.unwrap_or(Timestamp::MIN);
    let to = instant(&asked, "timeMax")?.unwrap_or(Timestamp::MAX);
    let state = google.lock();
    let calendar = state.calendar(&account.name, &id).ok_or_else(Refusal::not_found)?;
    let stored = calendar.events.get(&event).filter(|stored| !stored.is_cancelled());
    let found = series::instances(calendar, stored.ok_or_else(Refusal::not_found)?, (from, to));
    Ok(Json(json!({ "kind": "calendar#events", "items": found.unwrap_or_default() })))
}

async fn watch(
    State(google): State<GoogleFake>,
    account: Account,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    account.may(EVENTS)?;
    let (now, mut state) = (google.clock.now(), google.lock());
    let id = state.named(&account.name, &id);
    state.calendar(&account.name, &id).ok_or_else(Refusal::not_found)?;
    state.watch(&account.name, &id, &parse(&body)?, now).map(Json)
}

async fn stop(
    State(google): State<GoogleFake>,
    account: Account,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    account.may(EVENTS)?;
    let (now, mut state) = (google.clock.now(), google.lock());
    state.stop(&account.name, &parse(&body)?, now)?;
    Ok(StatusCode::NO_CONTENT)
}
