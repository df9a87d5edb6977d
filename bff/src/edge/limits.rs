//! How much of anything a visitor gets.

use core::time::Duration;

use axum::extract::Request;
use http::{Method, StatusCode, header};
use proto::error::Reason;
use tonic::Status;

use crate::refusal::Refusal;

/// Requests last less than this, mostly.
const RETRY: Duration = Duration::from_secs(1);
/// Also what the tools of a chat have.
pub const TOOL_TIME: Duration = Duration::from_secs(8);
const MESSAGE_RETRIES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(25)];
/// Where voice platforms deliver.
const DELIVERIES: &str = "/api/webhooks/voice/";
/// Where ElevenLabs delivers: the audio of a call is an event of its own there.
const RECORDINGS: &str = "/api/webhooks/voice/elevenlabs/";

/// What the edge allows.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of all headers together.
    pub header_bytes: usize,
    /// Number of headers.
    pub headers: usize,
    /// Time for a whole head, for an idle connection, and for one that takes nothing of its answer.
    pub header_time: Duration,
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Bytes of a voice platform's delivery: a call of an hour and a half, with the time of each word. Services take 4 MiB
    /// of each other, the delivery and what was read from it.
    pub delivery_bytes: usize,
    /// Bytes of a body that has a call's recording in it: 48 MiB of audio as base64.
    pub recording_bytes: usize,
    /// Time for such a body.
    pub recording_time: Duration,
    /// Requests worked on at the same time, a fifth of them voice's alone; more are refused.
    pub in_flight: usize,
    /// Open connections; more wait to be accepted, but those of a network that has its share are refused.
    pub connections: usize,
    /// Requests open on one HTTP/2 connection.
    pub streams_per_connection: u32,
    /// Open live sockets; more are refused.
    pub sockets: usize,
    /// One network gets at most one in so many of the requests worked on, of the connections and of
    /// the sockets, so that no single host keeps the others out. Half is more than the busiest salon
    /// behind one address asks at once, or a platform's two hundred calls in the same moment.
    pub parts: usize,
    /// Sign-ins with the provider that one network may begin, or bring a code of, within
    /// [`Limits::flow_window`]: each is a row until it ends or a question to the provider, and a salon
    /// shares an address.
    pub flows: u32,
    /// As long as a sign-in that was begun may take: so much of one network is kept at most.
    pub flow_window: Duration,
    /// Calls that our own agent holds at the same time, half of them of one salon; more are refused.
    pub calls: usize,
    /// How long such a call lasts; then the agent says goodbye, to a silent caller as well.
    pub call_time: Duration,
    /// Time for all that a delivery of a voice platform needs: platforms wait 10 s for an answer, and what comes later is
    /// of no use.
    pub tool_time: Duration,
    /// Waits before a message to the team that a fault kept from it is tried again.
    pub message_retries: &'static [Duration],
    /// Frames a live socket may send in a second. A page sends two when it begins and one when its
    /// token is renewed.
    pub socket_frames: u32,
    /// Changes a live socket may lag behind before it reads everything again.
    pub socket_lag: usize,
    /// Time for a live socket to say who listens.
    pub greeting_time: Duration,
    /// Time for a request, its body and its answer.
    pub request_time: Duration,
    /// Time for a body whose sender is not known before it is read: a webhook's signature is over it.
    pub unsigned_body_time: Duration,
    /// The same as [`Limits::request_time`] for methods marked long-running.
    pub long_request_time: Duration,
    /// About how long a connection is kept, so that replicas share the load.
    pub connection_age: Duration,
    /// Requests under way get this long when no more are taken, and live sockets to close.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_bytes: 16 << 10,
            headers: 64,
            header_time: Duration::from_secs(20),
            body_bytes: 1 << 20,
            delivery_bytes: 2 << 20,
            recording_bytes: 64 << 20,
            recording_time: Duration::from_secs(120),
            in_flight: 512,
            connections: 8192,
            streams_per_connection: 128,
            sockets: 4096,
            calls: 200,
            call_time: Duration::from_secs(30 * 60),
            tool_time: TOOL_TIME,
            message_retries: &MESSAGE_RETRIES,
            parts: 2,
            flows: 60,
            flow_window: Duration::from_secs(600),
            socket_frames: 10,
            socket_lag: 1024,
            greeting_time: Duration::from_secs(5),
            request_time: Duration::from_secs(30),
            unsigned_body_time: Duration::from_secs(10),
            long_request_time: Duration::from_secs(600),
            connection_age: Duration::from_secs(300),
            drain: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// Refuses what is too large by its head alone.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refusal> {
        let head = request.headers();
        let bytes: usize = head.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
        if head.len() > self.headers || bytes + target > self.header_bytes {
            return Err(Refusal::new(Reason::TooLarge, "the request's head is larger than the limit")
                .with_http(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
        }
        let length = head.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if length.unwrap_or(0) > self.body_bytes_of(request) {
            return Err(body_too_large());
        }
        Ok(())
    }

    /// Bytes of a request's body: more where a voice platform delivers calls, and most where it delivers recordings.
    pub(super) fn body_bytes_of(&self, request: &Request) -> usize {
        if has_recording(request) {
            self.recording_bytes
        } else if is_posted_to(request, DELIVERIES) {
            self.delivery_bytes
        } else {
            self.body_bytes
        }
    }
}

/// Whether a request may have a recording in its body.
pub(super) fn has_recording(request: &Request) -> bool {
    is_posted_to(request, RECORDINGS)
}

fn is_posted_to(request: &Request, path: &str) -> bool {
    request.method() == Method::POST && request.uri().path().starts_with(path)
}

/// The body is larger than the limit.
#[must_use]
pub fn body_too_large() -> Refusal {
    Refusal::new(Reason::TooLarge, "the body is larger than the limit")
}

/// The verb is not one this path has; it has `verbs`.
#[must_use]
pub fn no_such_verb(verbs: &[&'static str]) -> Refusal {
    Refusal::new(Reason::NotFound, "this path does not have that verb")
        .with_http(StatusCode::METHOD_NOT_ALLOWED)
        .allowing(verbs)
}

/// Everybody together wants more than there is.
#[must_use]
pub fn busy() -> Refusal {
    proto::error::retry_later(Reason::Busy, "too many requests at once", RETRY).into()
}

/// This visitor's network has its share.
#[must_use]
pub fn crowded() -> Refusal {
    Refusal::from(proto::error::retry_later(
        Reason::Busy,
        "too many requests at once from your network",
        RETRY,
    ))
    .with_http(StatusCode::TOO_MANY_REQUESTS)
}

pub(super) fn too_late() -> Refusal {
    Status::deadline_exceeded("the answer took longer than it may").into()
}
