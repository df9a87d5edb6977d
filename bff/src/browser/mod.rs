//! The browser door: people come in with cookies and tokens, and go on to the
//! services with passports.

mod admission;
mod cookies;
mod culprit;
mod keys;
mod live;
mod page;
mod rest;
mod session;
mod token;
mod xsrf;

use std::sync::Arc;

use axum::{
    Router,
    extract::{MatchedPath, Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use boot::config::Environment;
use caller::Method;
use http::{HeaderMap, header};
use proto::error::Reason;

pub use admission::{Admissions, Standing};
pub use keys::KeySet;
pub use live::Live;
pub use page::Page;
pub use token::{AUDIENCE, Person, TokenError};
pub use xsrf::Xsrf;

use crate::{
    Gateway,
    edge::{Deadline, Route},
    refusal::Refusal,
};

/// Rotates the session, so it takes the XSRF header although it is a GET.
const REFRESH_PATH: &str = "/api/auth/refresh";

/// What the browser door works with.
#[derive(Debug)]
pub struct Browser {
    /// The services.
    pub gateway: Gateway,
    /// Who issues access tokens.
    pub issuer: String,
    /// Keys of access tokens.
    pub keys: KeySet,
    /// What sessions may do.
    pub admissions: Admissions,
    /// Guards against other sites.
    pub xsrf: Xsrf,
    /// The page.
    pub page: Page,
    /// The live socket.
    pub live: Live,
}

impl Browser {
    /// The person an Authorization header speaks for.
    async fn person(&self, headers: &HeaderMap) -> Result<Person, Refusal> {
        let token = rest::bearer(headers)
            .ok_or_else(|| Refusal::new(Reason::Unauthenticated, "there is no access token"))?;
        self.person_of(token).await
    }

    /// The person an access token speaks for.
    async fn person_of(&self, token: &str) -> Result<Person, Refusal> {
        let unauthenticated = |error: TokenError| Refusal::new(Reason::Unauthenticated, error.to_string());
        let kid = token::key_id(token).map_err(unauthenticated)?;
        let key = self.keys.find(&kid).await?.ok_or(TokenError::Invalid).map_err(unauthenticated)?;
        token::verify(token, &key, &self.issuer, self.gateway.host().clock.now()).map_err(unauthenticated)
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
        Ok(self.gateway.call_as_door(method, None, deadline.left(), message).await?)
    }

    fn environment(&self) -> Environment {
        self.gateway.host().environment
    }
}

/// Whether `method` exists in `environment`.
fn exists(method: &Method, environment: Environment) -> bool {
    !(method.rule.development_only && environment == Environment::Production)
}

/// The browser door's routes.
pub fn routes(door: Arc<Browser>) -> Router {
    Router::new()
        .route("/api/auth/login", post(session::login))
        .route(REFRESH_PATH, get(session::refresh))
        .route("/api/auth/logout", post(session::logout))
        .route("/api/auth/reset-password", post(session::reset_password))
        .route("/api/openapi.json", get(openapi))
        .route("/ws", get(live::upgrade))
        .route_layer(middleware::from_fn(name_route))
        .fallback(elsewhere)
        .layer(middleware::from_fn_with_state(door.xsrf.clone(), xsrf::guard))
        .with_state(door)
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], proto::rest::OPENAPI)
}

/// Paths of the contract, and the page everywhere else.
async fn elsewhere(
    state: State<Arc<Browser>>,
    deadline: axum::Extension<Deadline>,
    request: Request,
) -> Response {
    match request.uri().path().split('/').nth(1) {
        Some("api" | "ws" | "oauth2") => rest::answer(state, deadline, request).await,
        _ => state.page.answer(request).await,
    }
}

async fn name_route(path: MatchedPath, request: Request, next: Next) -> Response {
    (axum::Extension(Route(path.as_str().to_owned())), next.run(request).await).into_response()
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
            sensitive: false,
            development_only: true,
            long_running: false,
            idempotency_key: false,
        };
        let method = Method { service: "telemetry", path: "/t/Debug", rest: "GET /api/v1/debug", rule };
        assert!(!exists(&method, Environment::Production));
        assert!(exists(&method, Environment::Development) && exists(&method, Environment::Test));
    }
}
