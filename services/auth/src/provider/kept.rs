//! The provider's discovery document and keys, fetched when first needed and sparingly after.

use std::sync::Arc;

use boot::{
    clock::Clock,
    fetched::{Fetched, NotFetched, Pace},
};
use jiff::SignedDuration;
use openidconnect::{IssuerUrl, JsonWebKey, core::CoreProviderMetadata, url::Url};

use super::HttpClient;
use crate::Error;

const PACE: Pace = Pace {
    // A withdrawn key or a moved endpoint is believed at most this long while the provider answers.
    fresh: SignedDuration::from_hours(1),
    // Tokens with unknown keys trigger a fetch at most this often, and so does an unreachable provider.
    pause: SignedDuration::from_secs(10),
    outage: SignedDuration::from_secs(1),
};

/// What the provider publishes.
#[derive(Debug)]
pub struct Kept {
    issuer: IssuerUrl,
    http: HttpClient,
    metadata: Fetched<CoreProviderMetadata>,
}

impl Kept {
    /// Nothing yet.
    #[must_use]
    pub fn new(issuer: IssuerUrl, http: HttpClient, clock: Clock) -> Self {
        Self { issuer, http, metadata: Fetched::new(PACE, clock) }
    }

    /// Speaks to the provider.
    #[must_use]
    pub fn http(&self) -> &HttpClient {
        &self.http
    }

    /// The discovery document.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`], also when the provider is not who it should be.
    pub async fn metadata(&self) -> Result<Arc<CoreProviderMetadata>, Error> {
        self.metadata.get(|_| true, self.fetch()).await.map_err(unreachable)
    }

    /// The discovery document with its keys, among them `wanted` if the provider has published it.
    ///
    /// # Errors
    /// [`Error::ProviderUnreachable`].
    pub async fn with_key(&self, wanted: Option<&str>) -> Result<Arc<CoreProviderMetadata>, Error> {
        let lists = |metadata: &CoreProviderMetadata| {
            let ids = metadata.jwks().keys().iter().filter_map(|key| key.key_id());
            wanted.is_some_and(|wanted| ids.into_iter().any(|id| id.as_str() == wanted))
        };
        self.metadata.get(lists, self.fetch()).await.map_err(unreachable)
    }

    /// The discovery document as far as it is known, without waiting. If it is missing or old, it is
    /// fetched in the background for later calls.
    #[must_use]
    pub fn known(self: &Arc<Self>) -> Option<Arc<CoreProviderMetadata>> {
        if self.metadata.is_due() {
            let kept = self.clone();
            tokio::spawn(async move {
                if let Err(error) = kept.metadata().await {
                    tracing::warn!(%error, "the provider's address could not be read");
                }
            });
        }
        self.metadata.known()
    }

    async fn fetch(&self) -> Result<CoreProviderMetadata, String> {
        let metadata = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http)
            .await
            .map_err(|error| error.to_string())?;
        let endpoints = [
            Some(metadata.authorization_endpoint().url()),
            metadata.token_endpoint().map(|endpoint| endpoint.url()),
            Some(metadata.jwks_uri().url()),
        ];
        let safe = |url: &Url| url.scheme() == "https" || self.issuer.url().scheme() == "http";
        if endpoints.into_iter().flatten().all(safe) {
            Ok(metadata)
        } else {
            Err("it names an endpoint without TLS".to_owned())
        }
    }
}

fn unreachable(error: NotFetched<String>) -> Error {
    Error::ProviderUnreachable(error.to_string())
}
