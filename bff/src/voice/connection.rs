//! Voice connections, opened by tenancy and held for a minute at most.

use core::time::Duration;
use std::sync::Arc;

use boot::config::Secret;
use caller::BusinessId;
use http::HeaderMap;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use moka::future::Cache;
use proto::{
    error::{Reason, refuse},
    frontdesk::tenancy::{
        internal::v1::{
            OpenVoiceConnectionRequest, OpenVoiceConnectionResponse,
            voice_secret_service_methods::OPEN_VOICE_CONNECTION,
        },
        v1::WebhookCheck,
    },
};
use tonic::{Code, Status};
use uuid::Uuid;

use super::{
    adapter::{Check, Proof, Received},
    elevenlabs::signature::Streamed,
    hmac_format::HmacFormat,
    platform::Platform,
    proof::Fault,
};
use crate::Gateway;

/// A changed secret is believed, and a removed connection refused, after this long.
const HELD: Duration = Duration::from_secs(60);
/// A new connection is known after this long, even if it was asked for before.
const MISS_HELD: Duration = Duration::from_secs(5);
const MOST_HELD: u64 = 10_000;
const PATIENCE: Duration = Duration::from_secs(3);

/// One platform account of a business.
#[derive(Debug)]
pub struct Connection {
    pub id: Uuid,
    pub business: BusinessId,
    pub platform: Platform,
    /// What the platform proves to know.
    secret: Secret,
    /// What it may still prove to know: the secret was replaced lately.
    old_secret: Option<Secret>,
    check: Check,
    /// The business's zone, to speak times in.
    pub zone: TimeZone,
    opened_at: Timestamp,
}

/// Connections that were asked for lately.
#[derive(Debug, Clone)]
pub struct Connections {
    gateway: Gateway,
    known: Cache<Uuid, Arc<Connection>>,
    /// Apart, so that guessed ids can't push out real connections.
    unknown: Cache<Uuid, Timestamp>,
}

impl Connections {
    pub fn new(gateway: Gateway) -> Self {
        // The door's clock decides what is used; the caches' own time forgets it.
        Self {
            gateway,
            known: Cache::builder().max_capacity(MOST_HELD).time_to_live(HELD).build(),
            unknown: Cache::builder().max_capacity(MOST_HELD).time_to_live(MISS_HELD).build(),
        }
    }

    /// The connection `id`; NOT_FOUND when there is none, UNAVAILABLE when tenancy can't be asked.
    pub async fn open(&self, id: Uuid) -> Result<Arc<Connection>, Status> {
        let now = self.gateway.host().clock.now();
        if self.unknown.get(&id).await.is_some_and(|at| is_fresh(at, MISS_HELD, now)) {
            return Err(unknown());
        }
        if self.known.get(&id).await.is_some_and(|held| !is_fresh(held.opened_at, HELD, now)) {
            self.known.invalidate(&id).await;
        }
        // Deliveries that arrive together wait for one answer.
        let opened = self.known.try_get_with(id, self.load(id, now)).await;
        opened.map_err(|status| Status::clone(&status))
    }

    async fn load(&self, id: Uuid, now: Timestamp) -> Result<Arc<Connection>, Status> {
        let message = OpenVoiceConnectionRequest { voice_connection_id: id.to_string() };
        match self.gateway.call_as_door(&OPEN_VOICE_CONNECTION, None, PATIENCE, message).await {
            Ok(opened) => Connection::read(id, opened, now).map(Arc::new),
            Err(status) if status.code() == Code::NotFound => {
                self.unknown.insert(id, now).await;
                Err(unknown())
            }
            Err(status) => Err(status),
        }
    }
}

impl Connection {
    fn read(id: Uuid, opened: OpenVoiceConnectionResponse, now: Timestamp) -> Result<Self, Status> {
        let platform = Platform::of(opened.platform())
            .ok_or_else(|| Status::internal(format!("voice connection {id} is of no known platform")))?;
        let broken =
            |error: &dyn core::fmt::Display| Status::internal(format!("voice connection {id}: {error}"));
        let zone = TimeZone::get(&opened.time_zone).map_err(|error| broken(&error))?;
        let business = opened.business_id.parse().map_err(|error: uuid::Error| broken(&error))?;
        let check = check(&opened).ok_or_else(|| broken(&"its deliveries are checked in no known way"))?;
        let old_secret = Some(opened.old_secret).filter(|old| !old.is_empty()).map(Secret::new);
        let secret = Secret::new(opened.secret);
        Ok(Self { id, business, platform, secret, old_secret, check, zone, opened_at: now })
    }

    /// Checks that the platform made a request around `now`.
    pub fn verify(&self, received: Received<'_>, now: Timestamp) -> Result<(), Fault> {
        let by = |secret: &Secret| {
            let proof = Proof { secret: secret.expose(), check: &self.check };
            self.platform.adapter().verify(received, proof, now)
        };
        match (by(&self.secret), &self.old_secret) {
            (Err(Fault::Wrong), Some(old)) => by(old),
            (verdict, _) => verdict,
        }
    }
}

impl Connection {
    /// Begins to check an event of ElevenLabs whose body comes piece by piece, under each secret that counts.
    pub fn streamed(&self, headers: &HeaderMap, now: Timestamp) -> Result<Streamed, Fault> {
        let secrets = core::iter::once(&self.secret).chain(&self.old_secret);
        Streamed::begin(headers, secrets.map(Secret::expose), now)
    }
}

/// Refuses a connection that doesn't exist.
pub fn unknown() -> Status {
    refuse(Reason::NotFound, "there is no such voice connection")
}

fn check(opened: &OpenVoiceConnectionResponse) -> Option<Check> {
    match opened.webhook_check() {
        WebhookCheck::Unspecified | WebhookCheck::PlatformSignature => Some(Check::Signature),
        WebhookCheck::Bearer => Some(Check::Bearer),
        WebhookCheck::Hmac => HmacFormat::read(opened.hmac.as_ref()?).map(Check::Hmac),
    }
}

fn is_fresh(at: Timestamp, held: Duration, now: Timestamp) -> bool {
    SignedDuration::try_from(held).is_ok_and(|held| now.duration_since(at).abs() < held)
}
