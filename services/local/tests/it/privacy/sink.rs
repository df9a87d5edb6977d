//! A collector that keeps what it is sent as it came.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{StatusCode, Uri},
};
use tokio::net::TcpListener;

/// How much is shown around what was found.
const AROUND: usize = 120;

type Kept = Arc<Mutex<Vec<(String, Bytes)>>>;

/// Takes OTLP over HTTP.
pub struct Sink {
    pub url: String,
    kept: Kept,
}

impl Sink {
    pub async fn start() -> Self {
        let kept = Kept::default();
        let router = Router::new().fallback(keep).layer(DefaultBodyLimit::disable()).with_state(kept.clone());
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, kept }
    }

    /// Each export that contains `text`, with the text around it.
    pub fn find(&self, text: &str) -> Option<String> {
        let kept = self.kept.lock().unwrap();
        kept.iter().find_map(|(path, body)| {
            find_in(&String::from_utf8_lossy(body), text).map(|found| format!("{path}: {found}"))
        })
    }
}

async fn keep(State(kept): State<Kept>, uri: Uri, body: Bytes) -> StatusCode {
    kept.lock().unwrap().push((uri.path().to_owned(), body));
    StatusCode::OK
}

/// Occurrences of `text` in `all`, ignoring case, with the text around them.
pub fn find_in(all: &str, text: &str) -> Option<String> {
    let at = all.to_ascii_lowercase().find(&text.to_ascii_lowercase())?;
    let start = all.floor_char_boundary(at.saturating_sub(AROUND));
    let end = all.ceil_char_boundary((at + text.len() + AROUND).min(all.len()));
    Some(format!("{text}: …{}…", all[start..end].escape_debug()))
}

#[test]
fn what_is_looked_for_is_found_in_whatever_case_and_shown() {
    assert_eq!(find_in("a Needle here", "needle").unwrap(), "needle: …a Needle here…");
    assert_eq!(find_in("a needle here", "pin"), None);
}
