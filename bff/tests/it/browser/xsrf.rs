//! What other sites make a browser send.

use bff::browser::by_hand;
use boot::environment::Environment;
use http::{Method, StatusCode};
use serde_json::json;

use super::stage::{EMAIL, PASSWORD, REFRESH_LIFE, Stage, Visitor, WILLOW};

/// Every route that changes something, with ids that are UUIDs.
fn unsafe_routes() -> Vec<(Method, String)> {
    let contract = proto::methods::ALL.iter().filter_map(|method| method.rest.split_once(' '));
    let contract = contract.map(|(verb, path)| (verb.parse().unwrap(), path));
    let by_hand = by_hand(Environment::Test).into_iter().map(|route| (route.verb, route.path));
    contract
        .chain(by_hand)
        .filter(|(verb, path)| *verb != Method::GET || *path == "/api/auth/refresh")
        .map(|(verb, path)| {
            let mut path = path.to_owned();
            while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
                path.replace_range(from..=to, &WILLOW.to_string());
            }
            (verb, path)
        })
        .collect()
}

/// Whether the door refuses each unsafe route to this browser, and asks no service.
async fn refused_everywhere(stage: &Stage, mut browser: Visitor) {
    let before = stage.services.overheard();
    let routes = unsafe_routes();
    assert!(routes.len() > 40 && routes.iter().any(|(verb, _)| *verb == Method::GET));
    for (verb, path) in routes {
        let answer = browser.send(verb.clone(), &path, Some("{}".to_owned())).await;
        assert_eq!(
            (answer.status, answer.reason().as_str()),
            (StatusCode::FORBIDDEN, "XSRF"),
            "{verb} {path}"
        );
    }
    assert_eq!(stage.services.overheard(), before);
}

#[tokio::test]
async fn no_route_that_changes_something_does_so_without_the_header() {
    let stage = Stage::open().await;
    refused_everywhere(&stage, stage.ana().await.without_xsrf()).await;
}

#[tokio::test]
async fn no_route_takes_the_token_of_another_browser() {
    let stage = Stage::open().await;
    let mallory = stage.ana().await;
    let ana = stage.ana().await.with("x-xsrf-token", &mallory.cookies["XSRF-TOKEN"]);
    refused_everywhere(&stage, ana).await;
}

#[tokio::test]
async fn no_route_takes_the_token_of_another_session_or_of_none() {
    let stage = Stage::open().await;
    let mut stranger = stage.stranger();
    stranger.get("/").await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let mut browser = stranger.clone();
        browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
        browser.token = Some(stage.token());
        sessions.push(browser);
    }
    let (mallory, ana) = (&sessions[0], &sessions[1]);
    refused_everywhere(&stage, ana.with("x-xsrf-token", &mallory.cookies["XSRF-TOKEN"])).await;
    refused_everywhere(&stage, ana.with("x-xsrf-token", &stranger.cookies["XSRF-TOKEN"])).await;
}

#[tokio::test]
async fn a_planted_cookie_and_its_echo_are_refused() {
    let stage = Stage::open().await;
    let mut browser = stage.ana().await;
    let planted = stage.ana().await.cookies["XSRF-TOKEN"].clone();
    browser.cookies.insert("XSRF-TOKEN".to_owned(), planted);
    let answer = browser.post("/api/auth/logout", &json!({})).await;
    assert_eq!(answer.reason(), "XSRF");
    assert!(answer.cookie_line("XSRF-TOKEN").is_some(), "the right token comes with the refusal");
}

#[tokio::test]
async fn no_route_is_open_to_pages_of_another_site_or_origin() {
    let stage = Stage::open().await;
    for site in ["cross-site", "same-site", "none"] {
        refused_everywhere(&stage, stage.ana().await.with("sec-fetch-site", site)).await;
    }
    for origin in ["https://evil.test", "null", "http://localhost:8080.evil.test", "http://localhost"] {
        refused_everywhere(&stage, stage.ana().await.with("origin", origin)).await;
    }
}

#[tokio::test]
async fn the_page_itself_gets_past_the_guard_on_every_route() {
    let stage = Stage::open().await;
    let browser =
        stage.ana().await.with("sec-fetch-site", "same-origin").with("origin", "http://localhost:8080");
    for (verb, path) in unsafe_routes() {
        let answer = browser.clone().send(verb.clone(), &path, Some("{}".to_owned())).await;
        assert_ne!(answer.reason(), "XSRF", "{verb} {path}");
    }
}

