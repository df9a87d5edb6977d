//! Calls to Square, and what its errors mean.

use reqwest::{StatusCode, header::HeaderName};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::Square;
use crate::{
    domain::{profile::SERVER, provider::Credentials},
    outside::{
        provider::{
            MOST_BYTES, ProviderError,
            fault::{Fault, later, refusal_text},
        },
        web::{Answer, Ask, Login, WebError},
    },
};

/// The version of the API that this is written for.
const VERSION: &str = "2025-10-16";
const VERSION_HEADER: HeaderName = HeaderName::from_static("square-version");
const JSON: &str = "application/json";
/// What Square says of errors.
#[derive(Debug, Default, Deserialize)]
struct Errors {
    #[serde(default)]
    errors: Vec<OneError>,
}

#[derive(Debug, Default, Deserialize)]
struct OneError {
    #[serde(default)]
    code: String,
    #[serde(default)]
    detail: String,
}

/// A name in a path.
pub(super) fn enc(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

impl Square {
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        with: &Credentials,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, Fault> {
        self.call(with, "GET", path, query, None).await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        with: &Credentials,
        path: &str,
        body: &Value,
    ) -> Result<T, Fault> {
        self.call(with, "POST", path, &[], Some(body)).await
    }

    pub(super) async fn put<T: DeserializeOwned>(
        &self,
        with: &Credentials,
        path: &str,
        body: &Value,
    ) -> Result<T, Fault> {
        self.call(with, "PUT", path, &[], Some(body)).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        with: &Credentials,
        method: &'static str,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<T, Fault> {
        let failed = |reason: &str| Fault::Provider(ProviderError::Failed(reason.to_owned()));
        let provider = |error: WebError| Fault::Provider(error.of("Square").into());
        let base = self.web.address(with.setting(SERVER)).map_err(provider)?;
        let mut url = base.join(path).map_err(|_| failed("the server is no web address"))?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let login = Login::Bearer(with.token.expose().to_owned());
        let ask = Ask::new(method, url, login).lane(with.lane()).header(VERSION_HEADER, VERSION);
        let ask = ask.staying().at_most(MOST_BYTES);
        let ask = match body {
            Some(body) => ask.body(JSON, body.to_string()),
            None => ask,
        };
        let answer = self.web.send(ask).await.map_err(provider)?;
        if answer.status.is_success() {
            return serde_json::from_str(&answer.body)
                .map_err(|_| failed("Square answers what can't be read"));
        }
        Err(fault(&answer))
    }
}

fn fault(answer: &Answer) -> Fault {
    let said: Errors = serde_json::from_str(&answer.body).unwrap_or_default();
    let OneError { code, detail } = said.errors.into_iter().next().unwrap_or_default();
    let failed = |reason: String| Fault::Provider(ProviderError::Failed(reason));
    match (answer.status, code.as_str()) {
        (StatusCode::TOO_MANY_REQUESTS, _) => Fault::Provider(later(answer.retry_after)),
        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => Fault::Provider(ProviderError::Token),
        (StatusCode::NOT_FOUND, _) => Fault::Gone,
        (_, "VERSION_MISMATCH" | "CONFLICT") => Fault::Stale,
        (_, "IDEMPOTENCY_KEY_REUSED") => Fault::KeySpent,
        (StatusCode::BAD_REQUEST | StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY, _) => {
            let said = if detail.is_empty() { code } else { detail };
            Fault::Refused(refusal_text(&said))
        }
        (status, _) => failed(format!("Square answers {}", status.as_u16())),
    }
}
