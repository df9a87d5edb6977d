//! A platform's files of recordings, as a server of a test's own.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use tokio::{net::TcpListener, sync::Notify};

/// Two pieces and a half.
pub fn wav() -> Vec<u8> {
    let mut bytes = b"RIFF\0\0\0\0WAVEfmt ".to_vec();
    bytes.extend((0_u32..640 << 10).flat_map(u32::to_le_bytes));
    bytes
}

/// As long as the longest that a platform delivers; no two pieces are alike.
pub fn long_wav() -> Vec<u8> {
    let mut bytes = wav()[..16].to_vec();
    bytes.extend((0_u32..(16 << 20) - 4).flat_map(u32::to_le_bytes));
    bytes
}

/// The files of a platform; what is not ready is found at the third attempt.
pub struct Files {
    address: String,
    pub asked: Arc<Asked>,
}

/// How often was asked for what does not come at once.
#[derive(Default)]
pub struct Asked {
    times: AtomicUsize,
    pub first: Notify,
    pub let_go: Notify,
}

impl Files {
    pub async fn serve() -> Self {
        let asked = Arc::<Asked>::default();
        let audio = || async { ([(header::CONTENT_TYPE, "binary/octet-stream")], wav()) };
        let files = Router::new()
            .route("/call.wav", get(audio))
            .route("/long", get(async || long_wav()))
            .route("/moved", get(async || Redirect::temporary("/call.wav")))
            .route("/round", get(async || Redirect::temporary("/round")))
            .route("/slow", get(not_ready))
            .route("/stuck", get(stuck))
            .route("/page", get(async || ([(header::CONTENT_TYPE, "audio/wav")], "<!doctype html>")))
            .route("/huge", get(huge))
            .route("/private", get(async || StatusCode::FORBIDDEN))
            .with_state(asked.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, files).await.unwrap() });
        Self { address: format!("http://{address}"), asked }
    }

    pub fn of(&self, file: &str) -> String {
        format!("{}/{file}", self.address)
    }
}

/// Says how long it is, and is never sent to its end.
async fn huge() -> Response {
    let body = Body::from_stream(futures::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    ([(header::CONTENT_LENGTH, "999999999")], body).into_response()
}

/// Answers the first request when it is let go.
async fn stuck(State(asked): State<Arc<Asked>>) -> Vec<u8> {
    if asked.times.fetch_add(1, Ordering::SeqCst) == 0 {
        asked.first.notify_one();
        asked.let_go.notified().await;
    }
    wav()
}

async fn not_ready(State(asked): State<Arc<Asked>>) -> Response {
    if asked.times.fetch_add(1, Ordering::SeqCst) < 2 {
        return StatusCode::NOT_FOUND.into_response();
    }
    wav().into_response()
}
