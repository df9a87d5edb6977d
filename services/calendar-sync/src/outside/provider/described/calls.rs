//! Calls to a system as its profile says, and what its answers mean.

use std::collections::BTreeMap;

use reqwest::{StatusCode, header::HeaderName};
use serde_json::Value;
use url::Url;

use super::Described;
use crate::{
    domain::{
        profile::{self, Call, Filled, Login, Method, SERVER, fill, fill_value, text_at},
        provider::Credentials,
    },
    outside::{
        provider::{
            MOST_BYTES, ProviderError,
            fault::{Fault, later, refusal_text},
        },
        web::{self, Answer, Ask},
    },
};

const JSON: &str = "application/json";
/// What a connection's settings fill.
pub(super) fn of_settings(with: &Credentials) -> Filled<'_> {
    with.settings.iter().map(|(key, value)| (key.as_str(), value.expose().to_owned())).collect()
}

fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

impl Described {
    /// Reads a path.
    pub(super) async fn read(
        &self,
        with: &Credentials,
        path: &str,
        query: BTreeMap<String, String>,
        filled: &Filled<'_>,
    ) -> Result<Value, ProviderError> {
        let call =
            Call { method: Method::Get, path: path.to_owned(), query, body: Value::Null, id: String::new() };
        Ok(self.call(with, &call, filled).await?)
    }

    /// Makes a call; an answer without a body is null.
    pub(super) async fn call(
        &self,
        with: &Credentials,
        call: &Call,
        filled: &Filled<'_>,
    ) -> Result<Value, Fault> {
        let url = self.url(with, call, filled).map_err(Fault::Provider)?;
        let ask = Ask::new(call.method.name(), url, self.login(with)).lane(with.lane());
        let ask = ask.staying().at_most(MOST_BYTES);
        let ask = match &call.body {
            Value::Null => ask,
            body => ask.body(JSON, fill_value(body, filled).to_string()),
        };
        let name = &self.profile.name;
        let answer = self.web.send(ask).await.map_err(|error| Fault::Provider(error.of(name).into()))?;
        understood(name, &answer)
    }

    fn url(&self, with: &Credentials, call: &Call, filled: &Filled<'_>) -> Result<Url, ProviderError> {
        let no_address = || ProviderError::Failed("the server is no web address".to_owned());
        let server = with.setting(SERVER);
        let slash = if server.ends_with('/') { "" } else { "/" };
        let base = self.web.address(&format!("{server}{slash}"))?;
        let mut url = base.join(&fill(&call.path, filled, escaped)).map_err(|_| no_address())?;
        if !call.query.is_empty() {
            let pairs = call.query.iter().map(|(name, value)| (name, fill(value, filled, str::to_owned)));
            url.query_pairs_mut().extend_pairs(pairs);
        }
        Ok(url)
    }

    fn login(&self, with: &Credentials) -> web::Login {
        let token = with.token.expose().to_owned();
        match &self.profile.login {
            Login::Basic { username } => {
                web::Login::Basic(fill(username, &of_settings(with), str::to_owned), token)
            }
            Login::Header { name } => match HeaderName::from_bytes(name.as_bytes()) {
                Ok(name) => web::Login::Key(name, token),
                Err(_) => web::Login::Bearer(token),
            },
            Login::Bearer {} => web::Login::Bearer(token),
        }
    }

    /// Parameters that ask for a page, counted from 0.
    pub(super) fn page_query(&self, page: u32) -> BTreeMap<String, String> {
        let paging = &self.profile.paging;
        BTreeMap::from([
            (paging.page.clone(), (paging.first + page).to_string()),
            (paging.size.clone(), paging.of.to_string()),
        ])
    }

    /// How many pages there are.
    pub(super) fn pages(&self, answer: &Value) -> u32 {
        text_at(answer, &self.profile.paging.pages).and_then(|pages| pages.parse().ok()).unwrap_or(1)
    }
}

fn understood(name: &str, answer: &Answer) -> Result<Value, Fault> {
    let failed = |reason: String| Fault::Provider(ProviderError::Failed(reason));
    match answer.status {
        status if status.is_success() && answer.body.trim().is_empty() => Ok(Value::Null),
        status if status.is_success() => serde_json::from_str(&answer.body)
            .map_err(|_| failed(format!("{name} answers what can't be read"))),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Fault::Provider(ProviderError::Token)),
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(Fault::Gone),
        StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED => Err(Fault::Stale),
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
            Err(Fault::Refused(refusal(name, answer)))
        }
        StatusCode::TOO_MANY_REQUESTS => Err(Fault::Provider(later(answer.retry_after))),
        status => Err(failed(format!("{name} answers {}", status.as_u16()))),
    }
}

/// What the system says of a refusal, in words or with its code.
fn refusal(name: &str, answer: &Answer) -> String {
    let said: Option<Value> = serde_json::from_str(&answer.body).ok();
    let at = |pointer: &str| said.as_ref().and_then(|said| profile::text_at(said, pointer));
    let words = ["/detail", "/message", "/errorCode", "/error"].into_iter().find_map(at);
    let words = words.unwrap_or_else(|| format!("{name} answers {}", answer.status.as_u16()));
    refusal_text(&words)
}
