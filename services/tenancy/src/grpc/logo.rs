//! Logos.

use std::sync::Arc;

use caller::BusinessScope;
use proto::{
    error::{Reason, invalid, refuse},
    frontdesk::tenancy::v1::{
        self as pb, GetLogoRequest, GetLogoResponse, LogoServiceHandler, RemoveLogoRequest,
        RemoveLogoResponse, SetLogoRequest, SetLogoResponse,
    },
};
use tokio::sync::Semaphore;
use tonic::{Status, async_trait};

use crate::{
    Error,
    app::set_logo,
    domain::{Logo, LogoDigest},
    store::Store,
};

/// Pictures that are drawn at once: each takes a core, and memory.
const AT_ONCE: usize = 2;

/// Serves `LogoService`.
#[derive(Debug)]
pub(crate) struct Logos {
    store: Store,
    drawing: Arc<Semaphore>,
}

impl Logos {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, drawing: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Draws a logo beside the threads that answer.
    async fn draw(&self, file: Vec<u8>) -> Result<Logo, Status> {
        let gone = |_| refuse(Reason::Unavailable, "the service is shutting down");
        let turn = self.drawing.clone().acquire_owned().await.map_err(gone)?;
        let drawn = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            Logo::draw(&file)
        });
        let drawn = drawn.await.map_err(|_| invalid("content", "is a damaged picture"))?;
        drawn.map_err(|fault| invalid("content", &fault.to_string()))
    }
}

#[async_trait]
impl LogoServiceHandler for Logos {
    async fn get_logo(
        &self,
        scope: BusinessScope,
        request: GetLogoRequest,
    ) -> Result<GetLogoResponse, Status> {
        let digest = LogoDigest::parse(&request.digest).ok_or(Error::NotFound("logo"))?;
        let tx = self.store.begin(&scope);
        let content = tx.logo(&digest).await?;
        tx.commit().await?;
        Ok(GetLogoResponse { content })
    }

    async fn set_logo(
        &self,
        scope: BusinessScope,
        request: SetLogoRequest,
    ) -> Result<SetLogoResponse, Status> {
        if request.content.is_empty() {
            return Err(invalid("content", "is required"));
        }
        let logo = self.draw(request.content).await?;
        let business = set_logo(self.store.begin(&scope), Some(logo)).await?;
        Ok(SetLogoResponse { business: Some(pb::Business::from(&business)) })
    }

    async fn remove_logo(
        &self,
        scope: BusinessScope,
        _request: RemoveLogoRequest,
    ) -> Result<RemoveLogoResponse, Status> {
        let business = set_logo(self.store.begin(&scope), None).await?;
        Ok(RemoveLogoResponse { business: Some(pb::Business::from(&business)) })
    }
}
