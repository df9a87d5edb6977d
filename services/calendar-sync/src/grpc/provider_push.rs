//! What booking systems push.

use caller::Unscoped;
use proto::{
    error::invalid,
    frontdesk::calendarsync::internal::v1::{
        ProviderPushServiceHandler, TakeProviderPushRequest, TakeProviderPushResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::MAX_TEXT;
use crate::app::TakeProviderPush;

/// Serves `ProviderPushService`.
#[derive(Debug)]
pub struct ProviderPushes {
    /// Takes them.
    pub take: TakeProviderPush,
}

#[async_trait]
impl ProviderPushServiceHandler for ProviderPushes {
    async fn take_provider_push(
        &self,
        _: Unscoped,
        request: TakeProviderPushRequest,
    ) -> Result<TakeProviderPushResponse, Status> {
        let connection = parse::id("connection_id", &request.connection_id)?;
        if request.signature.len() > MAX_TEXT {
            return Err(invalid("signature", "is too long"));
        }
        self.take.take(connection, &request.url, &request.signature, &request.body).await?;
        Ok(TakeProviderPushResponse {})
    }
}
