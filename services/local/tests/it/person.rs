//! A person at a browser, as far as HTTP goes: cookies, XSRF, bearer token.

use std::collections::BTreeMap;

use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};

/// Password of the demo accounts.
const PASSWORD: &str = "Frontdesk-demo-1";
/// "Willow & Co".
pub const WILLOW: &str = "01900000-0000-7000-8000-000000000001";

/// A signed-in person.
#[derive(Clone)]
pub struct Person {
    client: Client,
    url: String,
    cookies: BTreeMap<String, String>,
    token: String,
}

impl Person {
    /// Signs in with a demo account.
    pub async fn sign_in(url: &str, local_part: &str) -> Self {
        let client = Client::builder().build().unwrap();
        let mut person = Self { client, url: url.to_owned(), cookies: BTreeMap::new(), token: String::new() };
        // Any answer to a request without a valid pair brings one.
        let answer = person.send(Method::GET, "/api/auth/me", None, None).await;
        person.keep_cookies(&answer);
        let body = json!({"email": format!("{local_part}@demo.test"), "password": PASSWORD});
        let answer = person.send(Method::POST, "/api/auth/login", Some(&body), None).await;
        assert_eq!(answer.status(), StatusCode::OK);
        person.keep_cookies(&answer);
        let body: Value = answer.json().await.unwrap();
        person.token = body["token"].as_str().unwrap().to_owned();
        person
    }

    fn keep_cookies(&mut self, answer: &Response) {
        for value in answer.headers().get_all("set-cookie") {
            let pair = value.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
    }

    /// One request, as the SPA sends it.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>, key: Option<&str>) -> Response {
        self.try_send(method, path, body, key).await.unwrap()
    }

    /// [`Self::send`], when the other side may vanish.
    pub async fn try_send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> reqwest::Result<Response> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header("cookie", cookies.join("; "));
        }
        if let Some(xsrf) = self.cookies.get("XSRF-TOKEN") {
            request = request.header("x-xsrf-token", xsrf);
        }
        if !self.token.is_empty() {
            request = request.bearer_auth(&self.token);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        request.send().await
    }

    /// Reads JSON that must be there.
    pub async fn get(&self, path: &str) -> Value {
        let answer = self.send(Method::GET, path, None, None).await;
        let status = answer.status();
        let body: Value = answer.json().await.unwrap();
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body
    }

    /// Posts JSON that must be accepted.
    pub async fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.send(Method::POST, path, Some(body), None).await;
        let status = answer.status();
        let body: Value = answer.json().await.unwrap();
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body
    }

    /// Every row of a list, page by page.
    pub async fn list(&self, path: &str, field: &str) -> Vec<Value> {
        let mut rows = Vec::new();
        let mut token = String::new();
        loop {
            let separator = if path.contains('?') { '&' } else { '?' };
            let page = self.get(&format!("{path}{separator}pageSize=200&pageToken={token}")).await;
            rows.extend(page[field].as_array().unwrap().iter().cloned());
            page["nextPageToken"].as_str().unwrap().clone_into(&mut token);
            if token.is_empty() {
                return rows;
            }
        }
    }
}

/// A path below Willow.
pub fn willow(rest: &str) -> String {
    format!("/api/v1/businesses/{WILLOW}/{rest}")
}
