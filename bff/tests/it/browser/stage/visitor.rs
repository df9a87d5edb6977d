//! A browser, as far as HTTP goes.

use std::{collections::BTreeMap, net::SocketAddr};

use caller::Method as Rpc;
use http::{HeaderMap, Method, StatusCode};
use reqwest::Client;
use serde_json::Value;

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    /// The reason of a refusal; empty when there is none.
    pub fn reason(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        let detail = self.detail_of(&body, "google.rpc.ErrorInfo");
        detail["reason"].as_str().unwrap_or_default().to_owned()
    }

    /// A detail of a refusal, by the end of its type.
    pub fn detail(&self, of: &str) -> Value {
        self.detail_of(&self.json(), of)
    }

    /// Names of the refused fields.
    pub fn fields(&self) -> Vec<String> {
        let violations = self.detail("google.rpc.BadRequest")["fieldViolations"].clone();
        let violations: Vec<Value> = serde_json::from_value(violations).unwrap_or_default();
        violations.iter().map(|violation| violation["field"].as_str().unwrap().to_owned()).collect()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The whole line that sets a cookie.
    pub fn cookie_line(&self, name: &str) -> Option<String> {
        let lines = self.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
        lines.filter(|line| line.starts_with(&format!("{name}="))).map(str::to_owned).next()
    }

    fn detail_of(&self, body: &Value, of: &str) -> Value {
        let details = body["details"].as_array().cloned().unwrap_or_default();
        let named = |detail: &Value| detail["@type"] == format!("type.googleapis.com/{of}");
        details.into_iter().find(named).unwrap_or_default()
    }
}

/// Keeps cookies and a token as the page does.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub cookies: BTreeMap<String, String>,
    pub token: Option<String>,
    /// Headers beside what a page sends.
    pub more: Vec<(&'static str, String)>,
    client: Client,
    url: String,
}

impl Visitor {
    pub fn new(address: SocketAddr) -> Self {
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self {
            cookies: BTreeMap::new(),
            token: None,
            more: Vec::new(),
            client,
            url: format!("http://{address}"),
        }
    }

    /// The same browser with one header more.
    pub fn with(&self, name: &'static str, value: &str) -> Self {
        let mut visitor = self.clone();
        visitor.more.push((name, value.to_owned()));
        visitor
    }

    /// The same browser, whose page does not echo the XSRF token.
    pub fn without_xsrf(&self) -> Self {
        self.with("x-xsrf-token", "")
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string())).await
    }

    /// Calls a method of the contract with ids that are UUIDs.
    pub async fn call(&mut self, method: &Rpc, business: &str) -> Answer {
        let (verb, path) = method.rest.split_once(' ').unwrap();
        let path: Vec<String> = path
            .split('/')
            .map(|segment| match segment.split_once('}') {
                Some(("{business_id", _)) => business.to_owned(),
                Some((_, custom)) => format!("{business}{custom}"),
                None => segment.to_owned(),
            })
            .collect();
        let body = matches!(verb, "POST" | "PUT" | "PATCH").then(|| "{}".to_owned());
        self.send(verb.parse().unwrap(), &path.join("/"), body).await
    }

    pub async fn send(&mut self, method: Method, path: &str, body: Option<String>) -> Answer {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if !self.cookies.is_empty() {
            let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", pairs.join("; "));
        }
        let mut headers = HeaderMap::new();
        if let Some(token) = self.cookies.get("XSRF-TOKEN") {
            headers.insert("x-xsrf-token", token.parse().unwrap());
        }
        if let Some(token) = &self.token {
            headers.insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        if let Some(body) = body {
            headers.insert("content-type", "application/json".parse().unwrap());
            request = request.body(body);
        }
        for (name, value) in &self.more {
            headers.insert(*name, value.parse().unwrap());
        }
        let response = request.headers(headers).send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = Answer { status, headers, text: response.text().await.unwrap() };
        self.keep_cookies(&answer);
        answer
    }

    fn keep_cookies(&mut self, answer: &Answer) {
        for line in answer.headers.get_all("set-cookie") {
            let (pair, attributes) = line.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if attributes.split("; ").any(|attribute| attribute == "Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}
