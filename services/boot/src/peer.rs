//! Calling another service of the installation.

mod channel;

use core::time::Duration;
use std::sync::Arc;

use anyhow::Context as _;
use caller::{BusinessId, PASSPORT_HEADER, Signer};
use http::Uri;
use opentelemetry::KeyValue;
use tonic::transport::Endpoint;

use crate::{Host, clock::Clock, faults::Faults, grpc::current_priority, transport::Encryption};
pub use channel::PeerChannel;

/// Connections to one peer: more than one, so that one lost packet or one busy replica is not all.
const CONNECTIONS: usize = 2;
/// How long a peer's host may take to answer at all.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Ports on a developer's machine, where every service has an address by default.
const LOCAL: [(&str, u16); 5] =
    [("auth", 7101), ("tenancy", 7102), ("scheduling", 7103), ("calendar-sync", 7104), ("telemetry", 7105)];

/// Another service.
#[derive(Debug, Clone)]
pub struct Peer {
    service: &'static str,
    channel: PeerChannel,
    signer: Signer,
    clock: Clock,
}

impl Peer {
    /// A peer at `url` that is connected to when it is first called. Needs a runtime.
    ///
    /// # Errors
    /// A malformed URL, or one that this process must not call: see [`crate::transport`].
    pub fn lazy(service: &'static str, url: &str, host: &Host) -> anyhow::Result<Self> {
        let endpoint = Endpoint::from_shared(url.to_owned())
            .with_context(|| format!("the URL of {service}"))?
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10))
            .keep_alive_while_idle(true);
        let connector = host.transport.connector(&setting(service), endpoint.uri(), host.environment)?;
        let mut attributes = vec![];
        if let Some(name) = endpoint.uri().host() {
            attributes.push(KeyValue::new("server.address", name.to_owned()));
        }
        if let Some(port) = endpoint.uri().port_u16() {
            attributes.push(KeyValue::new("server.port", i64::from(port)));
        }
        let connect = || match &connector {
            Some(connector) => endpoint.connect_with_connector_lazy(connector.clone()),
            None => endpoint.clone().connect_timeout(CONNECT_TIMEOUT).connect_lazy(),
        };
        let connections = (0..CONNECTIONS).map(|_| connect()).collect();
        let channel = PeerChannel::new(service, connections, attributes);
        Ok(Self { service, channel, signer: host.signer.clone(), clock: host.clock.clone() })
    }

    /// Adds what is wrong with the URL of a peer, where it is known what encrypts calls.
    pub fn check(service: &str, url: &str, encryption: Option<Encryption>, faults: &mut Faults) {
        let setting = setting(service);
        // It is what the setting is by default, and nothing answers there in production.
        let local = LOCAL.iter().find(|(name, _)| *name == service);
        if faults.in_production() && local.is_some_and(|(_, port)| url == format!("http://127.0.0.1:{port}"))
        {
            faults.add(&setting, format!("missing; production needs the address of {service}"));
        }
        match url.parse::<Uri>() {
            Ok(uri) if matches!(uri.scheme_str(), Some("http" | "https")) => {
                let environment = faults.environment();
                let judged = encryption.map(|encryption| encryption.require_for(&setting, &uri, environment));
                faults.note(judged.transpose());
            }
            _ => faults.add(&setting, format!("is no address such as https://{service}:7100")),
        }
    }

    /// The peer's name.
    #[must_use]
    pub fn service(&self) -> &'static str {
        self.service
    }

    /// Takes one retry from the peer's budget; without one, a failed call is not made again for now.
    /// Only for calls that have the same effect when they are repeated.
    #[must_use]
    pub fn may_retry(&self) -> bool {
        self.channel.may_retry()
    }

    /// What a generated client is made of.
    #[must_use]
    pub fn channel(&self) -> PeerChannel {
        self.channel.clone()
    }

    /// A request in one's own name, for a business or none, that must be answered within `timeout`.
    pub fn as_service<T>(
        &self,
        business: Option<BusinessId>,
        message: T,
        timeout: Duration,
    ) -> tonic::Request<T> {
        self.carrying(&self.passport(business), message, timeout)
    }

    /// As [`Self::as_service`], for a stream that stays open: it has no deadline.
    pub fn as_service_stream<T>(&self, business: Option<BusinessId>, message: T) -> tonic::Request<T> {
        with_passport(&self.passport(business), message)
    }

    /// One's own, with the priority of the call that is being answered.
    fn passport(&self, business: Option<BusinessId>) -> Arc<str> {
        self.signer.as_service(self.service, business, current_priority(), self.clock.now())
    }

    /// A request that carries a passport signed elsewhere, such as a door's for a person.
    pub fn carrying<T>(&self, passport: &str, message: T, timeout: Duration) -> tonic::Request<T> {
        let mut request = with_passport(passport, message);
        request.set_timeout(timeout);
        request
    }
}

/// The setting that has the address of a service.
fn setting(service: &str) -> String {
    format!("{}_URL", service.to_uppercase().replace('-', "_"))
}

fn with_passport<T>(passport: &str, message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    request.metadata_mut().insert(PASSPORT_HEADER, passport.parse().expect("a signed passport is ASCII"));
    request
}
