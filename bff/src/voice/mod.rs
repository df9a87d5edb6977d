//! The voice door: signed deliveries of voice platforms come in, the calls they
//! tell of are kept, and the agent's tools are answered while a person waits.

mod agent;
mod connection;
mod delivery;
mod intake;
mod metrics;
mod platform;
pub mod retell;
mod tools;

use core::time::Duration;
use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request, State, rejection::PathRejection},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::post,
};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header, request::Parts};
use jiff::Timestamp;
use opentelemetry::metrics::Meter;
use proto::error::Reason;

use self::{
    connection::{Connection, Connections},
    delivery::Delivery,
    intake::Intake,
    metrics::{Metrics, Outcome},
    platform::Platform,
};
use crate::{
    Gateway, body,
    edge::{Limits, Probation, Route},
    refusal::Refusal,
};

/// Where platforms deliver.
pub const PATH: &str = "/api/webhooks/voice/{platform}/{connection_id}";

/// The voice door's routes.
pub fn routes(gateway: Gateway, limits: &Limits) -> Router {
    routes_measured(gateway, limits, &opentelemetry::global::meter("frontdesk"))
}

/// [`routes`] that measure with a meter of one's own.
pub fn routes_measured(gateway: Gateway, limits: &Limits, meter: &Meter) -> Router {
    let gateway = gateway.for_voice();
    let connections = Connections::new(gateway.clone());
    let body_time = limits.unsigned_body_time;
    let door = VoiceDoor { connections, gateway, metrics: Metrics::new(meter), body_time };
    Router::new().route(PATH, post(receive)).layer(map_response(routed)).with_state(door)
}

/// What every delivery needs.
#[derive(Debug, Clone)]
struct VoiceDoor {
    gateway: Gateway,
    connections: Connections,
    metrics: Metrics,
    body_time: Duration,
}

/// Names the route in the request's span.
async fn routed(mut response: Response) -> Response {
    response.extensions_mut().insert(Route(PATH.to_owned()));
    response
}

async fn receive(
    State(door): State<VoiceDoor>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<Response, Refusal> {
    let Path((platform, id)) = path.map_err(|_| connection::unknown())?;
    let connection = door.connection(&platform, &id).await?;
    let (parts, body) = request.into_parts();
    // Signatures are over the bytes as they arrived.
    let body = body::read_within(body, door.body_time).await?;
    let now = door.gateway.host().clock.now();
    let (metrics, platform) = (door.metrics.clone(), connection.platform);
    let (outcome, answer) = door.deal_with(connection, &parts, body, now).await;
    metrics.delivered(platform, outcome);
    answer
}

impl VoiceDoor {
    async fn deal_with(
        self,
        connection: Arc<Connection>,
        parts: &Parts,
        body: Bytes,
        now: Timestamp,
    ) -> (Outcome, Result<Response, Refusal>) {
        if let Err(refusal) = self.believe(&connection, &parts.headers, &body, now) {
            return (Outcome::Rejected, Err(refusal));
        }
        Probation::passed(&parts.extensions);
        let intake = Intake::new(self.gateway, connection, self.metrics, body, now);
        match intake.parse() {
            Err(status) => (Outcome::Malformed, Err(status.into())),
            Ok(Delivery::Event(event)) => match intake.record(event).await {
                Ok(()) => (Outcome::Recorded, Ok(StatusCode::NO_CONTENT.into_response())),
                Err(status) => (Outcome::Failed, Err(status.into())),
            },
            Ok(Delivery::Tool(call)) => match intake.answer(call).await {
                Ok(answer) => {
                    let kind = [(header::CONTENT_TYPE, "application/json")];
                    (Outcome::Answered, Ok((kind, answer).into_response()))
                }
                Err(status) => (Outcome::Failed, Err(status.into())),
            },
        }
    }

    /// Refuses what the connection's platform did not sign around `now`.
    fn believe(
        &self,
        connection: &Connection,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let platform = connection.platform;
        platform.verify(headers, body, connection.secret.expose(), now).map_err(|fault| {
            self.metrics.rejected(platform, fault);
            tracing::warn!(voice.connection.id = %connection.id, reason = fault.name(), "a delivery was not believed");
            Refusal::new(Reason::BadSignature, "the signature is missing, wrong or too old")
        })
    }

    async fn connection(&self, platform: &str, id: &str) -> Result<Arc<Connection>, Refusal> {
        let platform = Platform::named(platform).ok_or_else(connection::unknown)?;
        let id = id.parse().map_err(|_| connection::unknown())?;
        let connection = self.connections.open(id).await?;
        if connection.platform == platform { Ok(connection) } else { Err(connection::unknown().into()) }
    }
}
