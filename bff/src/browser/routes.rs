//! What is where: routes written by hand, paths of the contract, and the page everywhere else.

use std::sync::Arc;

use axum::{
    Router,
    extract::{MatchedPath, Request, State},
    handler::Handler,
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter, on},
};
use boot::environment::Environment;
use bytes::Bytes;
use http::{Method, header};
use proto::frontdesk::auth::internal::v1::{
    provider_service_methods::DESCRIBE_PROVIDER, registration_service_methods::DIAGNOSE_USER,
};
use serde_json::Value;

use super::{Browser, REFRESH_PATH, account, device, exists, live, oauth, rest, session, xsrf};
use crate::{
    contract,
    edge::{Deadline, Route},
};

/// A route written by hand.
#[derive(Debug)]
pub struct ByHand {
    /// Its verb.
    pub verb: Method,
    /// Its path.
    pub path: &'static str,
    /// The method it stands for, where that may not exist everywhere.
    calls: Option<&'static caller::Method>,
    handler: MethodRouter<Arc<Browser>>,
}

/// Every route written by hand that exists in `environment`.
#[must_use]
pub fn by_hand(environment: Environment) -> Vec<ByHand> {
    let routes = [
        route(Method::POST, "/api/auth/login", session::login),
        route(Method::GET, REFRESH_PATH, session::refresh),
        route(Method::POST, "/api/auth/logout", session::logout),
        route(Method::POST, "/api/auth/register/employee", account::register),
        route(Method::POST, "/api/auth/invitation", account::invitation),
        route(Method::POST, "/api/auth/forgot-password", account::forgot_password),
        route(Method::POST, "/api/auth/reset-password", account::reset_password),
        route(Method::POST, "/api/auth/diagnose-user", account::diagnose).calling(&DIAGNOSE_USER),
        route(Method::POST, "/api/v1/me/trusted-devices:confirm", device::confirm),
        route(Method::POST, "/api/auth/oauth2/callback", oauth::exchange),
        route(Method::GET, "/oauth2/authorization/google", oauth::begin),
        route(Method::GET, oauth::CALLBACK, oauth::finish),
        route(Method::GET, "/api/auth/debug/oauth-config", oauth::describe).calling(&DESCRIBE_PROVIDER),
        route(Method::GET, "/api/openapi.json", openapi(environment)),
        route(Method::GET, "/ws", live::upgrade),
    ];
    routes.into_iter().filter(|route| route.calls.is_none_or(|method| exists(method, environment))).collect()
}

fn route<H, T>(verb: Method, path: &'static str, handler: H) -> ByHand
where
    H: Handler<T, Arc<Browser>>,
    T: 'static,
{
    let filter = MethodFilter::try_from(verb.clone()).expect("a verb that routes know");
    ByHand { verb, path, calls: None, handler: on(filter, handler) }
}

impl ByHand {
    fn calling(self, method: &'static caller::Method) -> Self {
        Self { calls: Some(method), ..self }
    }
}

/// The browser door's routes.
pub fn routes(door: Arc<Browser>) -> Router {
    let by_hand = by_hand(door.environment());
    by_hand
        .into_iter()
        .fold(Router::new(), |router, route| router.route(route.path, route.handler))
        .route_layer(middleware::from_fn(name_route))
        .fallback(elsewhere)
        .layer(middleware::from_fn_with_state(door.xsrf.clone(), xsrf::guard))
        .with_state(door)
}

/// Publishes the contract.
fn openapi(environment: Environment) -> impl Handler<((),), Arc<Browser>> {
    let document = Bytes::from(document(environment));
    async move || ([(header::CONTENT_TYPE, "application/json")], document)
}

/// The OpenAPI document, without what does not exist in `environment`.
fn document(environment: Environment) -> String {
    let missing: Vec<&str> = proto::methods::ALL
        .iter()
        .filter(|method| !exists(method, environment))
        .map(|method| contract::template(method))
        .collect();
    if missing.is_empty() {
        return proto::rest::OPENAPI.to_owned();
    }
    let mut document: Value = serde_json::from_str(proto::rest::OPENAPI).expect("the document is JSON");
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.retain(|path, _| !missing.contains(&path.as_str()));
    }
    document.to_string()
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