#[tokio::test]
async fn any_answer_to_a_browser_without_a_pair_brings_one_and_no_other_does() {
    let stage = Stage::open().await;
    for path in ["/", "/api/auth/me", "/api/nothing", "/api/openapi.json"] {
        let mut browser = stage.stranger();
        let first = browser.get(path).await;
        let name = first.cookie_line("__Host-anon").unwrap();
        assert!(name.ends_with("; HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=2592000"), "{name}");
        let token = first.cookie_line("XSRF-TOKEN").unwrap();
        assert!(token.ends_with("; SameSite=Strict; Secure; Path=/; Max-Age=2592000"), "{token}");
        assert!(!token.contains("HttpOnly"), "{token}");
        assert!(!browser.get(path).await.headers.contains_key("set-cookie"));
    }
}

#[tokio::test]
async fn a_refused_browser_gets_the_pair_it_needs_and_succeeds_with_it() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    let credentials = json!({ "email": EMAIL, "password": PASSWORD });
    assert_eq!(browser.post("/api/auth/login", &credentials).await.reason(), "XSRF");
    assert_eq!(browser.post("/api/auth/login", &credentials).await.status, StatusCode::OK);
}

#[tokio::test]
async fn answers_side_by_side_to_a_session_without_a_pair_bring_the_same_one() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    browser.cookies.retain(|name, _| name == "__Host-refresh");
    let (mut first, mut second) = (browser.clone(), browser.clone());
    first.post("/api/auth/logout", &json!({})).await;
    second.get("/api/auth/me").await;
    assert_eq!(first.cookies, second.cookies);
    assert_eq!(first.cookies.len(), 3);

    // Only to the holder of the refresh token, not to one who knows its family.
    let family = browser.cookies["__Host-refresh"].split('.').next().unwrap().to_owned();
    let mut guessing = browser.clone();
    guessing.cookies.insert("__Host-refresh".to_owned(), format!("{family}.1.guessed"));
    guessing.get("/api/auth/me").await;
    assert_ne!(guessing.cookies["__Host-anon"], second.cookies["__Host-anon"]);
    assert_ne!(guessing.cookies["XSRF-TOKEN"], second.cookies["XSRF-TOKEN"]);
    assert_eq!(second.post("/api/auth/logout", &json!({})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn files_that_caches_share_set_no_cookies() {
    let stage = Stage::open().await;
    for path in ["/assets/app-4f2a.js", "/favicon.svg"] {
        assert!(!stage.stranger().get(path).await.headers.contains_key("set-cookie"), "{path}");
    }
}

#[tokio::test]
async fn signing_in_binds_the_token_to_the_session_for_as_long_as_it_lasts() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    let before = browser.cookies["XSRF-TOKEN"].clone();
    let answer = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    let life = format!("; Max-Age={REFRESH_LIFE}");
    for name in ["__Host-refresh", "__Host-anon", "XSRF-TOKEN"] {
        assert!(answer.cookie_line(name).unwrap().ends_with(&life), "{name}");
    }
    let stale = browser.with("x-xsrf-token", &before).send(Method::GET, "/api/auth/refresh", None).await;
    assert_eq!(stale.reason(), "XSRF");
    assert_eq!(browser.get("/api/auth/refresh").await.status, StatusCode::OK);
    // Another session in the same browser name is another token.
    let mut other = browser.clone();
    other.cookies.insert("__Host-refresh".to_owned(), format!("{}.1.mac", uuid::Uuid::from_u128(99)));
    assert_eq!(other.get("/api/auth/refresh").await.reason(), "XSRF");
}

#[tokio::test]
async fn a_session_goes_on_after_the_browser_was_restarted() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    // Only what has a Max-Age survives; all three have.
    let mut restarted = stage.stranger();
    restarted.cookies = browser.cookies.clone();
    assert_eq!(restarted.cookies.len(), 3);
    assert_eq!(restarted.get("/api/auth/refresh").await.status, StatusCode::OK);
    assert_eq!(restarted.post("/api/auth/logout", &json!({})).await.status, StatusCode::OK);
}
