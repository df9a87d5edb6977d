//! The page on which a person allows or denies, and the controls that tests in a browser use.

use std::collections::BTreeMap;

use axum::{
    Json, Router,
    extract::{OriginalUri, Query, State},
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use crate::{EVENTS, GoogleFake, LIST};

const AUTH: &str = "/o/oauth2/v2/auth";
const DECISION: &str = "/o/oauth2/v2/auth/decision";

pub(crate) fn routes() -> Router<GoogleFake> {
    Router::new()
        .route(AUTH, get(ask))
        .route(DECISION, get(decide))
        .route("/control/revoke", post(revoke))
        .route("/control/events", post(put).get(events))
}

async fn ask(
    State(google): State<GoogleFake>,
    OriginalUri(uri): OriginalUri,
    Query(asked): Query<BTreeMap<String, String>>,
) -> Response {
    let state = google.lock();
    if let Err(fault) = state.authority.check(&asked) {
        return (StatusCode::BAD_REQUEST, Html(format!("<h1>Access blocked</h1><p>{fault}</p>")))
            .into_response();
    }
    let query = uri.query().unwrap_or_default().replace('&', "&amp;");
    let account = state.authority.accounts.first().cloned().unwrap_or_default();
    let link = |answer: &str, label: &str| {
        format!(r#"<a role="button" href="{DECISION}?{query}&amp;answer={answer}">{label}</a> "#)
    };
    let links = [("all", "Allow"), ("some", "Allow the list alone"), ("none", "Deny")];
    let links: String = links.map(|(answer, label)| link(answer, label)).concat();
    Html(format!(
        "<!doctype html><title>Fake Google</title><h1>Frontdesk wants access to {account}</h1><p>{links}</p>"
    ))
    .into_response()
}

async fn decide(
    State(google): State<GoogleFake>,
    OriginalUri(uri): OriginalUri,
    Query(asked): Query<BTreeMap<String, String>>,
) -> Response {
    let account = google.lock().authority.accounts.first().cloned().unwrap_or_default();
    let Ok(question) = Url::parse(&format!("http://google.test{uri}")) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let allowed: Option<&[&str]> = match asked.get("answer").map(String::as_str) {
        Some("all") => Some(&[LIST, EVENTS]),
        Some("some") => Some(&[LIST]),
        _ => None,
    };
    match google.answer(&question, &account, allowed) {
        Ok(back) => Redirect::to(back.as_str()).into_response(),
        Err(fault) => (StatusCode::BAD_REQUEST, fault).into_response(),
    }
}

async fn revoke(State(google): State<GoogleFake>) {
    let accounts = google.lock().authority.accounts.clone();
    accounts.iter().for_each(|account| google.revoke(account));
}

#[derive(Deserialize)]
struct Place {
    account: String,
    calendar: String,
}

async fn put(State(google): State<GoogleFake>, Query(place): Query<Place>, Json(event): Json<Value>) {
    let id = event["id"].as_str().unwrap_or_default().to_owned();
    google.put(&place.account, &place.calendar, &id, event);
}

async fn events(State(google): State<GoogleFake>, Query(place): Query<Place>) -> Json<Vec<Value>> {
    Json(google.events(&place.account, &place.calendar))
}
