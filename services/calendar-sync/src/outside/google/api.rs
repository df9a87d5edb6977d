//! Calls to Google Calendar's API, v3, for a person: with a good access token, no more often than Google allows.

use boot::random::jitter;
use caller::UserId;
use core::time::Duration;
use jiff::SignedDuration;
use reqwest::{StatusCode, Url, header::IF_MATCH};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    GoogleError,
    access::{Access, Accounts},
};
use crate::{
    domain::{caldav::Password, pause, provider::CallLimit},
    error::Error,
    outside::web::{Answer, Ask, Login, Web},
};

/// Google counts 600 calls a minute for each person.
const LIMIT: CallLimit = CallLimit { per_second: 10, burst: 300 };
/// How long a call waits for its turn.
const LONGEST_WAIT: Duration = Duration::from_secs(3);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const JSON: &str = "application/json; charset=utf-8";

/// Calls Google Calendar.
#[derive(Debug, Clone)]
pub(super) struct Api {
    pub(super) web: Web,
    pub(super) accounts: Accounts,
    pub(super) base: Url,
}

/// A call.
#[derive(Debug, Clone)]
pub(super) struct Call {
    method: &'static str,
    url: Url,
    version: Option<String>,
    body: Option<String>,
}

impl Call {
    /// For the version with this etag.
    pub(super) fn expecting(mut self, etag: &str) -> Self {
        self.version = Some(etag.to_owned());
        self
    }

    pub(super) fn query(mut self, pairs: &[(&str, &str)]) -> Self {
        self.url.query_pairs_mut().extend_pairs(pairs);
        self
    }

    pub(super) fn body(mut self, body: &Value) -> Self {
        self.body = Some(body.to_string());
        self
    }

    fn ask(&self, user: UserId, token: &Password) -> Ask {
        let ask = Ask::new(self.method, self.url.clone(), Login::Bearer(token.expose().to_owned()));
        let ask = ask.lane(user.to_string());
        let ask = match &self.version {
            Some(etag) => ask.header(IF_MATCH, etag),
            None => ask,
        };
        match &self.body {
            Some(body) => ask.body(JSON, body.clone()),
            None => ask,
        }
    }
}

