//! auth's public keys, kept and fetched sparingly.

use core::time::Duration;
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{
    DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, JwkSet},
};
use proto::{
    error::{Reason, refuse},
    frontdesk::auth::internal::v1::{GetJwksRequest, GetJwksResponse, session_service_methods::GET_JWKS},
};
use tokio::sync::Mutex;
use tonic::Status;

use crate::{Gateway, refusal::Refusal};

/// A key nobody knows makes the door ask at most this often.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);
/// While auth can't be reached at all, requests wait for one question at most this often.
const OUTAGE: SignedDuration = SignedDuration::from_secs(1);
/// A withdrawn key is believed at most this long.
const FRESH: SignedDuration = SignedDuration::from_secs(300);
const PATIENCE: Duration = Duration::from_secs(3);

type Keys = Arc<HashMap<String, Arc<DecodingKey>>>;

/// The keys that access tokens are checked with.
#[derive(Debug)]
pub struct KeySet {
    gateway: Gateway,
    kept: RwLock<Option<Kept>>,
    /// Whoever holds it fetches; the others wait for the outcome.
    asked: Mutex<Option<Timestamp>>,
}

#[derive(Clone)]
struct Kept {
    keys: Keys,
    at: Timestamp,
    /// How often keys have been read before.
    round: u64,
}

impl core::fmt::Debug for Kept {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kept").field("kids", &self.keys.keys()).finish_non_exhaustive()
    }
}

impl KeySet {
    /// No keys yet.
    #[must_use]
    pub fn new(gateway: Gateway) -> Self {
        Self { gateway, kept: RwLock::new(None), asked: Mutex::new(None) }
    }

    /// The key called `kid`; `None` when auth has none of that name.
    ///
    /// # Errors
    /// UNAVAILABLE when no keys are known and auth can't be asked.
    pub async fn find(&self, kid: &str) -> Result<Option<Arc<DecodingKey>>, Refusal> {
        let kept = self.kept();
        if let Some(kept) = &kept
            && self.is_within(FRESH, kept.at)
            && let Some(key) = kept.keys.get(kid)
        {
            return Ok(Some(key.clone()));
        }
        let keys = self.fetch(kept.map(|kept| kept.round)).await?;
        Ok(keys.get(kid).cloned())
    }

    /// Whether tokens can be checked.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn ready(&self) -> Result<(), Refusal> {
        if self.kept().is_some() { Ok(()) } else { self.fetch(None).await.map(drop) }
    }

    fn kept(&self) -> Option<Kept> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks auth, unless somebody has since the round that was `seen` or it was asked a moment ago.
    async fn fetch(&self, seen: Option<u64>) -> Result<Keys, Refusal> {
        let mut asked = self.asked.lock().await;
        let kept = self.kept();
        let renewed = kept.as_ref().map(|kept| kept.round) > seen;
        let pause = if kept.is_some() { PAUSE } else { OUTAGE };
        if renewed || asked.is_some_and(|at| self.is_within(pause, at)) {
            return kept.map(|kept| kept.keys).ok_or_else(unavailable);
        }
        let answer = self.gateway.call_as_door(&GET_JWKS, None, PATIENCE, GetJwksRequest {}).await;
        let now = self.gateway.host().clock.now();
        *asked = Some(now);
        match (answer.and_then(|answer| parse(&answer)), kept) {
            (Ok(keys), kept) => {
                let round = kept.map_or(0, |kept| kept.round + 1);
                let renewed = Kept { keys: keys.clone(), at: now, round };
                *self.kept.write().unwrap_or_else(PoisonError::into_inner) = Some(renewed);
                Ok(keys)
            }
            (Err(error), Some(kept)) => {
                tracing::warn!(%error, "auth's keys could not be renewed");
                Ok(kept.keys)
            }
            (Err(error), None) => {
                tracing::warn!(%error, "auth's keys could not be read");
                Err(unavailable())
            }
        }
    }

    /// Whether `at` is not longer ago than `time`; a clock set back does not count.
    fn is_within(&self, time: SignedDuration, at: Timestamp) -> bool {
        let ago = self.gateway.host().clock.now().duration_since(at);
        (SignedDuration::ZERO..time).contains(&ago)
    }
}

fn unavailable() -> Refusal {
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
    Ok(Arc::new(keys.collect()))
}
