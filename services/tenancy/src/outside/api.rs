//! JSON over HTTP, as the platforms have it.

use http::StatusCode;
use jiff::SignedDuration;
use outgoing::{Answer, Ask, Login, Web, WebError};
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;

use crate::domain::PublicationFault;

/// Calls a platform.
#[derive(Debug, Clone)]
pub struct Api {
    /// By this.
    pub web: Web,
    /// There.
    pub base: Url,
}

/// A call.
#[derive(Debug)]
pub struct Call<'a> {
    /// The method.
    pub method: &'static str,
    /// The path, by its segments: an id in it stays one segment.
    pub path: &'a [&'a str],
    /// The query.
    pub query: &'a [(&'a str, &'a str)],
    /// What is sent.
    pub body: Option<Value>,
}

impl Api {
    /// Makes a call that does the same when it is made again.
    pub async fn call(&self, login: Login, call: Call<'_>) -> Result<Value, PublicationFault> {
        let lane = lane(&login);
        let ask = Ask::new(call.method, self.url(call.path, call.query)?, login).lane(lane);
        let ask = match call.body {
            Some(body) => ask.body("application/json", body.to_string()),
            None => ask,
        };
        let answer = self.web.send(ask).await.map_err(unanswered)?;
        read(&answer)
    }

    /// Changes a record there by a form.
    pub async fn post_form(
        &self,
        login: Login,
        path: &[&str],
        form: &[(&str, &str)],
    ) -> Result<(), PublicationFault> {
        let lane = lane(&login);
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let ask = Ask::new("POST", self.url(path, &[])?, login).lane(lane);
        let ask = ask.body("application/x-www-form-urlencoded", form);
        read(&self.web.send(ask).await.map_err(unanswered)?).map(drop)
    }

    /// Sends JSON to an address that the platform named, which is its own key: the account's `login` names the lane and
    /// is not sent.
    pub async fn post_to(&self, login: &Login, address: &str, body: &Value) -> Result<(), PublicationFault> {
        let url = self.web.address(address).map_err(unanswered)?;
        let ask = Ask::new("POST", url, Login::InBody).lane(lane(login)).staying();
        let ask = ask.body("application/json", body.to_string());
        let answer = self.web.send(ask).await.map_err(unanswered)?;
        // What it says of a success is not read, and need not be JSON.
        if answer.status.is_success() { Ok(()) } else { read(&answer).map(drop) }
    }

    /// The address of a path.
    pub fn url(&self, path: &[&str], query: &[(&str, &str)]) -> Result<Url, PublicationFault> {
        let mut url = self.base.clone();
        let no_base = |()| PublicationFault::Unreachable("its address can't have a path".to_owned());
        url.path_segments_mut().map_err(no_base)?.pop_if_empty().extend(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(url)
    }
}

/// The lane of an account's calls, so that one salon's failures hold up its own calls alone; a hash, which reveals nothing
/// of the key.
fn lane(login: &Login) -> String {
    let digest = match login {
        Login::Key(_, key) => Sha256::digest(key),
        Login::Basic(name, password) => Sha256::new().chain_update(name).chain_update(password).finalize(),
        Login::Bearer(token) => Sha256::digest(token),
        Login::InBody => return String::new(),
    };
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn unanswered(error: WebError) -> PublicationFault {
    let (WebError::Forbidden(reason) | WebError::Unknown(reason) | WebError::Unreachable(reason)) = error;
    PublicationFault::Unreachable(reason)
}

fn read(answer: &Answer) -> Result<Value, PublicationFault> {
    let status = StatusCode::from_u16(answer.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    match status {
        _ if status.is_success() && answer.body.trim().is_empty() => Ok(Value::Null),
        _ if status.is_success() => serde_json::from_str(&answer.body)
            .map_err(|_| PublicationFault::Unreachable("the platform answers what can't be read".to_owned())),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(PublicationFault::ApiKey),
        StatusCode::NOT_FOUND => Err(PublicationFault::Agent),
        StatusCode::TOO_MANY_REQUESTS => {
            let wait = answer.retry_after.map(|seconds| SignedDuration::from_secs(seconds.into()));
            Err(PublicationFault::Busy(wait))
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY => Err(fails(status)),
        _ if status.is_client_error() => Err(PublicationFault::Refused(said(&answer.body))),
        _ => Err(fails(status)),
    }
}

fn fails(status: StatusCode) -> PublicationFault {
    PublicationFault::Unreachable(format!("the platform answers {}", status.as_u16()))
}

/// What a platform says of a mistake, however it says it.
fn said(body: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return body.trim().to_owned() };
    let told = ["message", "error_message", "detail", "error"].into_iter().find_map(|field| body.get(field));
    told.map(words).filter(|said| !said.is_empty()).unwrap_or_else(|| body.to_string())
}

fn words(told: &Value) -> String {
    match told {
        Value::String(text) => text.clone(),
        Value::Array(several) => several.iter().map(words).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => {
            let place = fields.get("loc").and_then(Value::as_array).map(|loc| {
                let parts =
                    loc.iter().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
                parts.collect::<Vec<_>>().join(".")
            });
            let text = ["message", "msg"].into_iter().find_map(|field| fields.get(field)?.as_str());
            [place.as_deref(), text].into_iter().flatten().collect::<Vec<_>>().join(": ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_have_lanes_of_their_own() {
        let lanes = ["key of a salon", "key of another"].map(|key| {
            let key = key.to_owned();
            [
                lane(&Login::Key(http::header::AUTHORIZATION, key.clone())),
                lane(&Login::Basic("AC1".into(), key)),
            ]
        });
        assert_ne!(lanes[0][0], lanes[1][0]);
        assert_ne!(lanes[0][1], lanes[1][1]);
        assert!(lanes.iter().flatten().all(|lane| lane.len() == 16 && !lane.contains("key")));
    }

    #[test]
    fn what_a_platform_says_is_found_in_each_of_their_forms() {
        let cases = [
            (r#"{"status":"error","message":"bad voice"}"#, "bad voice"),
            (
                r#"{"message":["model.provider must be one of","voice is wrong"],"statusCode":400}"#,
                "model.provider must be one of; voice is wrong",
            ),
            (
                r#"{"detail":[{"loc":["body","name",0],"msg":"field required"}]}"#,
                "body.name.0: field required",
            ),
            (r#"{"detail":{"status":"invalid","message":"no such voice"}}"#, "no such voice"),
            ("<html>oops</html>", "<html>oops</html>"),
        ];
        for (body, expected) in cases {
            assert_eq!(said(body), expected);
        }
    }
}
