//! Publishes an item that was created or changed, or whose stock was.

use proto::frontdesk::events::v1::{ItemChanged, event::Payload};

use crate::{
    Error,
    domain::ItemId,
    store::{SuppliedItem, Tx},
};

impl Tx {
    /// Publishes an item as it is now, and gives it.
    pub async fn publish_item(&self, id: ItemId) -> Result<SuppliedItem, Error> {
        let supplied = self.item(id).await?;
        let payload = Payload::Item(ItemChanged { item_id: id.to_string() });
        self.publish_change(id, supplied.item.revision, payload).await?;
        Ok(supplied)
    }
}
