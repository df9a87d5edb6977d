//! What calendar providers push.

use std::sync::Arc;

use caller::Unscoped;
use proto::{
    error::{Reason, refuse},
    frontdesk::calendarsync::internal::v1::{CalendarPushServiceHandler, TakePushRequest, TakePushResponse},
    parse,
};
use tokio::sync::Notify;
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::MAX_TEXT;
use crate::store::Store;

/// Serves `CalendarPushService`.
#[derive(Debug)]
pub struct Pushes {
    /// Knows the channels.
    pub store: Store,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

#[async_trait]
impl CalendarPushServiceHandler for Pushes {
    async fn take_push(&self, _: Unscoped, request: TakePushRequest) -> Result<TakePushResponse, Status> {
        let unknown = || refuse(Reason::NotFound, "there is no such channel");
        let calendar = parse::id("connection_id", &request.connection_id)?;
        let channel: Uuid = request.channel_id.parse().map_err(|_| unknown())?;
        if request.token.len() > MAX_TEXT || !self.store.take_push(calendar, channel, &request.token).await? {
            return Err(unknown());
        }
        self.hint.notify_one();
        Ok(TakePushResponse {})
    }
}
