//! The services behind the doors, and the one way to call them.

use core::time::Duration;
use std::sync::Arc;

use boot::{Host, faults::Faults, peer::Peer, transport::Encryption};
use caller::{BusinessId, IDEMPOTENCY_HEADER, IdempotencyKey, Method, Passport, Priority};
use http::uri::PathAndQuery;
use opentelemetry::{KeyValue, global, metrics::Counter};
use proto::error::{Reason, reason_of, refuse, retry_later};
use tonic::{Code, Status, client::Grpc};
use tonic_prost::ProstCodec;

use crate::Door;

/// A keyring that was exchanged on one side only is put right within a deployment.
const RETRY: Duration = Duration::from_secs(1);

/// Where the services are.
#[derive(Debug, Clone, clap::Args)]
pub struct ServiceUrls {
    /// gRPC address of auth.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:7101")]
    pub auth_url: String,
    /// gRPC address of tenancy.
    #[arg(long, env = "TENANCY_URL", default_value = "http://127.0.0.1:7102")]
    pub tenancy_url: String,
    /// gRPC address of scheduling.
    #[arg(long, env = "SCHEDULING_URL", default_value = "http://127.0.0.1:7103")]
    pub scheduling_url: String,
    /// gRPC address of calendar-sync.
    #[arg(long, env = "CALENDAR_SYNC_URL", default_value = "http://127.0.0.1:7104")]
    pub calendar_sync_url: String,
    /// gRPC address of telemetry.
    #[arg(long, env = "TELEMETRY_URL", default_value = "http://127.0.0.1:7105")]
    pub telemetry_url: String,
}

impl ServiceUrls {
    /// The services that a door calls, and where they are.
    fn of(&self, doors: &[Door]) -> Vec<(&'static str, &str)> {
        let mut urls: Vec<(&str, &str)> = vec![
            ("tenancy", &self.tenancy_url),
            ("scheduling", &self.scheduling_url),
            ("telemetry", &self.telemetry_url),
        ];
        if doors.contains(&Door::Browser) {
            urls.extend([("auth", &*self.auth_url), ("calendar-sync", &self.calendar_sync_url)]);
        }
        urls
    }

    /// Adds what is wrong with the addresses that the doors need.
    pub(crate) fn check(&self, doors: &[Door], encryption: Option<Encryption>, faults: &mut Faults) {
        for (service, url) in self.of(doors) {
            Peer::check(service, url, encryption, faults);
        }
    }
}

/// Connections to the services, and the door's signature.
#[derive(Debug, Clone)]
pub struct Gateway {
    peers: Arc<[Peer]>,
    host: Host,
    /// Of the calls that the door makes in its own name.
    priority: Priority,
    faults: Counter<u64>,
}

impl Gateway {
    /// The same connections for calls that a person on the telephone waits for.
    #[must_use]
    pub fn for_voice(self) -> Self {
        Self { priority: Priority::Voice, ..self }
    }

    /// Connections to what the doors call, which open with their first call.
    ///
    /// # Errors
    /// A malformed URL.
    pub fn new(urls: &ServiceUrls, doors: &[Door], host: &Host) -> anyhow::Result<Self> {
        let peers = urls.of(doors).into_iter().map(|(service, url)| Peer::lazy(service, url, host));
        Ok(Self {
            peers: peers.collect::<anyhow::Result<_>>()?,
            host: host.clone(),
            priority: Priority::Normal,
            faults: global::meter("frontdesk")
                .u64_counter("frontdesk.peer.faults")
                .with_description("Calls between services that failed for a reason of the installation.")
                .build(),
        })
    }

    /// Calls `method` for whom `passport` speaks; no answer within `timeout` is DEADLINE_EXCEEDED.
    ///
    /// # Errors
    /// The service's refusal; UNAVAILABLE when it can't be reached or does not believe the passport.
    pub async fn call<Request, Response>(
        &self,
        method: &'static Method,
        passport: &Passport,
        timeout: Duration,
        idempotency_key: Option<&IdempotencyKey>,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        let peer = self.peer(method.service)?;
        let now = self.host.clock.now();
        let passport = self.host.signer.sign_with(method.service, passport, self.priority, now);
        let mut request = peer.carrying(&passport, message, timeout);
        if let Some(key) = idempotency_key {
            let key = key.as_str().parse().expect("an idempotency key is visible ASCII");
            request.metadata_mut().insert(IDEMPOTENCY_HEADER, key);
        }
        let mut client = Grpc::new(peer.channel());
        client.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let path = PathAndQuery::from_static(method.path);
        let answered = client.unary(request, path, ProstCodec::default()).await;
        answered.map(tonic::Response::into_inner).map_err(|status| self.unless_ours(method, status))
    }

    /// Calls `method` in the door's own name, for a business or none.
    ///
    /// # Errors
    /// As [`Gateway::call`].
    pub async fn call_as_door<Request, Response>(
        &self,
        method: &'static Method,
        business: Option<BusinessId>,
        timeout: Duration,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        let bearer = caller::Bearer::Service { name: self.host.signer.issuer().to_owned() };
        self.call(method, &Passport { bearer, business }, timeout, None, message).await
    }

    /// The connection to a service.
    ///
    /// # Errors
    /// UNIMPLEMENTED for a name that is no service's, or of one that no open door calls.
    pub fn peer(&self, service: &str) -> Result<&Peer, Status> {
        let found = self.peers.iter().find(|peer| peer.service() == service);
        found.ok_or_else(|| Status::unimplemented(format!("{service} is no service")))
    }

    /// What the outside may read of a refusal. A status without a reason of the contract was made by
    /// the transport, a decoder or a limit between our own services: such a fault is logged with the
    /// trace it belongs to, counted, and never reads as the caller's, nor as the end of a session.
    fn unless_ours(&self, method: &Method, status: Status) -> Status {
        if is_passport_refused(method, &status) {
            tracing::error!(method = method.path, error = %status, "a passport was not believed");
            return retry_later(Reason::Unavailable, "this can't be checked right now", RETRY);
        }
        let reason = reason_of(&status);
        match status.code() {
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled if reason.is_none() => {
                tracing::warn!(method = method.path, error = %status, "a service gave no answer");
                status
            }
            Code::Internal | Code::Unknown | Code::Unimplemented | Code::DataLoss => {
                self.fault(method, &status);
                status
            }
            _ if reason.is_none() => {
                self.fault(method, &status);
                refuse(Reason::Internal, status.message())
            }
            _ => status,
        }
    }

    fn fault(&self, method: &Method, status: &Status) {
        tracing::error!(method = method.path, error = %status, "a service failed");
        let code = i64::from(status.code() as i32);
        self.faults.add(
            1,
            &[KeyValue::new("rpc.method", method.path), KeyValue::new("rpc.response.status_code", code)],
        );
    }

    /// What the door itself runs in.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }
}

/// auth alone knows of sessions, and says so in words of the contract.
fn is_passport_refused(method: &Method, status: &Status) -> bool {
    let reason = reason_of(status);
    let about_a_session = method.service == "auth" && reason.is_some();
    reason == Some(Reason::PassportRefused) || (status.code() == Code::Unauthenticated && !about_a_session)
}
