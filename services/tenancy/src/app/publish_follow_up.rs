//! Publishes a follow-up that was created or changed.

use proto::frontdesk::events::v1::{FollowUpChanged, event::Payload};

use crate::{
    Error,
    domain::FollowUp,
    store::{NamedFollowUp, Tx},
};

impl Tx {
    /// Publishes a follow-up; the same with its names.
    pub async fn publish_follow_up(&self, follow_up: &FollowUp) -> Result<NamedFollowUp, Error> {
        let payload = Payload::FollowUp(FollowUpChanged { follow_up_id: follow_up.id.to_string() });
        self.publish_change(follow_up.id, follow_up.version, payload).await?;
        self.follow_up(follow_up.id).await
    }
}
