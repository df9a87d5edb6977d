//! Lists of events, page by page, and what changed since a sync token.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Account, Asked, Refusal};
use crate::{EVENTS, GoogleFake, calendar::Stored};

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

pub(super) async fn list(
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

pub(super) fn instant(asked: &Asked, name: &'static str) -> Result<Option<Timestamp>, Refusal> {
    asked.get(name).map(|text| text.parse().map_err(|_| Refusal::invalid(name))).transpose()
}

fn ends_after(stored: &Stored, from: Timestamp) -> bool {
    let ends = stored.value["end"]["dateTime"].as_str().and_then(|text| text.parse::<Timestamp>().ok());
    // Series and whole days are shown in any case: a client has to cope with more than it asked for.
    ends.is_none_or(|ends| ends > from) || stored.value.get("recurrence").is_some()
}
