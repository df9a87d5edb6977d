//! What goes wrong on request.

use axum::{
    extract::{Request, State},
    http::{StatusCode, header::RETRY_AFTER},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{GoogleFake, api::Refusal};

/// What goes wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done, and 503 answered.
    Unavailable,
    /// It is done, and 503 answered.
    LostAnswer,
    /// 403 with the reason `rateLimitExceeded`.
    RateLimited,
    /// 429, with Retry-After.
    TooManyRequests,
    /// 410: met by requests with a sync token alone.
    Forgotten,
}

/// What is still to go wrong, the last first.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, fault: Fault, count: usize) {
        self.0.extend(core::iter::repeat_n(fault, count));
    }

    fn next(&mut self, has_token: bool) -> Option<Fault> {
        match self.0.last() {
            Some(Fault::Forgotten) if !has_token => None,
            _ => self.0.pop(),
        }
    }
}

pub(crate) async fn meet(State(google): State<GoogleFake>, request: Request, next: Next) -> Response {
    let late_by = google.count_call();
    if !late_by.is_zero() {
        tokio::time::sleep(late_by).await;
    }
    let has_token = request.uri().query().is_some_and(|query| query.contains("syncToken="));
    let fault = google.lock().faults.next(has_token);
    match fault {
        None => next.run(request).await,
        Some(Fault::LostAnswer) => {
            next.run(request).await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        Some(Fault::Unavailable) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(Fault::RateLimited) => Refusal::limited("rateLimitExceeded").into_response(),
        Some(Fault::TooManyRequests) => {
            let refusal =
                Refusal::new(StatusCode::TOO_MANY_REQUESTS, "rateLimitExceeded", "Rate Limit Exceeded");
            ([(RETRY_AFTER, "2")], refusal).into_response()
        }
        Some(Fault::Forgotten) => Refusal::forgotten().into_response(),
    }
}