/// What Google says of an error.
#[derive(Debug, Default, Deserialize)]
struct Refusal {
    #[serde(default)]
    error: Fault,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Fault {
    errors: Vec<Reason>,
    details: Vec<Reason>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Reason {
    reason: String,
}

/// Whether an answer gives one of these reasons.
fn says(answer: &Answer, reasons: &[&str]) -> bool {
    let refusal: Refusal = serde_json::from_str(&answer.body).unwrap_or_default();
    let mut given = refusal.error.errors.iter().chain(&refusal.error.details);
    given.any(|given| reasons.contains(&given.reason.as_str()))
}

impl Api {
    /// A call of `method` to a path, which is escaped here.
    pub(super) fn call(&self, method: &'static str, path: &[&str]) -> Result<Call, GoogleError> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| GoogleError::Unreachable("Google's address takes no path".to_owned()))?
            .pop_if_empty()
            .extend(path);
        Ok(Call { method, url, version: None, body: None })
    }

    /// Google's answer, whatever it says of the thing that was asked about.
    pub(super) async fn send(&self, user: UserId, call: &Call) -> Result<Answer, GoogleError> {
        self.admit(user).await?;
        let access = self.accounts.access(user, None).await?;
        self.send_with(user, access, call).await.map(|(answer, _)| answer)
    }

    /// The same for an account that must be this one.
    pub(super) async fn send_as(
        &self,
        user: UserId,
        account: &str,
        call: &Call,
    ) -> Result<Answer, GoogleError> {
        self.admit(user).await?;
        let access = self.accounts.access(user, None).await?;
        if access.account != account {
            return Err(GoogleError::ConsentMissing);
        }
        self.send_with(user, access, call).await.map(|(answer, _)| answer)
    }

    async fn send_with(
        &self,
        user: UserId,
        access: Access,
        call: &Call,
    ) -> Result<(Answer, Access), GoogleError> {
        let answer = self.once(user, access.token.clone(), call).await?;
        if answer.status != StatusCode::UNAUTHORIZED {
            return self.judge(user, access, answer).await;
        }
        // It was revoked, or expired early: another one is asked for.
        let access = self.accounts.access(user, Some(access.token)).await?;
        let answer = self.once(user, access.token.clone(), call).await?;
        self.judge(user, access, answer).await
    }

    /// A call with a token that is not kept yet.
    pub(super) async fn once(
        &self,
        user: UserId,
        token: Password,
        call: &Call,
    ) -> Result<Answer, GoogleError> {
        let sent = self.web.send(call.ask(user, &token)).await;
        sent.map_err(|error| GoogleError::Unreachable(error.of("Google").to_string()))
    }

    async fn judge(
        &self,
        user: UserId,
        access: Access,
        answer: Answer,
    ) -> Result<(Answer, Access), GoogleError> {
        match answer.status {
            StatusCode::UNAUTHORIZED => {
                Err(GoogleError::Unreachable("Google does not take the access that it gave".to_owned()))
            }
            StatusCode::TOO_MANY_REQUESTS => Err(self.rest(user, &answer).await?),
            StatusCode::FORBIDDEN if says(&answer, &LIMITED) => Err(self.rest(user, &answer).await?),
            StatusCode::FORBIDDEN if says(&answer, &NOT_ALLOWED) => {
                self.accounts.refuse(user, access.grant).await?;
                Err(GoogleError::ConsentMissing)
            }
            status if status.is_server_error() => {
                Err(GoogleError::Failed(format!("Google answers {}", status.as_u16())))
            }
            status => {
                if status.is_success() {
                    self.calm(user).await?;
                }
                Ok((answer, access))
            }
        }
    }

    /// Counts a call. A short wait is waited here: a reading that ends halfway begins anew.
    async fn admit(&self, user: UserId) -> Result<(), GoogleError> {
        let began = tokio::time::Instant::now();
        loop {
            let tx = self.accounts.store.begin_for_people();
            let later = tx.count_google_call(user, LIMIT).await?;
            tx.commit().await?;
            let Some(wait) = later else { return Ok(()) };
            let pause = Duration::try_from(wait).unwrap_or(LONGEST_WAIT);
            if began.elapsed() + pause > LONGEST_WAIT {
                return Err(GoogleError::Later(wait));
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// An account that Google asks to slow down is left alone by every replica, longer each time.
    async fn rest(&self, user: UserId, answer: &Answer) -> Result<GoogleError, Error> {
        let tx = self.accounts.store.begin_for_people();
        let times = tx.throttled(user).await?.saturating_add(1);
        let pause = jitter(pause::after(times, FIRST_PAUSE));
        let asked = answer.retry_after.map(|seconds| Duration::from_secs(seconds.into()));
        let wait =
            SignedDuration::try_from(asked.unwrap_or_default().max(pause)).unwrap_or(SignedDuration::MAX);
        let wait = wait.min(SignedDuration::from_mins(10));
        tx.rest_google_account(user, LIMIT, wait).await?;
        tx.commit().await?;
        Ok(GoogleError::Later(wait))
    }

    async fn calm(&self, user: UserId) -> Result<(), Error> {
        let tx = self.accounts.store.begin_for_people();
        tx.calm_google_account(user).await?;
        tx.commit().await
    }
}

/// Reasons of 403 that mean as much as 429.
const LIMITED: [&str; 5] = [
    "rateLimitExceeded",
    "userRateLimitExceeded",
    "quotaExceeded",
    "dailyLimitExceeded",
    "RATE_LIMIT_EXCEEDED",
];
/// The person's consent does not cover it.
const NOT_ALLOWED: [&str; 3] =
    ["insufficientPermissions", "insufficientScopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"];

/// What a successful answer says.
pub(super) fn body<T: DeserializeOwned>(answer: &Answer) -> Result<T, GoogleError> {
    if !answer.status.is_success() {
        return Err(GoogleError::Answered(answer.status.as_u16()));
    }
    serde_json::from_str(&answer.body)
        .map_err(|_| GoogleError::Failed("Google's answer can't be read".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_in_both_forms_of_an_error() {
        let answer = |body: &str| Answer {
            status: StatusCode::FORBIDDEN,
            url: "https://www.googleapis.com/".parse().unwrap(),
            etag: None,
            last_modified: None,
            retry_after: None,
            body: body.to_owned(),
        };
        let old =
            r#"{"error":{"code":403,"errors":[{"domain":"usageLimits","reason":"rateLimitExceeded"}]}}"#;
        let new = r#"{"error":{"code":403,"details":[{"reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}"#;
        assert!(says(&answer(old), &LIMITED) && !says(&answer(old), &NOT_ALLOWED));
        assert!(says(&answer(new), &NOT_ALLOWED) && !says(&answer(new), &LIMITED));
        assert!(!says(&answer("<html>"), &LIMITED) && !says(&answer("{}"), &LIMITED));
    }
}
