//! The provider's discovery document and keys, fetched when first needed and sparingly after.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use openidconnect::{
    IssuerUrl, JsonWebKey,
    core::{CoreJsonWebKeySet, CoreProviderMetadata},
    url::Url,
};
use tokio::sync::Mutex;

use super::HttpClient;
use crate::Error;

/// A withdrawn key or a moved endpoint is believed at most this long.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// A key nobody knows makes us ask at most this often, and so does a provider that is away.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);
const OUTAGE: SignedDuration = SignedDuration::from_secs(1);

/// What was fetched. Whoever holds the lock fetches; the others wait for the outcome.
#[derive(Debug, Default)]
pub struct Kept(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    known: Option<Known>,
    failed_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
struct Known {
    metadata: Arc<CoreProviderMetadata>,
    fetched_at: Timestamp,
    keys_asked_at: Timestamp,
}

impl Kept {
    /// The discovery document.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`], also when the provider is not who it should be.
    pub async fn metadata(
        &self,
        issuer: &IssuerUrl,
        http: &HttpClient,
        now: Timestamp,
    ) -> Result<Arc<CoreProviderMetadata>, Error> {
        let mut state = self.0.lock().await;
        state.known(issuer, http, now).await.map(|known| known.metadata.clone())
    }

    /// The keys, among them `wanted` if the provider has published it.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`].
    pub async fn keys(
        &self,
        issuer: &IssuerUrl,
        wanted: Option<String>,
        http: &HttpClient,
        now: Timestamp,
    ) -> Result<CoreJsonWebKeySet, Error> {
        let mut state = self.0.lock().await;
        let known = state.known(issuer, http, now).await?;
        let kid = wanted.as_deref().unwrap_or_default();
        let listed =
            known.metadata.jwks().keys().iter().any(|key| key.key_id().is_some_and(|id| id.as_str() == kid));
        if !listed && now.duration_since(known.keys_asked_at) >= PAUSE {
            known.keys_asked_at = now;
            let keys = CoreJsonWebKeySet::fetch_async(known.metadata.jwks_uri(), http)
                .await
                .map_err(|error| Error::ProviderUnreachable(error.to_string()))?;
            known.metadata = Arc::new((*known.metadata).clone().set_jwks(keys));
        }
        Ok(known.metadata.jwks().clone())
    }
}

impl State {
    async fn known(
        &mut self,
        issuer: &IssuerUrl,
        http: &HttpClient,
        now: Timestamp,
    ) -> Result<&mut Known, Error> {
        let fresh = self.known.as_ref().is_some_and(|known| now.duration_since(known.fetched_at) < FRESH);
        if !fresh {
            if self.failed_at.is_some_and(|at| now.duration_since(at) < OUTAGE) {
                return Err(Error::ProviderUnreachable("it was away a moment ago".to_owned()));
            }
            self.failed_at = Some(now);
            let metadata = fetch(issuer, http).await?;
            self.failed_at = None;
            self.known = Some(Known { metadata: Arc::new(metadata), fetched_at: now, keys_asked_at: now });
        }
        self.known.as_mut().ok_or(Error::Stored("discovery document"))
    }
}

async fn fetch(issuer: &IssuerUrl, http: &HttpClient) -> Result<CoreProviderMetadata, Error> {
    let metadata = CoreProviderMetadata::discover_async(issuer.clone(), http)
        .await
        .map_err(|error| Error::ProviderUnreachable(error.to_string()))?;
    let endpoints = [
        Some(metadata.authorization_endpoint().url()),
        metadata.token_endpoint().map(|endpoint| endpoint.url()),
        Some(metadata.jwks_uri().url()),
    ];
    let safe = |url: &Url| url.scheme() == "https" || issuer.url().scheme() == "http";
    if endpoints.into_iter().flatten().all(safe) {
        Ok(metadata)
    } else {
        Err(Error::ProviderUnreachable("it names an endpoint without TLS".to_owned()))
    }
}
