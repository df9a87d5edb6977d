//! The fakes against what Phorest (developer.phorest.com, support.phorest.com) and Square
//! (developer.squareup.com/reference/square) document.

#![expect(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod phorest;
mod square;

use axum::Router;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;

async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

fn request(method: Method, url: &str) -> RequestBuilder {
    reqwest::Client::builder().no_proxy().build().unwrap().request(method, url)
}

async fn answer(request: RequestBuilder) -> (StatusCode, Value) {
    let answer = request.send().await.unwrap();
    (answer.status(), serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default())
}
