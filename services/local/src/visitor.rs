//! A person at a browser, as far as HTTP goes: cookies, XSRF pair, bearer token.
//! Load runs and tests go through the door as the SPA does.

use core::time::Duration;
use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use anyhow::{Context, ensure};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::demo::salon::{PASSWORD, WILLOW};

const SIGN_IN_RETRIES: usize = 20;
const SIGN_IN_PAUSE: Duration = Duration::from_millis(500);

/// A signed-in person.
#[derive(Debug, Clone)]
pub struct Visitor {
    client: Client,
    url: Arc<str>,
    cookies: BTreeMap<String, String>,
    token: String,
}

impl Visitor {
    /// A visitor without a session.
    #[must_use]
    pub fn stranger(url: &str) -> Self {
        Self { client: Client::new(), url: url.into(), cookies: BTreeMap::new(), token: String::new() }
    }

    /// A second visitor without a session, from another address.
    ///
    /// # Errors
    /// When the HTTP client can't be made.
    pub fn stranger_from(url: &str, address: IpAddr) -> anyhow::Result<Self> {
        let client = Client::builder().local_address(address).build()?;
        Ok(Self { client, ..Self::stranger(url) })
    }

    /// A visitor without a session who has an XSRF pair.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn met(url: &str) -> anyhow::Result<Self> {
        let mut visitor = Self::stranger(url);
        visitor.arrive().await?;
        Ok(visitor)
    }

    /// The access token; empty without a session.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The value of a cookie; empty without it.
    #[must_use]
    pub fn cookie(&self, name: &str) -> &str {
        self.cookies.get(name).map_or("", String::as_str)
    }

    /// Signs in with the demo account of `local_part`; tries again, as people do, while the door answers 503.
    ///
    /// # Errors
    /// When the door can't be reached or refuses.
    pub async fn sign_in(url: &str, local_part: &str) -> anyhow::Result<Self> {
        let mut visitor = Self::met(url).await?;
        let mut answer = visitor.log_in(local_part).await?;
        for _ in 0..SIGN_IN_RETRIES {
            if answer.status() != StatusCode::SERVICE_UNAVAILABLE {
                break;
            }
            tokio::time::sleep(SIGN_IN_PAUSE).await;
            answer = visitor.log_in(local_part).await?;
        }
        ensure!(answer.status() == StatusCode::OK, "signing in: {}", answer.text().await?);
        visitor.enter(answer).await?;
        Ok(visitor)
    }

    /// Opens the sign-in page, as far as cookies go: any answer to a request without a valid
    /// XSRF pair brings one.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn arrive(&mut self) -> anyhow::Result<()> {
        let answer = self.send(Method::GET, "/api/auth/me", None, None).await?;
        self.keep_cookies(&answer)
    }

    /// Posts the password of the demo account of `local_part`, whatever the answer.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn log_in(&self, local_part: &str) -> reqwest::Result<Response> {
        self.try_log_in(&format!("{local_part}@demo.test"), PASSWORD).await
    }

    /// Posts an e-mail address and a password, whatever the answer.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn try_log_in(&self, email: &str, password: &str) -> reqwest::Result<Response> {
        let body = json!({"email": email, "password": password});
        self.send(Method::POST, "/api/auth/login", Some(&body), None).await
    }

    /// Rotates the refresh token and takes the new access token.
    ///
    /// # Errors
    /// Any answer but 200.
    pub async fn refresh(&mut self) -> anyhow::Result<()> {
        let answer = self.send(Method::GET, "/api/auth/refresh", None, None).await?;
        ensure!(answer.status() == StatusCode::OK, "refreshing: {}", answer.text().await?);
        self.enter(answer).await
    }

    async fn enter(&mut self, answer: Response) -> anyhow::Result<()> {
        self.keep_cookies(&answer)?;
        let body: Value = answer.json().await?;
        self.token = body["token"].as_str().context("an answer without a token")?.to_owned();
        Ok(())
    }

    fn keep_cookies(&mut self, answer: &Response) -> anyhow::Result<()> {
        for value in answer.headers().get_all("set-cookie") {
            let pair = value.to_str()?.split(';').next().unwrap_or_default();
            let (name, value) = pair.split_once('=').context("a cookie without a name")?;
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        Ok(())
    }

    /// One request, as the SPA sends it; `key` is its Idempotency-Key.
    ///
    /// # Errors
    /// When the door can't be reached.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> reqwest::Result<Response> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
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

    /// Reads JSON.
    ///
    /// # Errors
    /// Any answer but 200.
    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        accepted(path, self.send(Method::GET, path, None, None).await?).await
    }

    /// Posts JSON.
    ///
    /// # Errors
    /// Any answer but 200.
    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        accepted(path, self.send(Method::POST, path, Some(body), None).await?).await
    }

    /// Every row of a list, page by page.
    ///
    /// # Errors
    /// Any answer but 200, or a list without its field.
    pub async fn list(&self, path: &str, field: &str) -> anyhow::Result<Vec<Value>> {
        let mut rows = Vec::new();
        let mut token = String::new();
        loop {
            let separator = if path.contains('?') { '&' } else { '?' };
            let page = self.get(&format!("{path}{separator}pageSize=200&pageToken={token}")).await?;
            rows.extend(
                page[field].as_array().with_context(|| format!("{path} has no {field}"))?.iter().cloned(),
            );
            page["nextPageToken"].as_str().unwrap_or_default().clone_into(&mut token);
            if token.is_empty() {
                return Ok(rows);
            }
        }
    }
}

async fn accepted(path: &str, answer: Response) -> anyhow::Result<Value> {
    let status = answer.status();
    let body: Value = answer.json().await.with_context(|| format!("{path}: {status}"))?;
    ensure!(status == StatusCode::OK, "{path}: {status} {body}");
    Ok(body)
}

/// A path below a business.
#[must_use]
pub fn below(business: &str, rest: &str) -> String {
    format!("/api/v1/businesses/{business}/{rest}")
}

/// A path below the demo salon.
#[must_use]
pub fn willow(rest: &str) -> String {
    below(WILLOW, rest)
}
