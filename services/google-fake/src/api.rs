//! Google Calendar API, v3: calendar list, events and channels.

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{FromRequestParts, Path, Query, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    EVENTS, GoogleFake, LIST,
    calendar::{Calendar, Role, Stored},
    series,
};

/// What a listing takes at all.
const PARAMETERS: [&str; 14] = [
    "maxResults",
    "pageToken",
    "syncToken",
    "fields",
    "showDeleted",
    "singleEvents",
    "timeMin",
    "timeMax",
    "updatedMin",
    "orderBy",
    "q",
    "iCalUID",
    "privateExtendedProperty",
    "sharedExtendedProperty",
];
/// What a request with a sync token must not have.
const FORBIDDEN: [&str; 8] = [
    "iCalUID",
    "orderBy",
    "privateExtendedProperty",
    "q",
    "sharedExtendedProperty",
    "timeMin",
    "timeMax",
    "updatedMin",
];

/// An error as Google words it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: &'static str,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { status, reason, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "notFound", "Not Found")
    }

    pub(crate) fn limited(reason: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, reason, "Rate Limit Exceeded")
    }

    pub(crate) fn forgotten() -> Self {
        Self::new(
            StatusCode::GONE,
            "fullSyncRequired",
            "Sync token is no longer valid, a full sync is required.",
        )
    }

    pub(crate) fn read_only() -> Self {
        let message = "You need to have writer access to this calendar.";
        Self::new(StatusCode::FORBIDDEN, "requiredAccessLevel", message)
    }

    fn changed() -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, "conditionNotMet", "Precondition Failed")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let domain = if self.reason.contains("Limit") { "usageLimits" } else { "global" };
        let error = json!({ "domain": domain, "reason": self.reason, "message": self.message });
        let body = json!({ "error": {
            "code": self.status.as_u16(), "message": self.message, "errors": [error],
        } });
        (self.status, Json(body)).into_response()
    }
}

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

/// What a token of a listing says: where it goes on, and with which other parameters.
fn token(kind: char, at: u64, head: u64, asked: &Asked) -> String {
    let same: Vec<String> = asked
        .iter()
        .filter(|(name, _)| !FORBIDDEN.contains(&name.as_str()) && !name.ends_with("Token"))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{kind}/{at}/{head}/{}", same.join("&"))
}

/// Reads a token that was given for the same parameters.
fn place(text: &str, kind: char, asked: &Asked) -> Result<(u64, u64), Refusal> {
    let unknown = || if kind == 's' { Refusal::forgotten() } else { Refusal::invalid("pageToken") };
    let mut parts = text.splitn(4, '/');
    let is_kind = parts.next() == Some(kind.to_string().as_str());
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u64>().ok());
    let (at, head) = (number(parts.next()), number(parts.next()));
    let (at, head) = at.zip(head).filter(|_| is_kind).ok_or_else(unknown)?;
    if token(kind, at, head, asked) != text {
        return Err(Refusal::invalid("the parameters differ from those that the token was given for"));
    }
    Ok((at, head))
}

async fn list(
    State(google): State<GoogleFake>,
    account: Account,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Refusal> {
    account.may(EVENTS)?;
    if let Some(unknown) = asked.keys().find(|name| !PARAMETERS.contains(&name.as_str())) {
        return Err(Refusal::invalid(format!("unknown parameter {unknown}")));
    }
    if asked.get("singleEvents").is_some_and(|text| text == "true") {
        return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, "notImplemented", "singleEvents"));
    }
    let sync = asked.get("syncToken");
    if sync.is_some() {
        if let Some(name) = FORBIDDEN.iter().find(|name| asked.contains_key(**name)) {
            return Err(Refusal::invalid(format!("Sync token cannot be used with {name}")));
        }
        if asked.get("showDeleted").is_some_and(|text| text == "false") {
            return Err(Refusal::invalid("Sync token cannot be used with showDeleted=false"));
        }
    }
    let most = asked.get("maxResults").map_or(Ok(250), |text| text.parse::<usize>());
    let most = most.map_err(|_| Refusal::invalid("maxResults"))?.clamp(1, 2_500);
    let state = google.lock();
    let calendar = state.calendar(&account.name, &id).ok_or_else(Refusal::not_found)?;
    let since = match sync {
        Some(text) => {
            let (since, _) = place(text, 's', &asked)?;
            if since < calendar.floor || since > calendar.change {
                return Err(Refusal::forgotten());
            }
            Some(since)
        }
        None => None,
    };
    let (after, head) = match asked.get("pageToken") {
        Some(text) => place(text, 'p', &asked)?,
        None => (since.unwrap_or_default(), calendar.change),
    };
    let time_min = instant(&asked, "timeMin")?;
    let wanted = |stored: &&Stored| {
        // A whole listing has no deleted events, but the days that a series leaves out.
        let stands = !stored.is_cancelled() || stored.value.get("recurringEventId").is_some();
        since.is_some() || (stands && time_min.is_none_or(|from| ends_after(stored, from)))
    };
    let changed: Vec<&Stored> =
        calendar.since(after).into_iter().filter(|stored| stored.change <= head).filter(wanted).collect();
    let page = &changed[..changed.len().min(most).min(state.page)];
    let mut answer = json!({ "kind": "calendar#events", "summary": calendar.summary,
        "items": page.iter().map(|stored| stored.listed()).collect::<Vec<_>>() });
    match page.last() {
        Some(last) if page.len() < changed.len() => {
            answer["nextPageToken"] = json!(token('p', last.change, head, &asked));
        }
        _ => answer["nextSyncToken"] = json!(token('s', head, 0, &asked)),
    }
    Ok(Json(answer))
}

fn instant(asked: &Asked, name: &'static str) -> Result<Option<Timestamp>, Refusal> {
    asked.get(name).map(|text| text.parse().map_err(|_| Refusal::invalid(name))).transpose()
}

fn ends_after(stored: &Stored, from: Timestamp) -> bool {
    let ends = stored.value["end"]["dateTime"].as_str().and_then(|text| text.parse::<Timestamp>().ok());
    // Series and whole days are shown in any case: a client has to cope with more than it asked for.
    ends.is_none_or(|ends| ends > from) || stored.value.get("recurrence").is_some()
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

fn parse(body: &Bytes) -> Result<Value, Refusal> {
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

async fn insert(
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

async fn update(
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

async fn delete(
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
    google.lock().stop(&account.name, &parse(&body)?)?;
    Ok(StatusCode::NO_CONTENT)
}
