//! Creates and changes items.

use crate::{
    Error,
    domain::{Item, ItemDetails, ItemId},
    store::{Added, SuppliedItem, Tx},
};

/// An item to create.
#[derive(Debug)]
pub struct CreateItem {
    /// An id of the caller's choice.
    pub id: Option<ItemId>,
    /// What it is.
    pub details: ItemDetails,
}

impl CreateItem {
    /// Creates it and publishes it; the item under its id if the business has one.
    ///
    /// # Errors
    /// [`Error::TakenField`], [`Error::Unknown`], [`Error::NoCurrency`].
    pub async fn run(self, tx: &Tx) -> Result<SuppliedItem, Error> {
        let id = self.id.unwrap_or_else(|| tx.new_id());
        let currency = tx.business().await?.currency;
        match tx.add_item(Item::new(id, self.details, currency)?).await? {
            Added::New(item) => tx.publish_item(item.id).await,
            Added::Before(item) => tx.item(item.id).await,
        }
    }
}

/// What an item is from now on.
#[derive(Debug)]
pub struct UpdateItem {
    /// The item.
    pub id: ItemId,
    /// What it is.
    pub details: ItemDetails,
    /// The version that was seen.
    pub version: Option<i64>,
}

impl UpdateItem {
    /// Replaces it and publishes the item, if anything is different.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`], and as [`CreateItem::run`].
    pub async fn run(self, tx: &Tx) -> Result<SuppliedItem, Error> {
        let before = tx.take_item(self.id).await?.seen_at(self.version)?;
        let currency = tx.business().await?.currency;
        let after = before.clone().described(self.details, currency)?;
        tx.replace_item(&before, &after).await
    }
}

/// Whether an item is on the list from now on.
#[derive(Debug)]
pub struct ArchiveItem {
    /// The item.
    pub id: ItemId,
    /// Off the list.
    pub archived: bool,
    /// The version that was seen.
    pub version: Option<i64>,
}

impl ArchiveItem {
    /// Takes it off the list, or puts it back, and publishes it if anything is different.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`].
    pub async fn run(self, tx: &Tx) -> Result<SuppliedItem, Error> {
        let before = tx.take_item(self.id).await?.seen_at(self.version)?;
        let after = before.clone().archived(self.archived);
        tx.replace_item(&before, &after).await
    }
}

impl Tx {
    async fn replace_item(&self, before: &Item, after: &Item) -> Result<SuppliedItem, Error> {
        if before == after {
            return self.item(after.id).await;
        }
        self.save_item(after).await?;
        self.publish_item(after.id).await
    }
}
