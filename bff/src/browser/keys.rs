//! auth's public keys, kept and fetched sparingly.

use core::time::Duration;
use std::{collections::HashMap, sync::Arc};

use boot::fetched::{Fetched, NotFetched, Pace};
use jiff::SignedDuration;
use jsonwebtoken::{
    DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, JwkSet},
};
use proto::{
    error::{Reason, refuse},
    frontdesk::auth::internal::v1::{GetJwksRequest, GetJwksResponse, session_service_methods::GET_JWKS},
};
use tonic::Status;

use crate::{Gateway, refusal::Refusal};

const PACE: Pace = Pace {
    // A withdrawn key is believed at most this long.
    fresh: SignedDuration::from_secs(300),
    // Tokens with unknown keys trigger a fetch at most this often.
    pause: SignedDuration::from_secs(10),
    // While auth can't be reached at all, requests wait for one question at most this often.
    outage: SignedDuration::from_secs(1),
};
const PATIENCE: Duration = Duration::from_secs(3);

type Keys = HashMap<String, Arc<DecodingKey>>;

/// The keys that access tokens are checked with.
#[derive(Debug)]
pub struct KeySet {
    gateway: Gateway,
    keys: Fetched<Keys>,
}

impl KeySet {
    /// No keys yet.
    #[must_use]
    pub fn new(gateway: Gateway) -> Self {
        let keys = Fetched::new(PACE, gateway.host().clock.clone());
        Self { gateway, keys }
    }

    /// The key called `kid`; `None` when auth has none of that name.
    ///
    /// # Errors
    /// UNAVAILABLE when no keys are known and auth can't be asked.
    pub async fn find(&self, kid: &str) -> Result<Option<Arc<DecodingKey>>, Refusal> {
        let keys = self.keys.get(|keys| keys.contains_key(kid), self.ask()).await.map_err(unavailable)?;
        Ok(keys.get(kid).cloned())
    }

    /// Whether tokens can be checked.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn ready(&self) -> Result<(), Refusal> {
        match self.keys.known() {
            Some(_) => Ok(()),
            None => self.keys.get(|_| true, self.ask()).await.map(drop).map_err(unavailable),
        }
    }

    async fn ask(&self) -> Result<Keys, Status> {
        parse(&self.gateway.call_as_door(&GET_JWKS, None, PATIENCE, GetJwksRequest {}).await?)
    }
}

fn unavailable(error: NotFetched<Status>) -> Refusal {
    if let NotFetched::Failed(error) = error {
        tracing::warn!(%error, "auth's keys could not be read");
    }
    Refusal::new(Reason::Unavailable, "sessions can't be checked right now")
}

fn parse(answer: &GetJwksResponse) -> Result<Keys, Status> {
    let set: JwkSet = serde_json::from_str(&answer.jwks)
        .map_err(|error| refuse(Reason::Internal, format!("auth's key set: {error}")))?;
    let keys = set.keys.into_iter().filter_map(|jwk| {
        let AlgorithmParameters::OctetKeyPair(pair) = &jwk.algorithm else { return None };
        if pair.curve != EllipticCurve::Ed25519 {
            return None;
        }
        Some((jwk.common.key_id?, Arc::new(DecodingKey::from_ed_components(&pair.x).ok()?)))
    });
    Ok(keys.collect())
}
