//! REST from the contract: one generic way from a request to its service.

use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use caller::{Audience, BusinessId, Denied, IDEMPOTENCY_HEADER, IdempotencyKey, Method};
use http::{HeaderMap, HeaderValue, header};
use proto::{
    error::{Reason, denied},
    rest::{Door, transcoder},
};
use rest_over_grpc::{
    handling::{self, Context},
    transcoding::{HttpResponse, Transcode, TranscodeResponse},
};
use tonic::Status;

use super::{Browser, client::client, exists, home, invalid_field::Sent, message, visitor::Visitor};
use crate::{
    body, contract,
    edge::{Deadline, Route, no_such_verb},
    refusal::{self, Refusal},
};

/// The browser that was let in keeps what never changes, and nothing on the way to it does.
const KEPT: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// Answers a request to a path of the contract.
pub async fn answer(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    request: Request,
) -> Response {
    match route(&door, &request) {
        Ok(method) => {
            let answer = forward(door, method, deadline, request).await;
            (Extension(Route(contract::template(method).to_owned())), answer).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

fn route(door: &Browser, request: &Request) -> Result<&'static Method, Refusal> {
    let here = |method: &Method| exists(method, door.environment());
    match contract::find(request.method(), request.uri().path(), here) {
        contract::Found::Method(method) => Ok(method),
        contract::Found::OtherVerb(verbs) => Err(no_such_verb(&verbs)),
        contract::Found::Nothing => Err(nothing_here()),
    }
}

async fn forward(
    door: Arc<Browser>,
    method: &'static Method,
    deadline: Deadline,
    request: Request,
) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let public = method.rule.audiences.contains(&Audience::Public);
    // Before the body: strangers make the door read nothing.
    let person = if public { None } else { Some(door.person(&parts.headers).await?) };
    let idempotency_key = idempotency_key(&parts.headers)?;
    let body = body::read(body).await?;
    body::must_be_json(&parts.headers, &body)?;
    let client = client(&parts);
    let visitor = Visitor { door, person, client, deadline, idempotency_key };
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
    let sent = Sent { verb: parts.method.as_str(), target, body: &body };
    let answered = transcoder(&visitor)
        .try_transcode(sent.verb, sent.target, HeaderMap::new(), sent.body)
        .await
        .ok_or_else(nothing_here)?;
    match answered {
        TranscodeResponse::Unary(answer) => {
            let mut answer = in_our_words(answer, sent).await?.into_http().map(Body::from);
            if method.rule.immutable && answer.status().is_success() {
                answer.headers_mut().insert(header::CACHE_CONTROL, KEPT);
            }
            Ok(answer)
        }
        TranscodeResponse::Streaming(_) => Err(Refusal::new(Reason::Internal, "streams have no REST path")),
    }
}

/// The transcoder's own refusals carry a sentence and no details.
async fn in_our_words(answer: HttpResponse, sent: Sent<'_>) -> Result<HttpResponse, Refusal> {
    #[derive(serde::Deserialize)]
    struct Refused {
        message: String,
        #[serde(default)]
        details: Vec<serde_json::Value>,
    }
    if answer.status().is_success() {
        return Ok(answer);
    }
    match serde_json::from_slice::<Refused>(answer.body()) {
        Ok(Refused { details, .. }) if !details.is_empty() => Ok(answer),
        Ok(Refused { message, .. }) if answer.status().is_client_error() => {
            let (_, what) = message.split_once(": ").unwrap_or(("", &message));
            let fault = match body::fault(sent.body, what) {
                fault if fault.field == body::WHOLE => {
                    body::Fault { field: sent.invalid_field().await.unwrap_or(fault.field), ..fault }
                }
                fault => fault,
            };
            Err(Status::from(fault).into())
        }
        _ => Err(Refusal::new(Reason::Internal, "the answer could not be written")),
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Refusal> {
    let Some(value) = headers.get(IDEMPOTENCY_HEADER) else { return Ok(None) };
    let key = value.to_str().ok().and_then(IdempotencyKey::parse);
    key.map(Some).ok_or_else(|| denied(Denied::IdempotencyKey).into())
}

fn nothing_here() -> Refusal {
    Refusal::new(Reason::NotFound, "there is nothing at this path")
}

impl Door for Visitor {
    async fn forward<Request, Response>(
        &self,
        method: &'static Method,
        business: Option<String>,
        request: Request,
        cx: &mut Context,
    ) -> Result<Response, handling::Status>
    where
        Request: prost::Message + Default + 'static,
        Response: prost::Message + Default + 'static,
    {
        let answered = async {
            let business =
                business.map(|id| proto::parse::id::<BusinessId>("business_id", &id)).transpose()?;
            match home::Home::of(method, &request) {
                Some(home) => home.read(self, business).await,
                None => self.ask(method, business, request).await,
            }
        };
        answered.await.map_err(|status| {
            if let Some(wait) = refusal::retry_after(&status) {
                cx.insert_response_header(header::RETRY_AFTER, wait);
            }
            in_rest(&message::in_json(status))
        })
    }
}

fn in_rest(status: &Status) -> handling::Status {
    let code = handling::Code::from_i32(status.code() as i32).unwrap_or(handling::Code::Internal);
    handling::Status::new(code, refusal::message(status)).with_details(refusal::details(status))
}

/// The token of an Authorization header.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) =
        headers.get(header::AUTHORIZATION).map(HeaderValue::to_str)?.ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
