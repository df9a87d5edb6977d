//! The voice agent, as the services see it.

use core::time::Duration;
use std::time::Instant;

use boot::peer::Peer;
use caller::{Bearer, BusinessId, IdempotencyKey, Method, Passport};
use jiff::Timestamp;
use tonic::Status;

use crate::Gateway;

/// An agent at work on one delivery, good for one business alone.
#[derive(Debug, Clone)]
pub struct Agent {
    gateway: Gateway,
    /// Whose rights it has: a connection's, or those of a person who tries it.
    passport: Passport,
    business: BusinessId,
    /// How long it has for one attempt.
    patience: Duration,
    until: Instant,
}

impl Agent {
    /// An agent whose every answer must have come within `patience`.
    pub fn new(gateway: Gateway, bearer: Bearer, business: BusinessId, patience: Duration) -> Self {
        let passport = Passport { bearer, business: Some(business) };
        Self { gateway, passport, business, patience, until: Instant::now() + patience }
    }

    /// The same agent with time for one more attempt.
    pub fn rested(&self) -> Self {
        Self { until: Instant::now() + self.patience, ..self.clone() }
    }

    /// The same agent with so much time at least.
    pub fn with_at_least(&self, time: Duration) -> Self {
        Self { until: self.until.max(Instant::now() + time), ..self.clone() }
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.gateway.host().clock.now()
    }

    /// Whether a call of `method` that failed may be made again now.
    pub fn may_retry(&self, method: &'static Method) -> bool {
        self.gateway.peer(method.service).is_ok_and(Peer::may_retry)
    }

    /// The business it works for.
    pub fn business(&self) -> BusinessId {
        self.business
    }

    /// The same, as messages name it.
    pub fn business_id(&self) -> String {
        self.business.to_string()
    }

    /// Calls `method`, under `key` where the method writes.
    pub async fn call<Request, Response>(
        &self,
        method: &'static Method,
        key: Option<&IdempotencyKey>,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Status::deadline_exceeded("the platform's patience is over"));
        }
        self.gateway.call(method, &self.passport, left, key, message).await
    }
}
