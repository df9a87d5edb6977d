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

/// Takes an item off the list, or puts it back, and publishes it if anything is different.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn archive_item(tx: Tx, id: ItemId, archived: bool) -> Result<SuppliedItem, Error> {
    let before = tx.take_item(id).await?;
    let after = before.clone().archived(archived);
    let supplied = tx.replace_item(&before, &after).await?;
    tx.commit().await?;
    Ok(supplied)
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
