//! The voice agent, as the services see it.

use core::time::Duration;
use std::{sync::Arc, time::Instant};

use boot::peer::Peer;
use caller::{Bearer, IdempotencyKey, Method, Passport};
use jiff::Timestamp;
use tonic::Status;

use super::connection::Connection;
use crate::Gateway;

/// Platforms wait 10 s for an answer; what comes later is of no use.
const PATIENCE: Duration = Duration::from_secs(8);

/// An agent at work on one delivery, good for its connection's business alone.
#[derive(Debug, Clone)]
pub struct Agent {
    gateway: Gateway,
    connection: Arc<Connection>,
    until: Instant,
}

impl Agent {
    /// An agent whose every answer must have come in the platform's patience.
    pub fn new(gateway: Gateway, connection: Arc<Connection>) -> Self {
        Self { gateway, connection, until: Instant::now() + PATIENCE }
    }

    /// The same agent with time for one more attempt.
    pub fn rested(&self) -> Self {
        Self::new(self.gateway.clone(), self.connection.clone())
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.gateway.host().clock.now()
    }

    /// Whether a call of `method` that failed may be made again now.
    pub fn may_retry(&self, method: &'static Method) -> bool {
        self.gateway.peer(method.service).is_ok_and(Peer::may_retry)
    }

    /// The connection it speaks through.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The business it works for, as messages name it.
    pub fn business_id(&self) -> String {
        self.connection.business.to_string()
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
        let bearer = Bearer::Agent { connection: self.connection.id };
        let passport = Passport { bearer, business: Some(self.connection.business) };
        self.gateway.call(method, &passport, left, key, message).await
    }
}
