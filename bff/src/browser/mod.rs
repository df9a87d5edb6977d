//! The browser door: people come in with cookies and tokens, and go on to the
//! services with passports.

mod account;
mod admission;
mod agent_chat;
mod client;
mod cookies;
mod device;
mod home;
mod invalid_field;
mod keys;
mod live;
mod message;
mod oauth;
mod openapi;
mod page;
mod page_report;
mod person_calendars;
mod record;
mod request_rate;
mod rest;
mod routes;
mod session;
mod session_cookies;
mod token;
mod visitor;
mod xsrf;

use std::{borrow::Cow, sync::Arc};

use axum::{
    Json,
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use boot::environment::Environment;
use caller::Method;
use http::{HeaderMap, request::Parts};
use schemars::JsonSchema;
use serde::Serialize;

pub use admission::{Admissions, Standing};
pub use keys::KeySet;
pub use live::{Cursor, CursorKey, Live};
pub use page::{Page, Told};
pub use page_report::{PageReports, Wanted};
pub use record::Record;
pub use request_rate::RequestRate;
pub use routes::{ByHand, by_hand, routes};
pub use token::{AUDIENCE, Person, TokenError, Tokens};
pub use xsrf::Xsrf;

use crate::{
    Gateway,
    edge::{Deadline, LimitCounter, Rate},
    refusal::Refusal,
    voice::chat::Chats,
};

/// Rotates the session, so it takes the XSRF header although it is a GET.
const REFRESH_PATH: &str = "/api/auth/refresh";

/// What the browser door works with.
#[derive(Debug)]
pub struct Browser {
    /// The services.
    pub gateway: Gateway,
    /// Access tokens.
    pub tokens: Tokens,
    /// Their keys.
    pub keys: KeySet,
    /// What sessions may do.
    pub admissions: Admissions,
    /// Notes of refused calls.
    pub record: Record,
    /// Guards against other sites.
    pub xsrf: Xsrf,
    /// The page.
    pub page: Page,
    /// The live socket.
    pub live: Live,
    /// Sign-ins with the provider that networks begin.
    pub flows: Rate,
    /// Requests of each person.
    pub request_rate: RequestRate,
    /// What pages measured.
    pub page_reports: PageReports,
    /// Chats of people who try the agent.
    pub chats: Chats,
    /// Turns of each person's chats.
    pub chat_rate: RequestRate,
    /// Counts what limits refuse.
    pub limited: LimitCounter,
}

impl Browser {
    /// The person an Authorization header speaks for.
    async fn person(&self, headers: &HeaderMap) -> Result<Person, Refusal> {
        let token = rest::bearer(headers).ok_or_else(|| self.tokens.missing())?;
        let person = self.person_of(token).await?;
        self.request_rate.admit(person.user)?;
        Ok(person)
    }

    /// The person an access token speaks for.
    async fn person_of(&self, token: &str) -> Result<Person, Refusal> {
        self.tokens.person(token, &self.keys, self.gateway.host().clock.now()).await
    }

    /// Asks auth in the door's own name.
    async fn ask_auth<Request, Response>(
        &self,
        method: &'static Method,
        deadline: Deadline,
        message: Request,
    ) -> Result<Response, Refusal>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        let answered = self.gateway.call_as_door(method, None, deadline.left(), message).await;
        answered.map_err(|status| message::in_json(status).into())
    }

    fn environment(&self) -> Environment {
        self.gateway.host().environment
    }
}

/// A person in a session that is alive: extracted from a request's head.
#[derive(Debug, Clone, Copy)]
struct SignedIn(Person);

impl FromRequestParts<Arc<Browser>> for SignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, door: &Arc<Browser>) -> Result<Self, Refusal> {
        let person = door.person(&parts.headers).await?;
        door.admissions.admit(person, None).await?;
        Ok(Self(person))
    }
}

/// An answer that is a sentence for people.
#[derive(Debug, Serialize, JsonSchema)]
struct MessageResponse {
    message: Cow<'static, str>,
}

impl MessageResponse {
    fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into() }
    }
}

impl IntoResponse for MessageResponse {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Whether `method` exists in `environment`.
fn exists(method: &Method, environment: Environment) -> bool {
    !(method.rule.development_only && environment == Environment::Production)
}

#[cfg(test)]
mod tests {
    use caller::{Audience, Role, Rule, ScopeKind};

    use super::*;

    #[test]
    fn what_is_for_development_does_not_exist_in_production() {
        let rule = Rule {
            audiences: &[Audience::User],
            least_role: Role::Admin,
            scope: ScopeKind::Installation,
            services: &[],
            served_by: &[],
            sensitive: false,
            development_only: true,
            long_running: false,
            idempotency_key: false,
            immutable: false,
        };
        let method = Method { service: "telemetry", path: "/t/Debug", rest: "GET /api/v1/debug", rule };
        assert!(!exists(&method, Environment::Production));
        assert!(exists(&method, Environment::Development) && exists(&method, Environment::Test));
    }
}
