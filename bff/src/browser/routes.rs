//! What is where: routes written by hand, paths of the contract, and the page everywhere else.

use std::sync::Arc;

use axum::{
    Extension, Router,
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

use super::{
    Browser, MessageResponse, REFRESH_PATH, account, agent_chat, device, exists, live, oauth,
    openapi::{self, Operation},
    page_report, person_calendars, rest, session,
    session_cookies::Grant,
    xsrf,
};
use crate::edge::{Deadline, Route};

const OPENAPI_PATH: &str = "/api/openapi.json";

/// A route written by hand.
#[derive(Debug)]
pub struct ByHand {
    /// Its verb.
    pub verb: Method,
    /// Its path.
    pub path: &'static str,
    /// The method it stands for, where that may not exist everywhere.
    calls: Option<&'static caller::Method>,
    /// What the published document says about it.
    operation: Operation,
    handler: MethodRouter<Arc<Browser>>,
}

/// Every route written by hand that exists in `environment`.
#[must_use]
pub fn by_hand(environment: Environment) -> Vec<ByHand> {
    let routes = [
        route(
            Method::POST,
            "/api/auth/login",
            session::login,
            Operation::new("SignIn", "Signs in with e-mail and password; the refresh token becomes a cookie")
                .body::<session::Credentials>()
                .answer::<Grant>(),
        ),
        route(
            Method::GET,
            REFRESH_PATH,
            session::refresh,
            Operation::new(
                "RefreshSession",
                "Renews the session of the refresh cookie; takes the XSRF header",
            )
            .answer::<Grant>(),
        ),
        route(
            Method::POST,
            "/api/auth/logout",
            session::logout,
            Operation::new("SignOut", "Ends the session of the refresh cookie").answer::<MessageResponse>(),
        ),
        route(
            Method::POST,
            "/api/auth/register/employee",
            account::register,
            Operation::new("Register", "Creates an account, or accepts an invitation with one")
                .body::<account::Registration>()
                .answer::<MessageResponse>(),
        ),
        route(
            Method::POST,
            "/api/auth/invitation",
            account::invitation,
            Operation::new("GetInvitation", "Describes a mailed invitation")
                .body::<account::InvitationToken>()
                .answer::<Value>(),
        ),
        route(
            Method::POST,
            "/api/auth/forgot-password",
            account::forgot_password,
            Operation::new("ForgotPassword", "Mails a link to set a new password")
                .body::<account::EmailAddress>()
                .answer::<MessageResponse>(),
        ),
        route(
            Method::POST,
            "/api/auth/reset-password",
            account::reset_password,
            Operation::new("ResetPassword", "Sets a new password with a mailed token")
                .body::<account::PasswordReset>()
                .answer::<MessageResponse>(),
        ),
        route(
            Method::POST,
            "/api/auth/diagnose-user",
            account::diagnose,
            Operation::new("DiagnoseUser", "Says why an account can't sign in; in development only")
                .body::<account::EmailAddress>()
                .answer::<MessageResponse>(),
        )
        .calling(&DIAGNOSE_USER),
        route(
            Method::POST,
            "/api/v1/me/trusted-devices:confirm",
            device::confirm,
            Operation::new("ConfirmDevice", "Trusts this device with a mailed code")
                .body::<device::DeviceCode>()
                .answer::<MessageResponse>(),
        ),
        route(
            Method::POST,
            "/api/auth/oauth2/callback",
            oauth::exchange,
            Operation::new("SignInWithCode", "Signs in with a provider's authorization code (PKCE)")
                .body::<oauth::AuthorizationCode>()
                .answer::<Grant>(),
        ),
        route(
            Method::GET,
            "/oauth2/authorization/google",
            oauth::begin,
            Operation::new("BeginRedirect", "Redirects to the provider").query(&["frontend"]).status("302"),
        ),
        route(
            Method::GET,
            oauth::CALLBACK,
            oauth::finish,
            Operation::new("FinishRedirect", "Takes the provider's answer and redirects to the page")
                .query(&["state", "code", "error"])
                .status("302"),
        ),
        route(
            Method::GET,
            "/api/auth/debug/oauth-config",
            oauth::describe,
            Operation::new("DescribeProvider", "Describes the configured provider; in development only")
                .answer::<Value>(),
        )
        .calling(&DESCRIBE_PROVIDER),
        route(
            Method::GET,
            "/api/me/calendars",
            person_calendars::list,
            Operation::new(
                "ListPersonCalendars",
                "Lists the calendars of one's own account; 401 with `authorizationRequired` without a consent",
            )
            .answer::<person_calendars::PersonCalendars>(),
        ),
        route(
            Method::POST,
            "/api/v1/page-reports",
            page_report::take,
            Operation::new("ReportPage", "Takes web vitals and traces that a page measured")
                .body::<page_report::PageReport>()
                .status("204"),
        ),
        route(
            Method::POST,
            "/api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/turns",
            agent_chat::turn,
            Operation::new("SayToAgent", "Says something in a chat with the agent; the answer comes line by line")
                .body::<agent_chat::Turn>()
                .answer::<agent_chat::Line>(),
        ),
        route(
            Method::POST,
            "/api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/replay",
            agent_chat::replay,
            Operation::new("ReplayCall", "Has a chat's agent answer the caller of a past call; line by line")
                .body::<agent_chat::Replay>()
                .answer::<agent_chat::Line>(),
        ),
        route(Method::GET, OPENAPI_PATH, published, Operation::new("GetOpenApi", "This document")),
        route(
            Method::GET,
            "/ws",
            live::upgrade,
            Operation::new("OpenLiveSocket", "Upgrades to the WebSocket that tells of changes").status("101"),
        ),
    ];
    routes.into_iter().filter(|route| route.calls.is_none_or(|method| exists(method, environment))).collect()
}

fn route<H, T>(verb: Method, path: &'static str, handler: H, operation: Operation) -> ByHand
where
    H: Handler<T, Arc<Browser>>,
    T: 'static,
{
    let filter = MethodFilter::try_from(verb.clone()).expect("a verb that routes know");
    ByHand { verb, path, calls: None, operation, handler: on(filter, handler) }
}

impl ByHand {
    fn calling(self, method: &'static caller::Method) -> Self {
        Self { calls: Some(method), ..self }
    }
}

/// The browser door's routes.
pub fn routes(door: Arc<Browser>) -> Router {
    let by_hand = by_hand(door.environment());
    let described = by_hand.iter().map(|route| (&route.verb, route.path, route.operation));
    let document = OpenApi(openapi::document(door.environment(), described).into());
    by_hand
        .into_iter()
        .fold(Router::new(), |router, route| router.route(route.path, route.handler))
        .route_layer(middleware::from_fn(name_route))
        .fallback(elsewhere)
        .layer(Extension(document))
        .layer(middleware::from_fn_with_state(door.xsrf.clone(), xsrf::guard))
        .with_state(door)
}

/// The contract and the routes written by hand.
async fn published(Extension(OpenApi(document)): Extension<OpenApi>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], document)
}

#[derive(Debug, Clone)]
struct OpenApi(Bytes);

/// Paths of the contract, and the page everywhere else.
async fn elsewhere(state: State<Arc<Browser>>, deadline: Extension<Deadline>, request: Request) -> Response {
    match request.uri().path().split('/').nth(1) {
        Some("api" | "ws" | "oauth2") => rest::answer(state, deadline, request).await,
        _ => state.page.answer(request).await,
    }
}

async fn name_route(path: MatchedPath, request: Request, next: Next) -> Response {
    (Extension(Route(path.as_str().to_owned())), next.run(request).await).into_response()
}
