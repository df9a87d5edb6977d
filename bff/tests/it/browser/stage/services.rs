//! Services that let in what the contract's rules do, and remember who called.

use core::time::Duration;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use boot::Host;
use bytes::Bytes;
use caller::{Actor, BusinessId, Gate, PASSPORT_HEADER, Role, ScopeKind};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use prost::encoding::{DecodeContext, WireType, decode_key, skip_field, string};
use proto::{
    error::denied,
    frontdesk::{
        auth::internal::v1::{
            RecordRefusalRequest, security_record_service_methods::RECORD_REFUSAL,
            session_service_methods::GET_JWKS,
        },
        events::v1::event_log_service_methods::FOLLOW,
    },
};
use tokio::{
    sync::{Notify, Semaphore, watch},
    time::timeout,
};
use tonic::{Status, body::Body, metadata::MetadataMap};

/// One call that was let in.
#[derive(Debug, Clone)]
pub struct Called {
    pub path: String,
    pub metadata: HeaderMap,
    pub actor: Option<Actor>,
    pub business: Option<BusinessId>,
    pub role: Option<Role>,
    pub remaining: Option<Duration>,
    pub message: Bytes,
}

/// What services did and shall do.
pub struct Services {
    pub called: Mutex<Vec<Called>>,
    /// What methods answer, by path; without one, an empty message.
    pub answers: Mutex<HashMap<&'static str, Result<Bytes, Status>>>,
    /// Methods that never answer.
    pub stuck: Mutex<Vec<&'static str>>,
    /// Notified when a call reaches a stuck method.
    pub reached: Notify,
    /// Refused calls that the door noted.
    pub noted: watch::Sender<Vec<RecordRefusalRequest>>,
    /// Taken for each note.
    recording: Semaphore,
    /// Paths of every call made for a person or service, whichever fake answered it.
    overheard: Mutex<Vec<String>>,
}

impl Services {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            called: Mutex::default(),
            answers: Mutex::default(),
            stuck: Mutex::default(),
            reached: Notify::new(),
            noted: watch::Sender::default(),
            recording: Semaphore::new(Semaphore::MAX_PERMITS),
            overheard: Mutex::default(),
        })
    }

    pub fn refuse(&self, method: &'static caller::Method, status: Status) {
        self.answers.lock().unwrap().insert(method.path, Err(status));
    }

    pub fn reply(&self, method: &'static caller::Method, message: &impl prost::Message) {
        self.answers.lock().unwrap().insert(method.path, Ok(message.encode_to_vec().into()));
    }

    pub fn last(&self) -> Called {
        self.called.lock().unwrap().last().expect("a call was let in").clone()
    }

    pub fn count(&self) -> usize {
        self.called.lock().unwrap().len()
    }

    /// From now on, no note of a refused call is ever done with.
    pub fn record_nothing(&self) {
        self.recording.forget_permits(usize::MAX);
    }

    /// Calls that reached any service so far, auth's sessions among them.
    pub fn overheard(&self) -> Vec<String> {
        self.overheard.lock().unwrap().clone()
    }

    /// The door's own reading of logs and keys does not count.
    pub fn overhear(&self, path: &str) {
        if path != GET_JWKS.path && path != FOLLOW.path {
            self.overheard.lock().unwrap().push(path.to_owned());
        }
    }

    /// The notes of refused calls, once there are `count`.
    pub async fn noted(&self, count: usize) -> Vec<RecordRefusalRequest> {
        let mut noted = self.noted.subscribe();
        let there = noted.wait_for(|notes| notes.len() >= count);
        timeout(Duration::from_secs(10), there).await.expect("a note is missing").unwrap().clone()
    }

    /// Serves every method of `host`'s service that has a REST path.
    pub fn routes(self: &Arc<Self>, host: &Host) -> axum::Router {
        let (services, gate) = (self.clone(), host.gate.clone());
        axum::Router::new().fallback(move |request: Request<axum::body::Body>| {
            let (services, gate) = (services.clone(), gate.clone());
            async move { services.answer(&gate, request).await.unwrap_or_else(|status| status.into_http()) }
        })
    }

    async fn answer(
        &self,
        gate: &Gate,
        request: Request<axum::body::Body>,
    ) -> Result<Response<Body>, Status> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let found = proto::methods::ALL.iter().find(|method| method.path == path);
        let method = found.copied().ok_or_else(|| Status::unimplemented(path.clone()))?;
        let frame = body.collect().await.unwrap().to_bytes();
        let message = frame.slice(5..);
        if method.path == RECORD_REFUSAL.path {
            drop(self.recording.acquire().await.unwrap());
            self.noted.send_modify(|notes| notes.push(prost::Message::decode(message).unwrap()));
            return Ok(unary(&Bytes::new()));
        }
        let metadata = MetadataMap::from_headers(parts.headers.clone());
        let mut called = Called {
            path,
            metadata: parts.headers,
            actor: None,
            business: None,
            role: None,
            remaining: None,
            message: message.clone(),
        };
        match method.rule.scope {
            ScopeKind::Business => {
                let scope = gate.business(&metadata, method, &first_string(&message)).map_err(denied)?;
                called.actor = Some(caller::Tenant::actor(&scope));
                called.business = Some(caller::Tenant::business(&scope));
                called.role = Some(scope.role());
                called.remaining = scope.remaining();
            }
            ScopeKind::Person => {
                let scope = gate.person(&metadata, method).map_err(denied)?;
                called.actor = Some(Actor::Person { user: scope.user(), session: scope.session() });
                called.remaining = scope.remaining();
            }
            ScopeKind::Installation => {
                let scope = gate.installation(&metadata, method).map_err(denied)?;
                called.actor = Some(scope.actor().clone());
                called.remaining = scope.remaining();
            }
            ScopeKind::None => {
                called.remaining = gate.unscoped(&metadata, method).map_err(denied)?.remaining()
            }
        }
        self.called.lock().unwrap().push(called);
        if self.stuck.lock().unwrap().contains(&method.path) {
            self.reached.notify_one();
            core::future::pending::<()>().await;
        }
        let answer =
            self.answers.lock().unwrap().get(method.path).cloned().unwrap_or_else(|| Ok(Bytes::new()));
        Ok(unary(&answer?))
    }
}

/// Every request about a business names it in field 1.
fn first_string(message: &Bytes) -> String {
    let (mut message, mut value) = (message.clone(), String::new());
    while !message.is_empty() {
        let (tag, wire) = decode_key(&mut message).unwrap();
        if tag == 1 && wire == WireType::LengthDelimited {
            string::merge(wire, &mut value, &mut message, DecodeContext::default()).unwrap();
        } else {
            skip_field(wire, tag, &mut message, DecodeContext::default()).unwrap();
        }
    }
    value
}

fn unary(message: &Bytes) -> Response<Body> {
    let mut frame = vec![0];
    frame.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    frame.extend_from_slice(message);
    let trailers = HeaderMap::from_iter([(Status::GRPC_STATUS, HeaderValue::from_static("0"))]);
    let body = Full::new(Bytes::from(frame)).with_trailers(async move { Some(Ok(trailers)) });
    let mut response = Response::new(Body::new(body.map_err(|never| match never {})));
    response.headers_mut().insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}

/// The passport as it came, for comparing.
pub fn passport(called: &Called) -> &str {
    called.metadata[PASSPORT_HEADER].to_str().unwrap()
}
